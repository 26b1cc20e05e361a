import Commands
import ExamRoomCommands
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Testing

@Suite struct `A merged attempt` {
    @Test("R42: starts whatever the exam is now: withdrawn, over, blocked, used up or deleted")
    func unasked() {
        let stage = Stage()
        stage.giveExam(#","window":{"opensAt":null,"closesAt":"2026-02-02T08:30:00Z"}"#)
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        stage.accept("admin:A-1", "student.block", "08:10", seat)
        stage.accept("admin:A-1", "exam.withdraw", "08:20", #"{"exam":"EX-1"}"#)
        let start = stage.innerStart("a", "09:00", "AT-1")
        let second = stage.innerStart("b", "09:01", "AT-2")
        stage.merge("D-1", [start, second])
        #expect(stage.report.accepted == ["a", "b"])
        _ = stage.fire(before: "13:30")
        stage.accept("admin:A-1", "exam.delete", "13:30", #"{"exam":"EX-1"}"#)
        stage.merge("D-2", [stage.innerStart("c", "09:02", "AT-3")], at: "14:00")
        #expect(stage.report.accepted == ["c"])
    }

    @Test("R42: needs exam, student, a free id and a question that the device knew")
    func needed() {
        let stage = Stage()
        stage.accept("admin:A-1", "exam.create", "08:01", #"{"exam":"EX-0","title":"Empty"}"#)
        let before = stage.head
        stage.giveExam()
        let start = { (id: String, exam: String, attempt: String, student: String) in
            Stage.inner(
                id, "attempt.start", "09:00",
                #"{"attempt":"\#(attempt)","exam":"\#(exam)","student":"\#(student)"}"#,
                by: "student:\(student)")
        }
        stage.merge(
            "D-1",
            [
                start("a", "EX-404", "AT-1", "S-1"), start("b", "EX-1", "AT-1", "S-404"),
                start("c", "EX-0", "AT-1", "S-1"), start("d", "EX-1", "AT-1", "S-1"),
                start("e", "EX-1", "AT-1", "S-1"),
            ])
        #expect(
            stage.refused == [
                "a not-found", "b forbidden", "c no-questions", "e already-exists",
            ])
        stage.merge("D-2", [start("f", "EX-1", "AT-2", "S-1")], seen: before)
        #expect(stage.refused == ["f no-questions"])
    }

    @Test("R42: keeps the paper, the limit and the extra time that the device knew")
    func known() throws {
        let stage = Stage()
        stage.giveExam(#","durationMinutes":60"#)
        let seen = stage.head
        stage.accept(
            "admin:A-1", "exam.revise", "08:10",
            #"{"exam":"EX-1","changes":{"durationMinutes":30,"title":"Later"}}"#)
        stage.accept(
            "admin:A-1", "question.remove", "08:11", #"{"exam":"EX-1","question":"Q-2"}"#)
        stage.accept(
            "admin:A-1", "extension.grant", "08:12",
            #"{"exam":"EX-1","student":"S-1","kind":"minutes","value":15}"#)
        stage.merge("D-1", [stage.innerStart("a", "09:00", "AT-1")], seen: seen)
        let old = try #require(stage.last(ExamRoom.Attempt.Started.self))
        #expect(old.limitSeconds == 3600)
        #expect(old.paper.count == 2)
        #expect(stage.names.text(old.title) == "T")
        stage.merge("D-2", [stage.innerStart("b", "09:10", "AT-2")], seen: stage.head)
        let new = try #require(stage.last(ExamRoom.Attempt.Started.self))
        #expect(new.limitSeconds == 1800 + 900)
        #expect(new.paper.count == 1)
    }

    @Test("R42: knows what its own device wrote, and is without what that deleted and others kept")
    func own() throws {
        let stage = Stage()
        stage.giveExam()
        stage.merge(
            "D-1",
            [
                Stage.inner(
                    "r", "question.revise", "09:00",
                    #"{"exam":"EX-1","question":"Q-1","changes":{"points":3}}"#)
            ])
        stage.merge(
            "D-2",
            [
                Stage.inner("d", "question.remove", "09:10", #"{"exam":"EX-1","question":"Q-1"}"#),
                stage.title("t", "09:11", "Mine"), stage.innerStart("s", "09:20", "AT-1"),
            ])
        let fact = try #require(stage.last(ExamRoom.Attempt.Started.self))
        #expect(fact.paper.map { stage.names.text($0.value(in: stage.names).question) } == ["Q-2"])
        #expect(stage.names.text(fact.title) == "Mine")
        // In a later batch as well, as long as the device has not seen the conflict.
        stage.merge("D-2", [stage.innerStart("u", "09:30", "AT-2")], batch: "B-2")
        #expect(try #require(stage.last(ExamRoom.Attempt.Started.self)).paper.count == 1)
        stage.merge(
            "D-2", [stage.innerStart("v", "09:40", "AT-3")], seen: stage.head, batch: "B-3")
        #expect(try #require(stage.last(ExamRoom.Attempt.Started.self)).paper.count == 2)
    }

    @Test("R42: answers and time are taken from the start to before the deadline, closed or not")
    func answers() {
        let stage = Stage()
        stage.giveExam(#","durationMinutes":60"#)
        stage.merge("D-1", [stage.innerStart("a", "09:00", "AT-1")])
        stage.merge(
            "D-2",
            [
                stage.innerAnswer("b", "08:59", "AT-1", "a"),
                stage.innerSubmit("c", "08:59", "AT-1"),
                stage.innerAnswer("d", "09:00", "AT-1", "b"),
                stage.innerSubmit("e", "09:30", "AT-1"),
                stage.innerAnswer("f", "09:31", "AT-1", "a"),
                Stage.inner(
                    "g", "time.log", "09:32", #"{"attempt":"AT-1","question":"Q-1","seconds":5}"#,
                    by: "student:S-1"),
                stage.innerSubmit("h", "09:40", "AT-1"),
                stage.innerAnswer("i", "10:00", "AT-1", "a"),
                stage.innerSubmit("j", "10:00", "AT-1"),
            ])
        #expect(stage.report.accepted == ["d", "e", "f", "g"])
        #expect(
            stage.refused == [
                "b attempt-closed", "c attempt-closed", "h attempt-closed", "i attempt-closed",
                "j attempt-closed",
            ])
    }

    @Test("R42: under instant feedback a second answer is kept, and the first one stands")
    func final() throws {
        let stage = Stage()
        stage.giveExam(#","feedback":"instant""#)
        stage.merge(
            "D-1",
            [stage.innerStart("a", "09:00", "AT-1"), stage.innerAnswer("b", "09:10", "AT-1", "a")])
        stage.merge(
            "D-2",
            [
                stage.innerAnswer("c", "09:05", "AT-1", "b"),
                stage.innerSubmit("d", "09:30", "AT-1"),
            ])
        #expect(stage.report.accepted == ["c", "d"])
        #expect(try #require(stage.last(ExamRoom.Attempt.Submitted.self)).score == 0)
    }
}

@Suite struct `A reconciliation` {
    /// AT-1 of student S-1, begun at nine on D-1 with one right answer.
    private func begun() -> Stage {
        let stage = Stage()
        stage.giveExam()
        stage.merge(
            "D-1",
            [stage.innerStart("a", "09:00", "AT-1"), stage.innerAnswer("b", "09:10", "AT-1", "a")])
        return stage
    }

    @Test("R43: an answer before the closing changes the score, and the points with it")
    func answer() throws {
        let stage = begun()
        stage.merge("D-1", [stage.innerSubmit("c", "09:30", "AT-1")], batch: "B-2")
        #expect(
            stage.merge("D-2", [stage.innerAnswer("d", "09:20", "AT-1", "b")])
                == .accepted([
                    "answer.saved", "attempt.reconciled", "points.adjusted", "batch.merged",
                ]))
        let (fact, origin) = try #require(stage.lastWithOrigin(ExamRoom.Attempt.Reconciled.self))
        #expect(origin == nil)
        #expect(fact.previous.score == 1)
        #expect(fact.closing.score == 0)
        #expect(stage.last(ExamRoom.Award.PointsAdjusted.self)?.newPoints == 0)
    }

    @Test("R43: the earliest submission counts, without an event of its own")
    func submission() throws {
        let stage = begun()
        stage.merge("D-1", [stage.innerSubmit("c", "09:30", "AT-1")], batch: "B-2")
        #expect(
            stage.merge("D-2", [stage.innerSubmit("d", "09:05", "AT-1")])
                == .accepted(["attempt.reconciled", "points.adjusted", "batch.merged"]))
        #expect(stage.report.accepted == ["d"])
        let fact = try #require(stage.last(ExamRoom.Attempt.Reconciled.self))
        #expect(fact.closing.closedAt == Stage.instant("09:05"))
        #expect(fact.closing.answered == 0)  // the answer came after
        #expect(fact.previous.closedAt == Stage.instant("09:30"))
    }

    @Test("R43: a submission before the deadline takes the place of the time that was up")
    func timeUp() throws {
        let stage = begun()
        #expect(stage.fire(before: "13:00").contains("attempt.submitted"))
        stage.merge("D-2", [stage.innerSubmit("d", "09:40", "AT-1")], at: "14:00")
        let fact = try #require(stage.last(ExamRoom.Attempt.Reconciled.self))
        #expect(fact.previous.how == .timeUp)
        #expect(fact.closing.how == .student)
    }

    @Test("R43: what changes nothing but seconds is not recorded")
    func seconds() {
        let stage = begun()
        stage.merge("D-1", [stage.innerSubmit("c", "09:30", "AT-1")], batch: "B-2")
        #expect(
            stage.merge("D-2", [stage.innerAnswer("d", "09:15", "AT-1", "a")])
                == .accepted(["answer.saved", "batch.merged"]))
        #expect(
            stage.merge("D-2", [stage.innerAnswer("e", "09:50", "AT-1", "b")], batch: "B-2")
                == .accepted(["answer.saved", "batch.merged"]))
    }

    @Test("R43: of two answers of one instant the greater writer's stands")
    func tie() throws {
        let stage = begun()
        stage.merge("D-0", [stage.innerAnswer("d", "09:10", "AT-1", "b")])
        stage.merge("D-1", [stage.innerSubmit("c", "09:30", "AT-1")], batch: "B-2")
        #expect(try #require(stage.last(ExamRoom.Attempt.Submitted.self)).score == 1)
    }
}
