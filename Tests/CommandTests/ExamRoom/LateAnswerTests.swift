import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct `What comes after its key could be known` {
    /// AT-1 of student S-1, sat here with a wrong answer, its results published.
    private func published(_ details: String = "") throws -> Classroom {
        let room = try Classroom()
        try room.giveExam(details)
        _ = try room.start("AT-1", "S-1", "09:00")
        _ = try room.answer("AT-1", "S-1", "Q-1", "b", "09:10")
        _ = try room.submit("AT-1", "S-1", "09:30")
        try room.accept("admin:A-1", "results.publish", "11:00", #"{"exam":"EX-1"}"#)
        return room
    }

    private func resolve(_ room: Classroom, _ choice: String) throws -> Brief {
        let id = room.names.text(try #require(room.report.conflicts.first))
        return try room.brief(
            "admin:A-1", "conflict.resolve", "13:00",
            #"{"conflict":"\#(id)","choice":"\#(choice)"}"#)
    }

    private func score(_ room: Classroom, _ attempt: String) -> Int? {
        room.state.attempts[room.names.id(attempt)]?.score
    }

    @Test(
        "R53: an answer that the student's own batch dates before the submission waits for a choice"
    )
    func answer() throws {
        let room = try published()
        #expect(
            try room.merge(
                "D-1", [Classroom.innerAnswer("a", "09:20", "AT-1", "a")], by: "student:S-1")
                == .accepted([
                    "answer.saved", "answer.held", "conflict.detected", "batch.merged",
                    "notification.raised",
                ]))
        #expect(room.conflicts == ["late-answers examroom/attempt/AT-1"])
        #expect(score(room, "AT-1") == 0)
        #expect(
            try resolve(room, "keep")
                == .accepted([
                    "conflict.resolved", "answer.admitted", "attempt.reconciled",
                    "points.adjusted", "notification.raised",
                ]))
        #expect(score(room, "AT-1") == 1)
    }

    @Test("R45: what came late stays out when it is set aside, and the attempt counts as it is")
    func setAside() throws {
        let room = try published()
        try room.merge("D-1", [Classroom.innerAnswer("a", "09:20", "AT-1", "a")])
        #expect(
            try resolve(room, "set-aside")
                == .accepted(["conflict.resolved", "notification.raised"]))
        #expect(score(room, "AT-1") == 0)
        #expect(room.state.attempts[room.names.id("AT-1")]?.counts == true)
        // What comes later is another choice, and takes nothing of the former one with it.
        try room.merge("D-1", [Classroom.innerAnswer("b", "09:21", "AT-1", "c")], batch: "B-2")
        #expect(room.conflicts.count == 2)
        #expect(try resolve(room, "keep") != .rejected("conflict-settled"))
        #expect(score(room, "AT-1") == 0)
    }

    @Test("R53: a submission that would cut off a wrong answer is late as well")
    func submission() throws {
        let room = try Classroom()
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        _ = try room.answer("AT-1", "S-1", "Q-1", "a", "09:10")
        _ = try room.answer("AT-1", "S-1", "Q-1", "b", "09:20")
        _ = try room.submit("AT-1", "S-1", "09:30")
        try room.accept("admin:A-1", "results.publish", "11:00", #"{"exam":"EX-1"}"#)
        try room.merge(
            "D-1",
            [
                Classroom.innerSubmit("a", "09:15", "AT-1"),
                Classroom.innerSubmit("b", "09:16", "AT-1"),
            ])
        #expect(room.report.accepted == ["a"])
        #expect(room.refused == ["b attempt-closed"])
        #expect(score(room, "AT-1") == 0)
        _ = try resolve(room, "keep")
        #expect(score(room, "AT-1") == 1)
    }

    @Test("R53: an attempt that comes whole is held, earns nothing, and counts when it is kept")
    func whole() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.accept("admin:A-1", "results.publish", "11:00", #"{"exam":"EX-1"}"#)
        let answer = try room.merge(
            "D-1",
            [
                Classroom.innerStart("a", "09:00", "AT-1"),
                Classroom.innerAnswer("b", "09:10", "AT-1", "a"),
                Classroom.innerSubmit("c", "09:30", "AT-1"),
            ])
        #expect(
            answer
                == .accepted([
                    "attempt.started", "attempt.held", "answer.saved", "attempt.submitted",
                    "conflict.detected", "batch.merged", "notification.raised",
                ]))
        let student: ExamRoom.StudentID = room.names.id("S-1")
        #expect(room.state.students[student]?.completed == 0)
        #expect(
            try room.start("AT-2", "S-1", "12:30") == .rejected("attempt-limit"),
            "it is used up all the same")
        #expect(
            try resolve(room, "keep")
                == .accepted([
                    "conflict.resolved", "attempt.released", "points.awarded", "badge.earned",
                    "notification.raised", "notification.raised",
                ]))
        #expect(room.state.students[student]?.completed == 1)
    }

    @Test("R53: an attempt that began after the publication is one like any other")
    func after() throws {
        let room = try published(#","maxAttempts":null"#)
        try room.merge(
            "D-1",
            [
                Classroom.innerStart("a", "11:10", "AT-2"),
                Classroom.innerAnswer("b", "11:11", "AT-2", "a"),
                Classroom.innerSubmit("c", "11:12", "AT-2"),
            ])
        #expect(room.conflicts == [])
        #expect(score(room, "AT-2") == 1)
    }

    @Test("R53: what is saved here after the publication counts")
    func live() throws {
        let room = try Classroom()
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        try room.accept("admin:A-1", "results.publish", "09:05", #"{"exam":"EX-1"}"#)
        _ = try room.answer("AT-1", "S-1", "Q-1", "a", "09:10")
        _ = try room.submit("AT-1", "S-1", "09:30")
        #expect(score(room, "AT-1") == 1)
    }

    @Test(
        "R47, R53: a publication that comes later than what it was made without holds it all the same"
    )
    func otherOrder() throws {
        let attempt = { (room: Classroom) in
            [
                Classroom.innerStart("a", "09:00", "AT-1"),
                Classroom.innerAnswer("b", "09:10", "AT-1", "a"),
                Classroom.innerSubmit("c", "09:30", "AT-1"),
            ]
        }
        let publish = Classroom.inner("p", "results.publish", "10:00", #"{"exam":"EX-1"}"#)
        for isFirst in [true, false] {
            let room = try Classroom()
            try room.giveExam()
            let seen = room.head
            if isFirst { try room.merge("D-2", [publish], seen: seen) }
            try room.merge("D-1", attempt(room), seen: seen)
            if !isFirst { try room.merge("D-2", [publish], seen: seen) }
            #expect(room.conflicts == ["late-answers examroom/attempt/AT-1"])
            let student: ExamRoom.StudentID = room.names.id("S-1")
            #expect(room.state.students[student]?.completed == 0)
            #expect(room.state.students[student]?.points == 0)
        }
    }

    @Test("R47, R53: what the publication was made with stands, what it was made without does not")
    func halves() throws {
        let publish = Classroom.inner("p", "results.publish", "10:00", #"{"exam":"EX-1"}"#)
        for isFirst in [true, false] {
            let room = try Classroom()
            try room.giveExam()
            try room.merge(
                "D-1",
                [
                    Classroom.innerStart("a", "09:00", "AT-1"),
                    Classroom.innerAnswer("b", "09:10", "AT-1", "b"),
                ])
            let seen = room.head
            let rest = [
                Classroom.innerAnswer("c", "09:20", "AT-1", "a"),
                Classroom.innerSubmit("d", "09:30", "AT-1"),
            ]
            if isFirst { try room.merge("D-2", [publish], seen: seen) }
            try room.merge("D-1", rest, seen: seen, batch: "B-2")
            if !isFirst { try room.merge("D-2", [publish], seen: seen) }
            _ = try room.advance("14:00")
            #expect(room.conflicts == ["late-answers examroom/attempt/AT-1"])
            #expect(score(room, "AT-1") == 0)
            let row = room.state.attempts[room.names.id("AT-1")]
            #expect(row?.closing?.how == .timeUp)
            #expect(row?.closing?.closedAt == Classroom.instant("10:00"))
        }
    }

    @Test("R47, R53: what is late by another publication than the whole attempt is held apart")
    func apart() throws {
        let publish = { (id: String) in
            [Classroom.inner(id, "results.publish", "09:40", #"{"exam":"EX-1"}"#)]
        }
        let sitting = [
            Classroom.innerAnswer("a", "09:10", "AT-1", "a"),
            Classroom.innerSubmit("b", "09:20", "AT-1"),
        ]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let room = try Classroom()
            try room.giveExam()
            let before = room.head
            _ = try room.start("AT-1", "S-1", "09:00")
            let after = room.head
            for step in order {
                switch step {
                case 0: try room.merge("D-2", publish("p"), seen: after)
                case 1: try room.merge("D-3", publish("w"), seen: before)
                default: try room.merge("D-1", sitting, seen: after)
                }
            }
            _ = try room.advance("14:00")
            #expect(room.conflicts == ["late-answers examroom/attempt/AT-1"])
            let row = room.state.attempts[room.names.id("AT-1")]
            #expect(row?.holds.count == 1)
            #expect(row?.closing?.how == .timeUp)
            #expect(score(room, "AT-1") == 0)
        }
    }

    @Test("R53: a student's batch under the name of the device that published is late, too")
    func borrowedName() throws {
        let room = try Classroom()
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        _ = try room.submit("AT-1", "S-1", "09:30")
        try room.merge(
            "D-2", [Classroom.inner("p", "results.publish", "10:00", #"{"exam":"EX-1"}"#)],
            seen: room.head)
        try room.merge(
            "D-2", [Classroom.innerAnswer("a", "09:20", "AT-1", "a")], batch: "B-2",
            by: "student:S-1")
        #expect(room.conflicts == ["late-answers examroom/attempt/AT-1"])
        #expect(score(room, "AT-1") == 0)
    }

    @Test(
        "R53: where the first answer is final and told what is right, an earlier right one does not count"
    )
    func told() throws {
        let room = try Classroom()
        try room.giveExam(#","feedback":"instant""#)
        _ = try room.start("AT-1", "S-1", "09:00")
        _ = try room.answer("AT-1", "S-1", "Q-1", "b", "09:10")
        _ = try room.submit("AT-1", "S-1", "09:30")
        try room.merge("D-1", [Classroom.innerAnswer("a", "09:05", "AT-1", "a")], by: "student:S-1")
        #expect(room.conflicts == ["late-answers examroom/attempt/AT-1"])
        #expect(score(room, "AT-1") == 0)
        _ = try resolve(room, "keep")
        #expect(score(room, "AT-1") == 1)
    }

    @Test("R43: of two submissions in one batch the earlier counts, and the later is refused")
    func second() throws {
        let room = try Classroom()
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        _ = try room.submit("AT-1", "S-1", "09:30")
        try room.merge(
            "D-1",
            [
                Classroom.innerSubmit("a", "09:10", "AT-1"),
                Classroom.innerSubmit("b", "09:20", "AT-1"),
            ])
        #expect(room.report.accepted == ["a"])
        #expect(room.refused == ["b attempt-closed"])
    }
}

@Suite struct `An attempt that began outside` {
    private func attempt(_ room: Classroom, at hour: String) -> [String] {
        [
            Classroom.innerStart("a", "\(hour):00", "AT-1"),
            Classroom.innerAnswer("b", "\(hour):10", "AT-1", "a"),
            Classroom.innerSubmit("c", "\(hour):30", "AT-1"),
        ]
    }

    @Test(
        "R54: a draft, before the window, after it: it is kept and held, and nothing is awarded",
        arguments: [
            (#","window":{"opensAt":"2026-03-02T00:00:00Z","closesAt":null}"#, false),
            (#","window":{"opensAt":null,"closesAt":"2026-02-02T08:30:00Z"}"#, false), ("", true),
        ])
    func kinds(details: String, isDraft: Bool) throws {
        let room = try Classroom()
        try room.giveExam(details)
        if isDraft { try room.accept("admin:A-1", "exam.withdraw", "08:10", #"{"exam":"EX-1"}"#) }
        #expect(
            try room.merge("D-1", attempt(room, at: "09"), by: "student:S-1")
                == .accepted([
                    "attempt.started", "attempt.held", "answer.saved", "attempt.submitted",
                    "conflict.detected", "batch.merged", "notification.raised",
                ]))
        #expect(room.conflicts == ["start-outside examroom/attempt/AT-1"])
        let id = room.names.text(try #require(room.report.conflicts.first))
        #expect(
            try room.brief(
                "admin:A-1", "conflict.resolve", "13:00",
                #"{"conflict":"\#(id)","choice":"set-aside"}"#)
                == .accepted(["conflict.resolved", "attempt.set-aside", "notification.raised"]))
        #expect(room.state.students[room.names.id("S-1")]?.completed == 0)
    }

    @Test("R54: one that counts when it is kept earns then what it would have earned")
    func kept() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.accept("admin:A-1", "exam.withdraw", "08:10", #"{"exam":"EX-1"}"#)
        try room.merge("D-1", attempt(room, at: "09"))
        let id = room.names.text(try #require(room.report.conflicts.first))
        #expect(
            try room.brief(
                "admin:A-1", "conflict.resolve", "13:00", #"{"conflict":"\#(id)","choice":"keep"}"#)
                == .accepted([
                    "conflict.resolved", "attempt.released", "points.awarded", "badge.earned",
                    "notification.raised", "notification.raised",
                ]))
    }

    @Test("R47, R54: whether it did does not depend on what a journal hears first")
    func otherOrder() throws {
        let exam = #"{"exam":"EX-1"}"#
        let withdraw = Classroom.inner("w", "exam.withdraw", "08:30", exam)
        let publish = Classroom.inner("p", "exam.publish", "08:45", exam)
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let room = try Classroom()
            try room.giveExam()
            let seen = room.head
            for step in order {
                switch step {
                case 0: try room.merge("D-2", [withdraw], seen: seen)
                case 1: try room.merge("D-3", [publish], seen: seen)
                default: try room.merge("D-1", attempt(room, at: "09"), seen: seen)
                }
            }
            let student = room.state.students[room.names.id("S-1")]
            #expect(student?.completed == 1)
            #expect(student?.points == 33)
            let pending = room.state.conflicts.allKeys.filter {
                room.state.conflicts[$0].map { !room.state.isSettled($0) } ?? false
            }
            #expect(pending.isEmpty)
        }
    }

    @Test("R54: a window that a batch tells of holds what began here outside it")
    func live() throws {
        let room = try Classroom()
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        try room.merge(
            "D-2",
            [
                Classroom.inner(
                    "w", "exam.revise", "08:30",
                    #"{"exam":"EX-1","changes":{"window":{"opensAt":null,"closesAt":"2026-02-02T08:50:00Z"}}}"#
                )
            ])
        #expect(room.conflicts == ["start-outside examroom/attempt/AT-1"])
    }
}
