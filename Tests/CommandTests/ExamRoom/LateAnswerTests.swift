import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Testing

@Suite struct `What comes after its key could be known` {
    /// AT-1 of student S-1, sat here with a wrong answer, its results published.
    private func published(_ details: String = "") -> Stage {
        let stage = Stage()
        stage.giveExam(details)
        _ = stage.start("AT-1", "S-1", "09:00")
        _ = stage.answer("AT-1", "S-1", "Q-1", "b", "09:10")
        _ = stage.submit("AT-1", "S-1", "09:30")
        stage.accept("admin:A-1", "results.publish", "11:00", #"{"exam":"EX-1"}"#)
        return stage
    }

    private func resolve(_ stage: Stage, _ choice: String) throws -> Stage.Answer {
        let id = stage.names.text(try #require(stage.report.conflicts.first))
        return stage.send(
            "admin:A-1", "conflict.resolve", "13:00",
            #"{"conflict":"\#(id)","choice":"\#(choice)"}"#)
    }

    private func score(_ stage: Stage, _ attempt: String) -> Int? {
        stage.room.attempts[stage.names.id(attempt)]?.score
    }

    @Test(
        "R53: an answer that the student's own batch dates before the submission waits for a choice"
    )
    func answer() throws {
        let stage = published()
        #expect(
            stage.merge(
                "D-1", [stage.innerAnswer("a", "09:20", "AT-1", "a")], by: "student:S-1")
                == .accepted([
                    "answer.saved", "answer.held", "conflict.detected", "batch.merged",
                    "notification.raised",
                ]))
        #expect(stage.conflicts == ["late-answers examroom/attempt/AT-1"])
        #expect(score(stage, "AT-1") == 0)
        #expect(
            try resolve(stage, "keep")
                == .accepted([
                    "conflict.resolved", "answer.admitted", "attempt.reconciled",
                    "points.adjusted", "notification.raised",
                ]))
        #expect(score(stage, "AT-1") == 1)
    }

    @Test("R45: what came late stays out when it is set aside, and the attempt counts as it is")
    func setAside() throws {
        let stage = published()
        stage.merge("D-1", [stage.innerAnswer("a", "09:20", "AT-1", "a")])
        #expect(
            try resolve(stage, "set-aside")
                == .accepted(["conflict.resolved", "notification.raised"]))
        #expect(score(stage, "AT-1") == 0)
        #expect(stage.room.attempts[stage.names.id("AT-1")]?.counts == true)
        // What comes later is another choice, and takes nothing of the former one with it.
        stage.merge("D-1", [stage.innerAnswer("b", "09:21", "AT-1", "c")], batch: "B-2")
        #expect(stage.conflicts.count == 2)
        #expect(try resolve(stage, "keep") != .rejected("conflict-settled"))
        #expect(score(stage, "AT-1") == 0)
    }

