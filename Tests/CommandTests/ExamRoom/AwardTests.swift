import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct AwardTests {
    private let room: Classroom

    init() throws { room = try Classroom() }

    /// Sits EX-1 with one right answer of two: one point of three.
    private func sit(_ attempt: String, _ student: String, _ day: Int, minutes: Int = 10) throws {
        let date = "2026-02-\(day < 10 ? "0" : "")\(day)T"
        _ = try room.start(attempt, student, date + "09:00:00Z")
        _ = try room.answer(attempt, student, "Q-1", "a", date + "09:01:00Z")
        _ = try room.submit(attempt, student, date + "09:\(minutes):00Z")
    }

    @Test("R25: points are whole percentage points reached, or rounded") func points() throws {
        try room.giveExam(#","maxAttempts":null"#)
        _ = try room.start("AT-1", "S-1", "09:00")
        _ = try room.answer("AT-1", "S-1", "Q-2", "ab", "09:01")
        _ = try room.submit("AT-1", "S-1", "09:10")
        #expect(room.last(ExamRoom.Award.PointsAwarded.self)?.points == 66)
        try room.adopt(#""pointsRounding":"nearest","pointsPerPercent":2"#)
        _ = try room.start("AT-2", "S-1", "09:20")
        _ = try room.answer("AT-2", "S-1", "Q-2", "ab", "09:21")
        _ = try room.submit("AT-2", "S-1", "09:31")
        let second = room.last(ExamRoom.Award.PointsAwarded.self)
        #expect(second?.points == 133)
        #expect(second?.total == 199)
    }

    @Test("R28: three days in a row earn the streak badge once, with its dates") func streak()
        throws
    {
        try room.giveExam(#","maxAttempts":null"#)
        for day in [3, 4, 5, 6] { try sit("AT-\(day)", "S-1", day) }
        let streaks = room.all(ExamRoom.Award.BadgeEarned.self).filter { $0.badge == "streak-3" }
        #expect(streaks.count == 1)
        #expect(
            streaks.first?.basis.description
                == #"{"days":3,"from":"2026-02-03","to":"2026-02-05"}"#)
    }

    @Test("R28: whoever is faster than the average before them is a speed demon") func speedDemon()
        throws
    {
        try room.giveExam()
        try sit("AT-1", "S-1", 3, minutes: 20)
        _ = try room.start("AT-2", "S-2", "2026-02-03T10:00:00Z")
        _ = try room.submit("AT-2", "S-2", "2026-02-03T10:19:59Z")
        let badge = room.last(ExamRoom.Award.BadgeEarned.self)
        #expect(badge?.badge == "speed-demon")
        #expect(badge?.basis.description == #"{"prior":1,"priorSeconds":1200,"seconds":1199}"#)
    }

    @Test("R28: an equal time is not faster") func equalTime() throws {
        try room.giveExam()
        try sit("AT-1", "S-1", 3, minutes: 20)
        _ = try room.start("AT-2", "S-2", "2026-02-03T10:00:00Z")
        _ = try room.submit("AT-2", "S-2", "2026-02-03T10:20:00Z")
        #expect(room.last(ExamRoom.Award.BadgeEarned.self)?.badge == "first-steps")
    }

    @Test("R26: awards may wait for the results, in order of closing") func awaitedResults() throws
    {
        try room.adopt(#""awardsWhen":"results""#)
        try room.giveExam()
        _ = try room.start("AT-2", "S-2", "09:00")
        _ = try room.start("AT-1", "S-1", "09:00")
        #expect(try room.submit("AT-2", "S-2", "09:05") == .accepted(["attempt.submitted"]))
        #expect(try room.submit("AT-1", "S-1", "09:04") == .accepted(["attempt.submitted"]))
        #expect(
            try room.brief("admin:A-1", "results.publish", "10:00", #"{"exam":"EX-1"}"#)
                == .accepted([
                    // Who was closed later at an earlier instant was faster, and says so.
                    "results.published", "points.awarded", "badge.earned", "badge.earned",
                    "points.awarded", "badge.earned", "notification.raised",
                    "notification.raised", "notification.raised",
                ]))
        let students = room.facts.filter { $0.type.name == ExamRoom.Award.PointsAwarded.type }.map {
            room.names.text($0.metadata.stream)
        }
        #expect(students == ["examroom/awards/S-1", "examroom/awards/S-2"])
    }

    @Test("R22, R27: another grade adjusts points and may earn what was missed") func anotherGrade()
        throws
    {
        try room.giveExam()
        try sit("AT-1", "S-1", 2)
        let modify = { (score: Int, reason: String) in
            try room.brief(
                "admin:A-1", "grade.modify", "12:00",
                #"{"attempt":"AT-1","score":\#(score),"reason":"\#(reason)"}"#)
        }
        #expect(try modify(1, "x") == .rejected("nothing-to-change"))
        #expect(try modify(4, "x") == .rejected("score-out-of-range"))
        #expect(try modify(3, " ") == .rejected("reason-missing"))
        #expect(
            try modify(3, "smudged")
                == .accepted([
                    "grade.modified", "points.adjusted", "badge.earned", "notification.raised",
                ]))
        #expect(room.last(ExamRoom.Award.PointsAdjusted.self)?.newPoints == 100)
        // Nothing earned is taken back.
        #expect(try modify(0, "after all") == .accepted(["grade.modified", "points.adjusted"]))
    }

    @Test("R29: milestones unlock when the total reaches them") func milestones() throws {
        try room.adopt(#""milestones":[33,66]"#)
        try room.giveExam(#","maxAttempts":null"#)
        try sit("AT-1", "S-1", 3)
        #expect(room.last(ExamRoom.Award.MilestoneUnlocked.self)?.milestone == 33)
        try sit("AT-2", "S-1", 4)
        #expect(room.last(ExamRoom.Award.MilestoneUnlocked.self)?.milestone == 66)
    }

    @Test(
        "R24, R27: what a held attempt earned stays, each badge and milestone once, its points do not"
    )
    func held() throws {
        try room.adopt(#""milestones":[100]"#)
        try room.giveExam()
        try room.accept(
            "admin:A-1", "question.remove", "08:05", #"{"exam":"EX-1","question":"Q-2"}"#)
        let earned = {
            self.room.all(ExamRoom.Award.BadgeEarned.self).map(\.badge)
                + self.room.all(ExamRoom.Award.MilestoneUnlocked.self).map { "\($0.milestone)" }
        }
        let seen = room.head
        _ = try room.start("AT-1", "S-1", "09:00")
        _ = try room.answer("AT-1", "S-1", "Q-1", "a", "09:01")
        _ = try room.submit("AT-1", "S-1", "09:10")
        #expect(earned() == ["first-steps", "perfect-score", "100"])
        // Another device of theirs has begun one, too: there was one attempt.
        try room.merge("D-2", [Classroom.innerStart("a", "09:05", "AT-2")], seen: seen)
        let student: ExamRoom.StudentID = room.names.id("S-1")
        #expect(room.state.students[student]?.points == 0)
        #expect(room.state.students[student]?.completed == 0)
        #expect(earned() == ["first-steps", "perfect-score", "100"])
        let conflict = { (record: String) in
            self.room.all(ExamRoom.Conflict.Detected.self).enumerated().first {
                $0.element.record == record
            }.map { self.room.names.text(self.room.report.conflicts[$0.offset]) } ?? ""
        }
        for (attempt, choice) in [("AT-2", "set-aside"), ("AT-1", "keep")] {
            _ = try room.tell(
                "admin:A-1", "conflict.resolve", "13:00",
                #"{"conflict":"\#(conflict("examroom/attempt/\(attempt)"))","choice":"\#(choice)"}"#
            )
        }
        #expect(room.state.students[student]?.points == 100)
        #expect(earned() == ["first-steps", "perfect-score", "100"], "once")
    }
}
