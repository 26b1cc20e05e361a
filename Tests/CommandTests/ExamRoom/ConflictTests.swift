import Commands
import ExamRoomCommands
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Testing

@Suite struct `A conflict` {
    @Test("R44: two writes of one register with different values: the later command wins")
    func automatic() throws {
        let stage = Stage()
        stage.giveExam()
        stage.merge("D-1", [stage.title("a", "09:30", "One")])
        stage.merge("D-2", [stage.title("b", "09:00", "Two")])
        let fact = try #require(stage.last(ExamRoom.Conflict.Detected.self))
        #expect(fact.kind == .exam)
        #expect(fact.record == "examroom/exam/EX-1")
        #expect(fact.names == ["title"])
        #expect(fact.winner == "a")
        #expect(fact.contenders.map(\.command) == ["b", "a"])
        #expect(fact.resolution == .automatic)
    }

    @Test("R44: equal values, other registers and what the device saw do not clash")
    func none() {
        let stage = Stage()
        stage.giveExam()
        stage.merge("D-1", [stage.title("a", "09:30", "One")])
        stage.merge("D-2", [stage.title("b", "09:00", "One")])
        stage.merge("D-3", [Stage.inner("c", "exam.withdraw", "09:00", #"{"exam":"EX-1"}"#)])
        stage.merge("D-4", [stage.title("d", "09:40", "Seen")], seen: stage.head)
        #expect(stage.conflicts == [])
    }

    @Test("R44: its id is of its kind, its record and its commands")
    func id() throws {
        let stage = Stage()
        stage.merge("D-1", [stage.rename("d1-1", "09:00", "One")])
        stage.merge("D-2", [stage.rename("d2-1", "09:10", "Two")])
        let fact = try #require(stage.last(ExamRoom.Conflict.Detected.self))
        let basis = "profile\nexamroom/account/S-1\nd1-1\nd2-1"
        let digest = Hex.text(SHA256Digest.of(basis)).prefix(16)
        #expect(stage.names.text(fact.conflict) == "CF-\(digest)")
    }

    @Test("R44: where attempts are too many, each that began without sight of the others is one")
    func limit() {
        let stage = Stage()
        stage.giveExam(#","maxAttempts":2"#)
        _ = stage.start("AT-0", "S-1", "08:30")
        _ = stage.submit("AT-0", "S-1", "08:40")
        stage.merge("D-1", [stage.innerStart("a", "09:30", "AT-1")])
        #expect(stage.conflicts == [])
        stage.merge("D-2", [stage.innerStart("b", "09:00", "AT-2")])
        #expect(
            stage.conflicts == [
                "attempt-limit examroom/attempt/AT-1", "attempt-limit examroom/attempt/AT-2",
            ])
        let counts = ["AT-0", "AT-1", "AT-2"].map {
            stage.room.attempts[stage.names.id($0)]?.counts
        }
        #expect(counts == [true, false, false])
    }

    @Test("R44: an attempt that began here meanwhile is held like those that a merge brings")
    func limitLive() throws {
        let stage = Stage()
        stage.giveExam()
        let shared = stage.head
        _ = stage.start("AT-1", "S-1", "09:30")
        _ = stage.answer("AT-1", "S-1", "Q-1", "a", "09:35")
        _ = stage.submit("AT-1", "S-1", "09:40")
        #expect(
            stage.merge("D-2", [stage.innerStart("b", "09:50", "AT-2")], seen: shared)
                == .accepted([
                    "attempt.started", "attempt.held", "attempt.held", "points.adjusted",
                    "conflict.detected", "conflict.detected", "batch.merged",
                    "notification.raised", "notification.raised",
                ]))
        let id = stage.names.text(try #require(stage.report.conflicts.first))
        #expect(
            stage.send(
                "admin:A-1", "conflict.resolve", "13:00", #"{"conflict":"\#(id)","choice":"keep"}"#)
                == .accepted([
                    "conflict.resolved", "attempt.released", "points.adjusted",
                    "notification.raised",
                ]))
    }

    @Test("R5, R44: an attempt whose seat was blocked as it began is held, and its start recorded")
    func blockedStart() throws {
        let stage = Stage()
        stage.giveExam()
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        stage.merge("D-1", [Stage.inner("a", "student.block", "09:00", seat)])
        let attempt = [
            stage.innerStart("b", "09:30", "AT-1"), stage.innerAnswer("c", "09:40", "AT-1", "a"),
            stage.innerSubmit("d", "09:45", "AT-1"),
        ]
        #expect(
            stage.merge("D-2", attempt)
                == .accepted([
                    "attempt.started", "attempt.held", "violation.recorded", "answer.saved",
                    "attempt.submitted", "conflict.detected", "batch.merged",
                    "notification.raised",
                ]))
        let student: ExamRoom.StudentID = stage.names.id("S-1")
        #expect(stage.room.students[student]?.completed == 0)
        // The block turns out to have been lifted before.
        #expect(
            stage.merge("D-3", [Stage.inner("e", "student.unblock", "09:20", seat)])
                == .accepted([
                    "student.unblocked", "attempt.released", "points.awarded", "badge.earned",
                    "conflict.detected", "batch.merged", "notification.raised",
                    "notification.raised",
                ]))
        #expect(stage.room.students[student]?.completed == 1)
    }

    @Test("R44: an attempt that began while its seat was blocked is one, live ones too")
    func blocked() {
        let stage = Stage()
        stage.giveExam()
        #expect(stage.start("AT-1", "S-1", "09:30") == .accepted(["attempt.started"]))
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        stage.merge("D-1", [Stage.inner("a", "student.block", "09:00", seat)], seen: 7)
        #expect(stage.conflicts == ["blocked-attempt examroom/attempt/AT-1"])
        // A block that comes later than the start does no harm.
        stage.merge(
            "D-2",
            [
                Stage.inner("b", "student.unblock", "09:40", seat),
                stage.innerStart("c", "09:50", "AT-2"),
                Stage.inner("d", "student.block", "10:00", seat),
            ], seen: 7)
        #expect(!stage.conflicts.contains("blocked-attempt examroom/attempt/AT-2"))
    }

    @Test(
        "R47: of a blocked attempt is settled when the block turns out to have been lifted before")
    func lifted() throws {
        let stage = Stage()
        stage.giveExam()
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        stage.merge("D-1", [Stage.inner("a", "student.block", "09:00", seat)])
        stage.merge("D-2", [stage.innerStart("b", "09:30", "AT-1")])
        let conflict = try #require(stage.report.conflicts.first)
        let isSettled = { stage.room.conflicts[conflict].map { stage.room.isSettled($0) } }
        #expect(isSettled() == false)
        stage.merge("D-3", [Stage.inner("c", "student.unblock", "09:20", seat)])
        #expect(isSettled() == true)
    }

    @Test("R44: arises once")
    func once() {
        let stage = Stage()
        stage.giveExam()
        stage.merge("D-1", [stage.innerStart("a", "09:30", "AT-1")])
        stage.merge("D-2", [stage.innerStart("b", "09:00", "AT-2")])
        stage.merge("D-2", [stage.innerStart("c", "09:10", "AT-3")], batch: "B-2")
        #expect(stage.report.conflicts.count == 1)
        #expect(stage.conflicts.count == 3)
    }

    @Test("R45: is settled once, by one of its choices")
    func choice() throws {
        let stage = Stage()
        stage.giveExam()
        stage.merge("D-1", [stage.innerStart("a", "09:30", "AT-1")])
        stage.merge("D-2", [stage.innerStart("b", "09:00", "AT-2")])
        let id = stage.names.text(try #require(stage.report.conflicts.first))
        let resolve = { (choice: String, by: String) in
            stage.send(
                by, "conflict.resolve", "13:00", #"{"conflict":"\#(id)","choice":"\#(choice)"}"#)
        }
        #expect(
            resolve("keep", "student:S-1") == .rejected("forbidden", ["violation.recorded"]))
        #expect(resolve("delete", "admin:A-1") == .rejected("choice-unknown"))
        #expect(
            resolve("set-aside", "admin:A-1")
                == .accepted([
                    "conflict.resolved", "attempt.set-aside", "attempt.released",
                    "notification.raised",
                ]))
        #expect(resolve("keep", "admin:A-1") == .rejected("conflict-settled"))
        #expect(
            stage.send(
                "admin:A-1", "conflict.resolve", "13:00", #"{"conflict":"CF-0","choice":"keep"}"#)
                == .rejected("not-found"))
    }

    @Test("R45: an automatic one is settled as it arises")
    func settled() throws {
        let stage = Stage()
        stage.merge("D-1", [stage.rename("a", "09:00", "One")])
        stage.merge("D-2", [stage.rename("b", "09:10", "Two")])
        let id = stage.names.text(try #require(stage.report.conflicts.first))
        #expect(
            stage.send(
                "admin:A-1", "conflict.resolve", "13:00",
                #"{"conflict":"\#(id)","choice":"keep"}"#) == .rejected("conflict-settled"))
    }

    @Test("R27, R45: what is set aside earns nothing, and what it earned is taken from the points")
    func setAside() throws {
        let stage = Stage()
        stage.giveExam()
        stage.merge(
            "D-1",
            [
                stage.innerStart("a", "09:30", "AT-1"),
                stage.innerAnswer("b", "09:40", "AT-1", "a"),
                stage.innerSubmit("c", "09:45", "AT-1"),
            ])
        let student: ExamRoom.StudentID = stage.names.id("S-1")
        #expect(stage.room.students[student]?.points != 0)
        stage.merge("D-2", [stage.innerStart("d", "09:00", "AT-2")])
        #expect(stage.last(ExamRoom.Award.PointsAdjusted.self) != nil)
        #expect(stage.room.students[student]?.points == 0)
        let id = stage.names.text(try #require(stage.report.conflicts.first))
        #expect(
            stage.send(
                "admin:A-1", "conflict.resolve", "12:30",
                #"{"conflict":"\#(id)","choice":"set-aside"}"#)
                == .accepted([
                    "conflict.resolved", "attempt.set-aside", "attempt.released",
                    "notification.raised",
                ]))
        #expect(stage.room.students[student]?.points == 0)
        #expect(stage.room.students[student]?.completed == 0)
        #expect(stage.room.students[student]?.badges.isEmpty == false)
    }

    @Test(
        "R45: what is set aside can be graded still, and stands in the way of a deletion while open"
    )
    func setAsideStill() throws {
        let stage = Stage()
        stage.giveExam()
        stage.merge("D-1", [stage.innerStart("a", "11:30", "AT-1")])
        stage.merge("D-2", [stage.innerStart("b", "11:20", "AT-2")])
        let id = stage.names.text(try #require(stage.report.conflicts.first))
        stage.accept(
            "admin:A-1", "conflict.resolve", "12:05",
            #"{"conflict":"\#(id)","choice":"set-aside"}"#)
        stage.accept("student:S-1", "attempt.submit", "12:10", #"{"attempt":"AT-2"}"#)
        let exam = #"{"exam":"EX-1"}"#
        #expect(
            stage.send("admin:A-1", "exam.delete", "12:11", exam) == .rejected("attempts-open"))
        stage.accept("student:S-1", "attempt.submit", "12:20", #"{"attempt":"AT-1"}"#)
        #expect(
            stage.send(
                "admin:A-1", "grade.modify", "12:30",
                #"{"attempt":"AT-1","score":1,"reason":"Key"}"#) == .accepted(["grade.modified"]))
    }

    @Test("R45: what is deleted already is so")
    func deleted() throws {
        let stage = Stage()
        stage.giveExam()
        let question = #"{"exam":"EX-1","question":"Q-1"}"#
        stage.merge("D-1", [Stage.inner("a", "image.detach", "09:00", question)])
        stage.merge("D-2", [Stage.inner("b", "question.remove", "09:10", question)])
        let id = stage.names.text(try #require(stage.report.conflicts.first))
        stage.accept("admin:A-1", "question.remove", "12:30", question)
        #expect(
            stage.send(
                "admin:A-1", "conflict.resolve", "12:40",
                #"{"conflict":"\#(id)","choice":"delete"}"#) == .accepted(["conflict.resolved"]))
    }
}
