import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct `A merged attempt` {
    @Test("R42: starts whatever the exam is now: withdrawn, over, blocked, used up or deleted")
    func unasked() throws {
        let room = try Classroom()
        try room.giveExam(#","window":{"opensAt":null,"closesAt":"2026-02-02T08:30:00Z"}"#)
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        try room.accept("admin:A-1", "student.block", "08:10", seat)
        try room.accept("admin:A-1", "exam.withdraw", "08:20", #"{"exam":"EX-1"}"#)
        let start = Classroom.innerStart("a", "09:00", "AT-1")
        let second = Classroom.innerStart("b", "09:01", "AT-2")
        try room.merge("D-1", [start, second])
        #expect(room.report.accepted == ["a", "b"])
        _ = try room.advance("13:30")
        try room.accept("admin:A-1", "exam.delete", "13:30", #"{"exam":"EX-1"}"#)
        try room.merge("D-2", [Classroom.innerStart("c", "09:02", "AT-3")], at: "14:00")
        #expect(room.report.accepted == ["c"])
    }

    @Test("R42: needs exam, student, a free id and a question that the device knew")
    func needed() throws {
        let room = try Classroom()
        try room.accept("admin:A-1", "exam.create", "08:01", #"{"exam":"EX-0","title":"Empty"}"#)
        let before = room.head
        try room.giveExam()
        let start = { (id: String, exam: String, attempt: String, student: String) in
            Classroom.inner(
                id, "attempt.start", "09:00",
                #"{"attempt":"\#(attempt)","exam":"\#(exam)","student":"\#(student)"}"#,
                by: "student:\(student)")
        }
        try room.merge(
            "D-1",
            [
                start("a", "EX-404", "AT-1", "S-1"), start("b", "EX-1", "AT-1", "S-404"),
                start("c", "EX-0", "AT-1", "S-1"), start("d", "EX-1", "AT-1", "S-1"),
                start("e", "EX-1", "AT-1", "S-1"),
            ])
        #expect(
            room.refused == [
                "a not-found", "b forbidden", "c no-questions", "e already-exists",
            ])
        try room.merge("D-2", [start("f", "EX-1", "AT-2", "S-1")], seen: before)
        #expect(room.refused == ["f no-questions"])
    }

    @Test("R42: keeps the paper, the limit and the extra time that the device knew")
    func known() throws {
        let room = try Classroom()
        try room.giveExam(#","durationMinutes":60"#)
        let seen = room.head
        try room.accept(
            "admin:A-1", "exam.revise", "08:10",
            #"{"exam":"EX-1","changes":{"durationMinutes":30,"title":"Later"}}"#)
        try room.accept(
            "admin:A-1", "question.remove", "08:11", #"{"exam":"EX-1","question":"Q-2"}"#)
        try room.accept(
            "admin:A-1", "extension.grant", "08:12",
            #"{"exam":"EX-1","student":"S-1","kind":"minutes","value":15}"#)
        try room.merge("D-1", [Classroom.innerStart("a", "09:00", "AT-1")], seen: seen)
        let old = try #require(room.last(ExamRoom.Attempt.Started.self))
        #expect(old.limitSeconds == 3600)
        #expect(old.paper.count == 2)
        #expect(room.names.text(old.title) == "T")
        try room.merge("D-2", [Classroom.innerStart("b", "09:10", "AT-2")], seen: room.head)
        let new = try #require(room.last(ExamRoom.Attempt.Started.self))
        #expect(new.limitSeconds == 1800 + 900)
        #expect(new.paper.count == 1)
    }

    @Test("R42: knows what its own device wrote, and is without what that deleted and others kept")
    func own() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.merge(
            "D-1",
            [
                Classroom.inner(
                    "r", "question.revise", "09:00",
                    #"{"exam":"EX-1","question":"Q-1","changes":{"points":3}}"#)
            ])
        try room.merge(
            "D-2",
            [
                Classroom.inner(
                    "d", "question.remove", "09:10", #"{"exam":"EX-1","question":"Q-1"}"#),
                Classroom.title("t", "09:11", "Mine"), Classroom.innerStart("s", "09:20", "AT-1"),
            ])
        let fact = try #require(room.last(ExamRoom.Attempt.Started.self))
        #expect(fact.paper.map { room.names.text($0.value(in: room.names).question) } == ["Q-2"])
        #expect(room.names.text(fact.title) == "Mine")
        // In a later batch as well, as long as the device has not seen the conflict.
        try room.merge("D-2", [Classroom.innerStart("u", "09:30", "AT-2")], batch: "B-2")
        #expect(try #require(room.last(ExamRoom.Attempt.Started.self)).paper.count == 1)
        try room.merge(
            "D-2", [Classroom.innerStart("v", "09:40", "AT-3")], seen: room.head, batch: "B-3")
        #expect(try #require(room.last(ExamRoom.Attempt.Started.self)).paper.count == 2)
    }

    @Test("R42: answers and time are taken from the start to before the deadline, closed or not")
    func answers() throws {
        let room = try Classroom()
        try room.giveExam(#","durationMinutes":60"#)
        try room.merge("D-1", [Classroom.innerStart("a", "09:00", "AT-1")])
        try room.merge(
            "D-2",
            [
                Classroom.innerAnswer("b", "08:59", "AT-1", "a"),
                Classroom.innerSubmit("c", "08:59", "AT-1"),
                Classroom.innerAnswer("d", "09:00", "AT-1", "b"),
                Classroom.innerSubmit("e", "09:30", "AT-1"),
                Classroom.innerAnswer("f", "09:31", "AT-1", "a"),
                Classroom.inner(
                    "g", "time.log", "09:32", #"{"attempt":"AT-1","question":"Q-1","seconds":5}"#,
                    by: "student:S-1"),
                Classroom.innerSubmit("h", "09:40", "AT-1"),
                Classroom.innerAnswer("i", "10:00", "AT-1", "a"),
                Classroom.innerSubmit("j", "10:00", "AT-1"),
            ])
        #expect(room.report.accepted == ["d", "e", "f", "g"])
        #expect(
            room.refused == [
                "b attempt-closed", "c attempt-closed", "h attempt-closed", "i attempt-closed",
                "j attempt-closed",
            ])
    }

    @Test("R42: under instant feedback a second answer is kept, and the first one stands")
    func final() throws {
        let room = try Classroom()
        try room.giveExam(#","feedback":"instant""#)
        try room.merge(
            "D-1",
            [
                Classroom.innerStart("a", "09:00", "AT-1"),
                Classroom.innerAnswer("b", "09:10", "AT-1", "a"),
            ])
        try room.merge(
            "D-2",
            [
                Classroom.innerAnswer("c", "09:05", "AT-1", "b"),
                Classroom.innerSubmit("d", "09:30", "AT-1"),
            ])
        #expect(room.report.accepted == ["c", "d"])
        #expect(try #require(room.last(ExamRoom.Attempt.Submitted.self)).score == 0)
    }
}

@Suite struct `A reconciliation` {
    /// AT-1 of student S-1, begun at nine on D-1 with one right answer.
    private func begun() throws -> Classroom {
        let room = try Classroom()
        try room.giveExam()
        try room.merge(
            "D-1",
            [
                Classroom.innerStart("a", "09:00", "AT-1"),
                Classroom.innerAnswer("b", "09:10", "AT-1", "a"),
            ])
        return room
    }

    @Test("R43: an answer before the closing changes the score, and the points with it")
    func answer() throws {
        let room = try begun()
        try room.merge("D-1", [Classroom.innerSubmit("c", "09:30", "AT-1")], batch: "B-2")
        #expect(
            try room.merge("D-2", [Classroom.innerAnswer("d", "09:20", "AT-1", "b")])
                == .accepted([
                    "answer.saved", "attempt.reconciled", "points.adjusted", "batch.merged",
                ]))
        let (fact, origin) = try #require(room.lastWithOrigin(ExamRoom.Attempt.Reconciled.self))
        #expect(origin == nil)
        #expect(fact.previous.score == 1)
        #expect(fact.closing.score == 0)
        #expect(room.last(ExamRoom.Award.PointsAdjusted.self)?.newPoints == 0)
    }

    @Test("R43: the earliest submission counts, without an event of its own")
    func submission() throws {
        let room = try begun()
        try room.merge("D-1", [Classroom.innerSubmit("c", "09:30", "AT-1")], batch: "B-2")
        #expect(
            try room.merge("D-2", [Classroom.innerSubmit("d", "09:05", "AT-1")])
                == .accepted(["attempt.reconciled", "points.adjusted", "batch.merged"]))
        #expect(room.report.accepted == ["d"])
        let fact = try #require(room.last(ExamRoom.Attempt.Reconciled.self))
        #expect(fact.closing.closedAt == Classroom.instant("09:05"))
        #expect(fact.closing.answered == 0)  // the answer came after
        #expect(fact.previous.closedAt == Classroom.instant("09:30"))
    }

    @Test("R43: a submission before the deadline takes the place of the time that was up")
    func timeUp() throws {
        let room = try begun()
        #expect(try room.advance("13:00").contains("attempt.submitted"))
        try room.merge("D-2", [Classroom.innerSubmit("d", "09:40", "AT-1")], at: "14:00")
        let fact = try #require(room.last(ExamRoom.Attempt.Reconciled.self))
        #expect(fact.previous.how == .timeUp)
        #expect(fact.closing.how == .student)
    }

    @Test("R43: what changes nothing but seconds is not recorded")
    func seconds() throws {
        let room = try begun()
        try room.merge("D-1", [Classroom.innerSubmit("c", "09:30", "AT-1")], batch: "B-2")
        #expect(
            try room.merge("D-2", [Classroom.innerAnswer("d", "09:15", "AT-1", "a")])
                == .accepted(["answer.saved", "batch.merged"]))
        #expect(
            try room.merge("D-2", [Classroom.innerAnswer("e", "09:50", "AT-1", "b")], batch: "B-2")
                == .accepted(["answer.saved", "batch.merged"]))
    }

    @Test("R43: of two answers of one instant the greater writer's stands")
    func tie() throws {
        let room = try begun()
        try room.merge("D-0", [Classroom.innerAnswer("d", "09:10", "AT-1", "b")])
        try room.merge("D-1", [Classroom.innerSubmit("c", "09:30", "AT-1")], batch: "B-2")
        #expect(try #require(room.last(ExamRoom.Attempt.Submitted.self)).score == 1)
    }
}
