import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct `An imported attempt` {
    private let room: Classroom

    init() throws { room = try Classroom() }

    private func answered(_ answers: String) -> String {
        Classroom.movedAttempt("AT-9", exam: "EX-1", student: "S-1").dropLast()
            + #","answers":[\#(answers)]}"#
    }

    @Test("R36: the answers of an attempt come with it, its score stays as it was given")
    func answers() throws {
        try room.giveExam()
        try importAttempt(
            answered(
                #"{"question":"Q-2","chosen":["b","a"],"seconds":40},"#
                    + #"{"question":"Q-1","chosen":["c"]}"#))
        let fact = try #require(room.last(ExamRoom.Attempt.Imported.self))
        #expect(fact.marks.map { room.names.text($0.question) } == ["Q-1", "Q-2"])
        #expect(fact.marks.map(\.correct) == [false, true])
        #expect(fact.marks.map(\.points) == [0, 2])
        #expect(fact.marks.map(\.seconds) == [0, 40])
        #expect(fact.score == 2 && fact.maxScore == 3)
        let chosen = fact.answers?.map { $0.chosen.map { room.names.text($0) } }
        #expect(chosen == [["b", "a"], ["c"]].map { $0.sorted() })
        #expect(room.state.attempts[room.names.id("AT-9")]?.paper.count == 2)
    }

    @Test("R36: answers are to questions of the exam, with options of theirs, each once")
    func wrongAnswers() throws {
        try room.giveExam()
        let wrong = [
            #"{"question":"Q-9","chosen":["a"]}"#, #"{"question":"Q-1","chosen":["x"]}"#,
            #"{"question":"Q-1","chosen":["a","a"]}"#,
            #"{"question":"Q-1","chosen":["a"]},{"question":"Q-1","chosen":["b"]}"#,
        ].map(answered)
        _ = try room.beginMove(wrong.map { ("attempt", $0) })
        for (place, content) in wrong.enumerated() {
            #expect(
                try room.bring(place + 1, content) == .rejected("content-invalid"), "\(content)")
        }
    }

    private func importAttempt(
        _ content: String = Classroom.movedAttempt("AT-9", exam: "EX-1", student: "S-1")
    ) throws {
        _ = try room.beginMove([("attempt", content)])
        #expect(try room.bring(1, content) == .accepted(["attempt.imported", "item.imported"]))
    }

    @Test("R15: an imported attempt is one of those used")
    func attemptsUsed() throws {
        try room.giveExam()
        try importAttempt()
        #expect(try room.start("AT-1", "S-1", "09:10") == .rejected("attempt-limit"))
    }

    @Test("R20: under `refuse` an imported attempt does not stand in the way of extra time")
    func extensions() throws {
        try room.giveExam(#","maxAttempts":2"#)
        try room.adopt(#""extensionAfterStart":"refuse""#)
        try importAttempt()
        let grant = #"{"exam":"EX-1","student":"S-1","kind":"minutes","value":15}"#
        #expect(
            try room.brief("admin:A-1", "extension.grant", "09:10", grant)
                == .accepted(["extension.granted"]))
        #expect(try room.start("AT-1", "S-1", "09:11") == .accepted(["attempt.started"]))
        #expect(
            try room.brief(
                "admin:A-1", "extension.revoke", "09:12", #"{"exam":"EX-1","student":"S-1"}"#)
                == .rejected("attempt-started"))
    }

    @Test("R22: the pass mark of an imported attempt is the exam's when it came")
    func passMark() throws {
        try room.giveExam(#","passPercent":60"#)
        try importAttempt(
            Classroom.movedAttempt("AT-9", exam: "EX-1", student: "S-1", score: 5, of: 10))
        #expect(room.last(ExamRoom.Attempt.Imported.self)?.passed == false)
        try room.accept(
            "admin:A-1", "exam.revise", "09:10", #"{"exam":"EX-1","changes":{"passPercent":90}}"#)
        let grade = { (score: Int) in
            try room.brief(
                "admin:A-1", "grade.modify", "09:11",
                #"{"attempt":"AT-9","score":\#(score),"reason":"r"}"#)
        }
        #expect(try grade(11) == .rejected("score-out-of-range"))
        // R27: no points stand, so none are adjusted.
        #expect(try grade(6) == .accepted(["grade.modified"]))
        #expect(room.last(ExamRoom.Grade.Modified.self)?.passed == true)
    }

    @Test("R25: imported attempts earn neither points nor badges, not with the results either")
    func noAwards() throws {
        try room.adopt(#""awardsWhen":"results""#)
        try room.giveExam()
        try importAttempt(
            Classroom.movedAttempt("AT-9", exam: "EX-1", student: "S-1", score: 3, of: 3))
        #expect(
            try room.brief("admin:A-1", "results.publish", "09:10", #"{"exam":"EX-1"}"#)
                == .accepted(["results.published"]))
    }

    @Test("R28: Speed Demon counts imported attempts as prior, streaks do not count their dates")
    func badges() throws {
        try room.adopt(#""streakBadges":[2]"#)
        try room.giveExam(#","maxAttempts":2"#)
        try importAttempt(
            Classroom.movedAttempt(
                exam: "EX-1", student: "S-1", from: "2026-02-01T09:00:00Z",
                to: "2026-02-01T09:10:00Z"))
        #expect(try room.start("AT-1", "S-1", "09:10") == .accepted(["attempt.started"]))
        #expect(
            try room.submit("AT-1", "S-1", "09:15")
                == .accepted([
                    "attempt.submitted", "points.awarded", "badge.earned", "badge.earned",
                    "notification.raised", "notification.raised",
                ]))
        #expect(room.last(ExamRoom.Award.BadgeEarned.self)?.badge == "speed-demon")
        #expect(
            room.last(ExamRoom.Award.BadgeEarned.self)?.basis
                == .object(of: [
                    ("seconds", .integer(300)), ("prior", .integer(1)),
                    ("priorSeconds", .integer(600)),
                ]))
    }

    @Test("R17: an imported attempt is closed: it takes no answers, time or submission")
    func closed() throws {
        try room.giveExam()
        try importAttempt()
        #expect(
            try room.answer("AT-9", "S-1", "Q-1", "a", "09:10") == .rejected("attempt-closed"))
        #expect(try room.submit("AT-9", "S-1", "09:10") == .rejected("attempt-closed"))
        #expect(
            try room.brief("student:S-1", "attempt.discard", "09:10", #"{"attempt":"AT-9"}"#)
                == .accepted(["attempt.discarded"]))
    }

    @Test("R12: an attempt imported after the export is not in it")
    func archive() throws {
        try room.giveExam()
        try room.accept("admin:A-1", "exam.withdraw", "08:50", #"{"exam":"EX-1"}"#)
        try room.accept(
            "admin:A-1", "export.make", "08:51",
            #"{"export":"XP-1","scope":"exam","exam":"EX-1","format":"json"}"#)
        try importAttempt()
        #expect(
            try room.brief("admin:A-1", "exam.archive", "09:10", #"{"exam":"EX-1"}"#)
                == .rejected("not-exported"))
    }

    @Test("scores near the largest number are still compared and divided exactly")
    func largeScores() throws {
        try room.giveExam(#","passPercent":100"#)
        let most = 9_007_199_254_740_991
        try importAttempt(
            Classroom.movedAttempt("AT-9", exam: "EX-1", student: "S-1", score: most - 1, of: most))
        let fact = try #require(room.last(ExamRoom.Attempt.Imported.self))
        #expect(fact.percent == .hundred && !fact.passed)
    }
}
