import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct `A conflict` {
    @Test("R44: two writes of one register with different values: the later command wins")
    func automatic() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.merge("D-1", [Classroom.title("a", "09:30", "One")])
        try room.merge("D-2", [Classroom.title("b", "09:00", "Two")])
        let fact = try #require(room.last(ExamRoom.Conflict.Detected.self))
        #expect(fact.kind == .exam)
        #expect(fact.record == "examroom/exam/EX-1")
        #expect(fact.names == ["title"])
        #expect(fact.winner == "a")
        #expect(fact.contenders.map(\.command) == ["b", "a"])
        #expect(fact.resolution == .automatic)
    }

    @Test("R44: equal values, other registers and what the device saw do not clash")
    func none() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.merge("D-1", [Classroom.title("a", "09:30", "One")])
        try room.merge("D-2", [Classroom.title("b", "09:00", "One")])
        try room.merge("D-3", [Classroom.inner("c", "exam.withdraw", "09:00", #"{"exam":"EX-1"}"#)])
        try room.merge("D-4", [Classroom.title("d", "09:40", "Seen")], seen: room.head)
        #expect(room.conflicts == [])
    }

    @Test("R44: its id is of its kind, its record and its commands")
    func id() throws {
        let room = try Classroom()
        try room.merge("D-1", [Classroom.rename("d1-1", "09:00", "One")])
        try room.merge("D-2", [Classroom.rename("d2-1", "09:10", "Two")])
        let fact = try #require(room.last(ExamRoom.Conflict.Detected.self))
        let basis = "profile\nexamroom/account/S-1\nd1-1\nd2-1"
        let digest = Hex.text(SHA256Digest.of(basis)).prefix(16)
        #expect(room.names.text(fact.conflict) == "CF-\(digest)")
    }

    @Test("R44: where attempts are too many, each that began without sight of the others is one")
    func limit() throws {
        let room = try Classroom()
        try room.giveExam(#","maxAttempts":2"#)
        _ = try room.start("AT-0", "S-1", "08:30")
        _ = try room.submit("AT-0", "S-1", "08:40")
        try room.merge("D-1", [Classroom.innerStart("a", "09:30", "AT-1")])
        #expect(room.conflicts == [])
        try room.merge("D-2", [Classroom.innerStart("b", "09:00", "AT-2")])
        #expect(
            room.conflicts == [
                "attempt-limit examroom/attempt/AT-1", "attempt-limit examroom/attempt/AT-2",
            ])
        let counts = ["AT-0", "AT-1", "AT-2"].map {
            room.state.attempts[room.names.id($0)]?.counts
        }
        #expect(counts == [true, false, false])
    }

    @Test("R44: an attempt that began here meanwhile is held like those that a merge brings")
    func limitLive() throws {
        let room = try Classroom()
        try room.giveExam(#","durationMinutes":480"#)
        let shared = room.head
        _ = try room.start("AT-1", "S-1", "09:30")
        _ = try room.answer("AT-1", "S-1", "Q-1", "a", "09:35")
        _ = try room.submit("AT-1", "S-1", "09:40")
        #expect(
            try room.merge("D-2", [Classroom.innerStart("b", "09:50", "AT-2")], seen: shared)
                == .accepted([
                    "attempt.started", "attempt.held", "attempt.held", "points.adjusted",
                    "conflict.detected", "conflict.detected", "batch.merged",
                    "notification.raised", "notification.raised",
                ]))
        let id = room.names.text(try #require(room.report.conflicts.first))
        #expect(
            try room.brief(
                "admin:A-1", "conflict.resolve", "13:00", #"{"conflict":"\#(id)","choice":"keep"}"#)
                == .accepted([
                    "conflict.resolved", "attempt.released", "points.adjusted",
                    "notification.raised",
                ]))
    }

    @Test("R44, R47: which attempts are too many does not hang on who comes last and has seen more")
    func limitSeen() throws {
        for isFirst in [true, false] {
            let room = try Classroom()
            try room.giveExam(#","maxAttempts":2"#)
            let before = room.head
            _ = try room.start("AT-0", "S-1", "08:30")
            let after = room.head
            let blind = [Classroom.innerStart("a", "09:30", "AT-1")]
            if isFirst { try room.merge("D-1", blind, seen: before) }
            try room.merge("D-2", [Classroom.innerStart("b", "09:00", "AT-2")], seen: after)
            if !isFirst { try room.merge("D-1", blind, seen: before) }
            #expect(
                room.conflicts == [0, 1, 2].map { "attempt-limit examroom/attempt/AT-\($0)" })
        }
    }

    @Test("R45: the student hears of the choice before they hear of what it earns")
    func told() throws {
        let room = try Classroom()
        try room.giveExam()
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        try room.merge("D-1", [Classroom.inner("a", "student.block", "09:00", seat)])
        try room.merge(
            "D-2",
            [
                Classroom.innerStart("b", "09:30", "AT-1"),
                Classroom.innerAnswer("c", "09:40", "AT-1", "a"),
                Classroom.innerSubmit("d", "09:45", "AT-1"),
            ])
        let id = room.names.text(try #require(room.report.conflicts.first))
        #expect(
            try room.brief(
                "admin:A-1", "conflict.resolve", "13:00", #"{"conflict":"\#(id)","choice":"keep"}"#)
                == .accepted([
                    "conflict.resolved", "attempt.released", "points.awarded", "badge.earned",
                    "notification.raised", "notification.raised",
                ]))
        let told = room.all(ExamRoom.Notification.Raised.self).suffix(2).map(\.notification)
        #expect(told == [.conflictResolved, .badgeEarned])
    }

    @Test("R5, R44: an attempt whose seat was blocked as it began is held, and its start recorded")
    func blockedStart() throws {
        let room = try Classroom()
        try room.giveExam()
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        try room.merge("D-1", [Classroom.inner("a", "student.block", "09:00", seat)])
        let attempt = [
            Classroom.innerStart("b", "09:30", "AT-1"),
            Classroom.innerAnswer("c", "09:40", "AT-1", "a"),
            Classroom.innerSubmit("d", "09:45", "AT-1"),
        ]
        #expect(
            try room.merge("D-2", attempt)
                == .accepted([
                    "attempt.started", "attempt.held", "violation.recorded", "answer.saved",
                    "attempt.submitted", "conflict.detected", "batch.merged",
                    "notification.raised",
                ]))
        let student: ExamRoom.StudentID = room.names.id("S-1")
        #expect(room.state.students[student]?.completed == 0)
        // The block turns out to have been lifted before.
        #expect(
            try room.merge("D-3", [Classroom.inner("e", "student.unblock", "09:20", seat)])
                == .accepted([
                    "student.unblocked", "attempt.released", "points.awarded", "badge.earned",
                    "conflict.detected", "batch.merged", "notification.raised",
                    "notification.raised",
                ]))
        #expect(room.state.students[student]?.completed == 1)
    }

    @Test("R44: an attempt that began while its seat was blocked is one, live ones too")
    func blocked() throws {
        let room = try Classroom()
        try room.giveExam()
        #expect(try room.start("AT-1", "S-1", "09:30") == .accepted(["attempt.started"]))
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        try room.merge("D-1", [Classroom.inner("a", "student.block", "09:00", seat)], seen: 7)
        #expect(room.conflicts == ["blocked-attempt examroom/attempt/AT-1"])
        // A block that comes later than the start does no harm.
        try room.merge(
            "D-2",
            [
                Classroom.inner("b", "student.unblock", "09:40", seat),
                Classroom.innerStart("c", "09:50", "AT-2"),
                Classroom.inner("d", "student.block", "10:00", seat),
            ], seen: 7)
        #expect(!room.conflicts.contains("blocked-attempt examroom/attempt/AT-2"))
    }

    @Test(
        "R47: of a blocked attempt is settled when the block turns out to have been lifted before")
    func lifted() throws {
        let room = try Classroom()
        try room.giveExam()
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        try room.merge("D-1", [Classroom.inner("a", "student.block", "09:00", seat)])
        try room.merge("D-2", [Classroom.innerStart("b", "09:30", "AT-1")])
        let conflict = try #require(room.report.conflicts.first)
        let isSettled = { room.state.conflicts[conflict].map { room.state.isSettled($0) } }
        #expect(isSettled() == false)
        try room.merge("D-3", [Classroom.inner("c", "student.unblock", "09:20", seat)])
        #expect(isSettled() == true)
    }

    @Test("R44: arises once")
    func once() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.merge("D-1", [Classroom.innerStart("a", "09:30", "AT-1")])
        try room.merge("D-2", [Classroom.innerStart("b", "09:00", "AT-2")])
        try room.merge("D-2", [Classroom.innerStart("c", "09:10", "AT-3")], batch: "B-2")
        #expect(room.report.conflicts.count == 1)
        #expect(room.conflicts.count == 3)
    }

    @Test("R45: is settled once, by one of its choices")
    func choice() throws {
        let room = try Classroom()
        try room.giveExam(#","durationMinutes":480"#)
        try room.merge("D-1", [Classroom.innerStart("a", "09:30", "AT-1")])
        try room.merge("D-2", [Classroom.innerStart("b", "09:00", "AT-2")])
        let id = room.names.text(try #require(room.report.conflicts.first))
        let resolve = { (choice: String, by: String) in
            try room.brief(
                by, "conflict.resolve", "13:00", #"{"conflict":"\#(id)","choice":"\#(choice)"}"#)
        }
        #expect(
            try resolve("keep", "student:S-1") == .rejected("forbidden", ["violation.recorded"]))
        #expect(try resolve("delete", "admin:A-1") == .rejected("choice-unknown"))
        #expect(
            try resolve("set-aside", "admin:A-1")
                == .accepted([
                    "conflict.resolved", "attempt.set-aside", "attempt.released",
                    "notification.raised",
                ]))
        #expect(try resolve("keep", "admin:A-1") == .rejected("conflict-settled"))
        #expect(
            try room.brief(
                "admin:A-1", "conflict.resolve", "13:00", #"{"conflict":"CF-0","choice":"keep"}"#)
                == .rejected("not-found"))
    }

    @Test("R45: an automatic one is settled as it arises")
    func settled() throws {
        let room = try Classroom()
        try room.merge("D-1", [Classroom.rename("a", "09:00", "One")])
        try room.merge("D-2", [Classroom.rename("b", "09:10", "Two")])
        let id = room.names.text(try #require(room.report.conflicts.first))
        #expect(
            try room.brief(
                "admin:A-1", "conflict.resolve", "13:00",
                #"{"conflict":"\#(id)","choice":"keep"}"#) == .rejected("conflict-settled"))
    }

    @Test("R27, R45: what is set aside earns nothing, and what it earned is taken from the points")
    func setAside() throws {
        let room = try Classroom()
        try room.giveExam(#","durationMinutes":480"#)
        try room.merge(
            "D-1",
            [
                Classroom.innerStart("a", "09:30", "AT-1"),
                Classroom.innerAnswer("b", "09:40", "AT-1", "a"),
                Classroom.innerSubmit("c", "09:45", "AT-1"),
            ])
        let student: ExamRoom.StudentID = room.names.id("S-1")
        #expect(room.state.students[student]?.points != 0)
        try room.merge("D-2", [Classroom.innerStart("d", "09:00", "AT-2")])
        #expect(room.last(ExamRoom.Award.PointsAdjusted.self) != nil)
        #expect(room.state.students[student]?.points == 0)
        let id = room.names.text(try #require(room.report.conflicts.first))
        #expect(
            try room.brief(
                "admin:A-1", "conflict.resolve", "12:30",
                #"{"conflict":"\#(id)","choice":"set-aside"}"#)
                == .accepted([
                    "conflict.resolved", "attempt.set-aside", "attempt.released",
                    "notification.raised",
                ]))
        #expect(room.state.students[student]?.points == 0)
        #expect(room.state.students[student]?.completed == 0)
        #expect(room.state.students[student]?.badges.isEmpty == false)
    }

    @Test(
        "R45: what is set aside can be graded still, and stands in the way of a deletion while open"
    )
    func setAsideStill() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.merge("D-1", [Classroom.innerStart("a", "11:30", "AT-1")])
        try room.merge("D-2", [Classroom.innerStart("b", "11:20", "AT-2")])
        let id = room.names.text(try #require(room.report.conflicts.first))
        try room.accept(
            "admin:A-1", "conflict.resolve", "12:05",
            #"{"conflict":"\#(id)","choice":"set-aside"}"#)
        try room.accept("student:S-1", "attempt.submit", "12:10", #"{"attempt":"AT-2"}"#)
        let exam = #"{"exam":"EX-1"}"#
        #expect(
            try room.brief("admin:A-1", "exam.delete", "12:11", exam) == .rejected("attempts-open"))
        try room.accept("student:S-1", "attempt.submit", "12:20", #"{"attempt":"AT-1"}"#)
        #expect(
            try room.brief(
                "admin:A-1", "grade.modify", "12:30",
                #"{"attempt":"AT-1","score":1,"reason":"Key"}"#) == .accepted(["grade.modified"]))
    }

    @Test("R45: what is deleted already is so")
    func deleted() throws {
        let room = try Classroom()
        try room.giveExam()
        let question = #"{"exam":"EX-1","question":"Q-1"}"#
        try room.merge("D-1", [Classroom.inner("a", "image.detach", "09:00", question)])
        try room.merge("D-2", [Classroom.inner("b", "question.remove", "09:10", question)])
        let id = room.names.text(try #require(room.report.conflicts.first))
        try room.accept("admin:A-1", "question.remove", "12:30", question)
        #expect(
            try room.brief(
                "admin:A-1", "conflict.resolve", "12:40",
                #"{"conflict":"\#(id)","choice":"delete"}"#) == .accepted(["conflict.resolved"]))
    }
}
