import Foundation
import Testing

/// What no command makes, asked with `what-if --change` or imported: it may be nonsense, and ends no program.
@Suite struct `A made-up event` {
    @Test(arguments: [
        (
            "quranflow/06-live-sessions",
            #"quranflow.session.scheduled={"startsAt":"2199-01-01T00:00:00Z"}"#
        ),
        (
            "quranflow/09-advanced-appointments",
            #"quranflow.appointment.rescheduled={"startsAt":"2199-01-01T00:00:00Z"}"#
        ),
        (
            "quranflow/01-placement-and-first-week",
            #"quranflow.semester.scheduled={"weekStarts":[]}"#
        ),
        (
            "quranflow/01-placement-and-first-week",
            #"quranflow.enrollment.opened={"reminderHours":[9007199254740991]}"#
        ),
        (
            "examroom/09-analytics-and-grades",
            #"examroom.grade.modified={"newScore":9007199254740991}"#
        ),
        ("examroom/12-a-device-alone", #"examroom.sync.completed={"through":9007199254740991}"#),
        ("examroom/10-the-move", #"examroom.migration.begun={"total":9007199254740991}"#),
        (
            "learnable/subject-wizard",
            #"learnable.generation.requested={"chapterTopics":[9007199254740991]}"#
        ),
        (
            "learnable/lecture-shop",
            #"learnable.subject.acquired={"chapterTopics":[9007199254740991]}"#
        ),
        (
            "tafawoq/draft-policy",
            #"tafawoq.policy.adopted={"changes":{"engagement.inactiveDays":0}}"#
        ),
    ])
    func `is folded and shown`(example: String, change: String) throws {
        let tool = try Tool()
        let lines = try Sample.commands("Examples/\(example).jsonl")
        _ = try tool.run("\"$REPLAY\" submit > /dev/null", given: lines)
        let answer = try tool.run(
            "timeout 60 \"$REPLAY\" what-if --change '\(change)' --until 2028-01-01T00:00:00Z > found; head -n 1 found"
        )
        #expect(answer.errors.isEmpty && answer.output.hasPrefix(#"{"models":[{"#), "\(answer)")
    }

    @Test(arguments: [
        (#"s/"accepted":"[^"]*"/"accepted":""/"#, "accepted: expected 1 to 128 characters"),
        (#"s/"command":"[^"]*"/"command":""/"#, "command: expected 1 to 128 characters"),
        (#"s/"cause":null/"cause":99/"#, "cause: expected a position before its own"),
    ])
    func `is refused with its line where it cannot stand in a journal`(
        edit: String, problem: String
    ) throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit > /dev/null", given: Sample.examDay())
        let answer = try tool.run(
            "\"$REPLAY\" export | sed '\(edit)' > edited; \"$REPLAY\" import edited --journal made")
        #expect(answer.status == 65, "\(answer)")
        #expect(answer.errors.hasPrefix("replay: line "), "\(answer)")
        #expect(answer.errors.contains(problem), "\(answer)")
    }
}