    @Test("R53: a submission that would cut off a wrong answer is late as well")
    func submission() throws {
        let stage = Stage()
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        _ = stage.answer("AT-1", "S-1", "Q-1", "a", "09:10")
        _ = stage.answer("AT-1", "S-1", "Q-1", "b", "09:20")
        _ = stage.submit("AT-1", "S-1", "09:30")
        stage.accept("admin:A-1", "results.publish", "11:00", #"{"exam":"EX-1"}"#)
        stage.merge(
            "D-1",
            [stage.innerSubmit("a", "09:15", "AT-1"), stage.innerSubmit("b", "09:16", "AT-1")])
        #expect(stage.report.accepted == ["a"])
        #expect(stage.refused == ["b attempt-closed"])
        #expect(score(stage, "AT-1") == 0)
        _ = try resolve(stage, "keep")
        #expect(score(stage, "AT-1") == 1)
    }

    @Test("R53: an attempt that comes whole is held, earns nothing, and counts when it is kept")
    func whole() throws {
        let stage = Stage()
        stage.giveExam()
        stage.accept("admin:A-1", "results.publish", "11:00", #"{"exam":"EX-1"}"#)
        let answer = stage.merge(
            "D-1",
            [
                stage.innerStart("a", "09:00", "AT-1"),
                stage.innerAnswer("b", "09:10", "AT-1", "a"),
                stage.innerSubmit("c", "09:30", "AT-1"),
            ])
        #expect(
            answer
                == .accepted([
                    "attempt.started", "attempt.held", "answer.saved", "attempt.submitted",
                    "conflict.detected", "batch.merged", "notification.raised",
                ]))
        let student: ExamRoom.StudentID = stage.names.id("S-1")
        #expect(stage.room.students[student]?.completed == 0)
        #expect(
            stage.start("AT-2", "S-1", "12:30") == .rejected("attempt-limit"),
            "it is used up all the same")
        #expect(
            try resolve(stage, "keep")
                == .accepted([
                    "conflict.resolved", "attempt.released", "points.awarded", "badge.earned",
                    "notification.raised", "notification.raised",
                ]))
        #expect(stage.room.students[student]?.completed == 1)
    }

    @Test("R53: an attempt that began after the publication is one like any other")
    func after() {
        let stage = published(#","maxAttempts":null"#)
        stage.merge(
            "D-1",
            [
                stage.innerStart("a", "11:10", "AT-2"),
                stage.innerAnswer("b", "11:11", "AT-2", "a"),
                stage.innerSubmit("c", "11:12", "AT-2"),
            ])
        #expect(stage.conflicts == [])
        #expect(score(stage, "AT-2") == 1)
    }

    @Test("R53: what is saved here after the publication counts")
    func live() {
        let stage = Stage()
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        stage.accept("admin:A-1", "results.publish", "09:05", #"{"exam":"EX-1"}"#)
        _ = stage.answer("AT-1", "S-1", "Q-1", "a", "09:10")
        _ = stage.submit("AT-1", "S-1", "09:30")
        #expect(score(stage, "AT-1") == 1)
    }

    @Test(
        "R47, R53: a publication that comes later than what it was made without holds it all the same"
    )
    func otherOrder() {
        let attempt = { (stage: Stage) in
            [
                stage.innerStart("a", "09:00", "AT-1"),
                stage.innerAnswer("b", "09:10", "AT-1", "a"),
                stage.innerSubmit("c", "09:30", "AT-1"),
            ]
        }
        let publish = Stage.inner("p", "results.publish", "10:00", #"{"exam":"EX-1"}"#)
        for isFirst in [true, false] {
            let stage = Stage()
            stage.giveExam()
            let seen = stage.head
            if isFirst { stage.merge("D-2", [publish], seen: seen) }
            stage.merge("D-1", attempt(stage), seen: seen)
            if !isFirst { stage.merge("D-2", [publish], seen: seen) }
            #expect(stage.conflicts == ["late-answers examroom/attempt/AT-1"])
            let student: ExamRoom.StudentID = stage.names.id("S-1")
            #expect(stage.room.students[student]?.completed == 0)
            #expect(stage.room.students[student]?.points == 0)
        }
    }

    @Test("R47, R53: what the publication was made with stands, what it was made without does not")
    func halves() {
        let publish = Stage.inner("p", "results.publish", "10:00", #"{"exam":"EX-1"}"#)
        for isFirst in [true, false] {
            let stage = Stage()
            stage.giveExam()
            stage.merge(
                "D-1",
                [
                    stage.innerStart("a", "09:00", "AT-1"),
                    stage.innerAnswer("b", "09:10", "AT-1", "b"),
                ])
            let seen = stage.head
            let rest = [
                stage.innerAnswer("c", "09:20", "AT-1", "a"),
                stage.innerSubmit("d", "09:30", "AT-1"),
            ]
            if isFirst { stage.merge("D-2", [publish], seen: seen) }
            stage.merge("D-1", rest, seen: seen, batch: "B-2")
            if !isFirst { stage.merge("D-2", [publish], seen: seen) }
            _ = stage.fire(before: "14:00")
            #expect(stage.conflicts == ["late-answers examroom/attempt/AT-1"])
            #expect(score(stage, "AT-1") == 0)
            let row = stage.room.attempts[stage.names.id("AT-1")]
            #expect(row?.closing?.how == .timeUp)
            #expect(row?.closing?.closedAt == Stage.instant("10:00"))
        }
    }

    @Test("R53: a student's batch under the name of the device that published is late, too")
    func borrowedName() {
        let stage = Stage()
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        _ = stage.submit("AT-1", "S-1", "09:30")
        stage.merge(
            "D-2", [Stage.inner("p", "results.publish", "10:00", #"{"exam":"EX-1"}"#)],
            seen: stage.head)
        stage.merge(
            "D-2", [stage.innerAnswer("a", "09:20", "AT-1", "a")], batch: "B-2", by: "student:S-1")
        #expect(stage.conflicts == ["late-answers examroom/attempt/AT-1"])
        #expect(score(stage, "AT-1") == 0)
    }

    @Test(
        "R53: where the first answer is final and told what is right, an earlier right one does not count"
    )
    func told() throws {
        let stage = Stage()
        stage.giveExam(#","feedback":"instant""#)
        _ = stage.start("AT-1", "S-1", "09:00")
        _ = stage.answer("AT-1", "S-1", "Q-1", "b", "09:10")
        _ = stage.submit("AT-1", "S-1", "09:30")
        stage.merge("D-1", [stage.innerAnswer("a", "09:05", "AT-1", "a")], by: "student:S-1")
        #expect(stage.conflicts == ["late-answers examroom/attempt/AT-1"])
        #expect(score(stage, "AT-1") == 0)
        _ = try resolve(stage, "keep")
        #expect(score(stage, "AT-1") == 1)
    }

    @Test("R43: of two submissions in one batch the earlier counts, and the later is refused")
    func second() {
        let stage = Stage()
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        _ = stage.submit("AT-1", "S-1", "09:30")
        stage.merge(
            "D-1",
            [stage.innerSubmit("a", "09:10", "AT-1"), stage.innerSubmit("b", "09:20", "AT-1")])
        #expect(stage.report.accepted == ["a"])
        #expect(stage.refused == ["b attempt-closed"])
    }
}

@Suite struct `An attempt that began outside` {
    private func attempt(_ stage: Stage, at hour: String) -> [String] {
        [
            stage.innerStart("a", "\(hour):00", "AT-1"),
            stage.innerAnswer("b", "\(hour):10", "AT-1", "a"),
            stage.innerSubmit("c", "\(hour):30", "AT-1"),
        ]
    }

    @Test(
        "R54: a draft, before the window, after it: it is kept and held, and nothing is awarded",
        arguments: [
            (#","window":{"opensAt":"2026-03-02T00:00:00Z","closesAt":null}"#, false),
            (#","window":{"opensAt":null,"closesAt":"2026-02-02T08:30:00Z"}"#, false), ("", true),
        ])
    func kinds(details: String, isDraft: Bool) throws {
        let stage = Stage()
        stage.giveExam(details)
        if isDraft { stage.accept("admin:A-1", "exam.withdraw", "08:10", #"{"exam":"EX-1"}"#) }
        #expect(
            stage.merge("D-1", attempt(stage, at: "09"), by: "student:S-1")
                == .accepted([
                    "attempt.started", "attempt.held", "answer.saved", "attempt.submitted",
                    "conflict.detected", "batch.merged", "notification.raised",
                ]))
        #expect(stage.conflicts == ["start-outside examroom/attempt/AT-1"])
        let id = stage.names.text(try #require(stage.report.conflicts.first))
        #expect(
            stage.send(
                "admin:A-1", "conflict.resolve", "13:00",
                #"{"conflict":"\#(id)","choice":"set-aside"}"#)
                == .accepted(["conflict.resolved", "attempt.set-aside", "notification.raised"]))
        #expect(stage.room.students[stage.names.id("S-1")]?.completed == 0)
    }

    @Test("R54: one that counts when it is kept earns then what it would have earned")
    func kept() throws {
        let stage = Stage()
        stage.giveExam()
        stage.accept("admin:A-1", "exam.withdraw", "08:10", #"{"exam":"EX-1"}"#)
        stage.merge("D-1", attempt(stage, at: "09"))
        let id = stage.names.text(try #require(stage.report.conflicts.first))
        #expect(
            stage.send(
                "admin:A-1", "conflict.resolve", "13:00", #"{"conflict":"\#(id)","choice":"keep"}"#)
                == .accepted([
                    "conflict.resolved", "attempt.released", "points.awarded", "badge.earned",
                    "notification.raised", "notification.raised",
                ]))
    }

    @Test("R47, R54: whether it did does not depend on what a journal hears first")
    func otherOrder() {
        let exam = #"{"exam":"EX-1"}"#
        let withdraw = Stage.inner("w", "exam.withdraw", "08:30", exam)
        let publish = Stage.inner("p", "exam.publish", "08:45", exam)
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let stage = Stage()
            stage.giveExam()
            let seen = stage.head
            for step in order {
                switch step {
                case 0: stage.merge("D-2", [withdraw], seen: seen)
                case 1: stage.merge("D-3", [publish], seen: seen)
                default: stage.merge("D-1", attempt(stage, at: "09"), seen: seen)
                }
            }
            let student = stage.room.students[stage.names.id("S-1")]
            #expect(student?.completed == 1)
            #expect(student?.points == 33)
            let pending = stage.room.conflicts.allKeys.filter {
                stage.room.conflicts[$0].map { !stage.room.isSettled($0) } ?? false
            }
            #expect(pending.isEmpty)
        }
    }

    @Test("R54: a window that a batch tells of holds what began here outside it")
    func live() {
        let stage = Stage()
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        stage.merge(
            "D-2",
            [
                Stage.inner(
                    "w", "exam.revise", "08:30",
                    #"{"exam":"EX-1","changes":{"window":{"opensAt":null,"closesAt":"2026-02-02T08:50:00Z"}}}"#
                )
            ])
        #expect(stage.conflicts == ["start-outside examroom/attempt/AT-1"])
    }
}
