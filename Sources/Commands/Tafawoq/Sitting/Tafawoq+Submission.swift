import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// What submissions of exams and of practices have in common.
    struct Submission: Record {
        var finishedAt = Instant.epoch
        var answers: [GivenAnswer]?
        var offline: Bool?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("finishedAt", &finishedAt)
            coder.given("answers", &answers)
            coder.given("offline", &offline)
        }

        /// Checks the time (R28) and the answers, and records the new ones (R27). A practice has no
        /// deadline.
        func record(
            for key: SittingKey, _ row: SittingRow, in context: Tafawoq.Context
        ) throws(Rejection) -> SortedAnswers {
            guard let deliveredAt = row.deliveredAt,
                deliveredAt <= finishedAt, finishedAt <= context.at
            else { throw .badFinishTime }
            if let deadline = row.deadline, finishedAt > deadline { throw .timeExpired }
            let given = (answers ?? []).map(\.answer)
            try context.check(given, of: key)
            let sorted = context.sort(given, of: key, deadline: row.deadline)
            if !sorted.isEmpty {
                context.record(sorted, of: key, row.student, offline: offline ?? false)
            }
            return sorted
        }
    }
}

extension DecisionContext<Tafawoq> {
    /// Whole seconds of practice: from the delivery from answer to answer to the end, each gap at most as long
    /// as the policy takes somebody to think (R40).
    func practiceSeconds(
        _ key: Tafawoq.SittingKey, _ row: Tafawoq.SittingRow, until finishedAt: Instant
    ) -> Int {
        guard let deliveredAt = row.deliveredAt else { return 0 }
        let longest = policy.practiceIdleSeconds.milliseconds
        let moments =
            (state.answers[key]?.answers ?? []).map(\.answeredAt)
            .filter { deliveredAt < $0 && $0 < finishedAt }.sorted() + [finishedAt]
        var last = deliveredAt
        var milliseconds: Int64 = 0
        for moment in moments {
            milliseconds += min(longest, moment.milliseconds(since: last))
            last = moment
        }
        return Int(milliseconds / 1000)
    }
}

extension Tafawoq.SittingRow {
    /// Whole seconds from the delivery, without the time suspended in between (R28).
    func seconds(until finishedAt: Instant) -> Int {
        guard let deliveredAt else { return 0 }
        var milliseconds = finishedAt.milliseconds(since: deliveredAt)
        for pause in pauses where pause.from < finishedAt {
            milliseconds -= min(pause.to, finishedAt).milliseconds(since: pause.from)
        }
        return Int(max(0, milliseconds) / 1000)
    }
}
