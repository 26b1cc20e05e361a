import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct `A merge` {
    @Test(
        "R38: records events at its own instant, by the inner actor, with the original instant")
    func origin() throws {
        let room = try Classroom()
        try room.giveExam()
        #expect(
            try room.merge("D-1", [Classroom.innerStart("d-1", "09:00", "AT-1")])
                == .accepted(["attempt.started", "batch.merged"]))
        let (fact, origin) = try #require(room.lastWithOrigin(ExamRoom.Attempt.Started.self))
        #expect(fact.startedAt == Classroom.instant("09:00"))
        #expect(origin?.at == Classroom.instant("09:00"))
        #expect(origin.map { room.names.text($0.device) } == "D-1")
        #expect(origin?.command == "d-1")
        let event = try #require(room.facts.first { $0.type.name == ExamRoom.Attempt.Started.type })
        #expect(event.metadata.at == Classroom.instant("12:00"))
        #expect(room.names.text(event.metadata.actor) == "student:S-1")
    }

    @Test("R38: the report has no origin")
    func report() throws {
        let room = try Classroom()
        try room.merge("D-1", [])
        let found = try #require(room.lastWithOrigin(ExamRoom.Batch.Merged.self))
        #expect(found.origin == nil)
    }

    @Test func `refuses a batch of a device that came before`() throws {
        let room = try Classroom()
        try room.merge("D-1", [])
        #expect(try room.merge("D-1", []) == .rejected("already-exists"))
        #expect(try room.merge("D-2", []) == .accepted(["batch.merged"]))
    }

    @Test func `refuses a position beyond the journal's end`() throws {
        let room = try Classroom()
        #expect(try room.merge("D-1", [], seen: room.head + 1) == .rejected("seen-unknown"))
        #expect(try room.merge("D-1", [], seen: room.head) == .accepted(["batch.merged"]))
    }

    @Test func `refuses instants that descend, and such as are later than itself`() throws {
        let room = try Classroom()
        let late = Classroom.rename("a", "10:00", "Late")
        #expect(
            try room.merge("D-1", [late, Classroom.rename("b", "09:59", "Early")])
                == .rejected("batch-out-of-order"))
        #expect(try room.merge("D-1", [late], at: "09:00") == .rejected("batch-from-future"))
    }

    @Test(
        "R39: refuses commands that are not merged",
        arguments: [
            "device.merge", "sync.begin", "connection.observe", "storage.measure",
            "conflict.resolve", "exam.invent",
        ])
    func notMergeable(command: String) throws {
        let room = try Classroom()
        #expect(
            try room.merge("D-1", [Classroom.inner("a", command, "09:00", "{}")])
                == .rejected("not-mergeable"))
    }

    @Test("R39: refuses other products' commands and those that all share")
    func foreign() throws {
        let room = try Classroom()
        for command in ["clock.advance", "account.erase", "learnable.topic.add"] {
            let inner =
                #"{"id":"a","command":"\#(command)","at":"2026-02-02T09:00:00Z","by":"system","data":{}}"#
            #expect(try room.merge("D-1", [inner]) == .rejected("not-mergeable"))
        }
    }

    @Test("R39: one malformed command makes the whole merge malformed")
    func malformed() throws {
        let room = try Classroom()
        let good = Classroom.rename("a", "09:00", "New")
        let bad = Classroom.inner("b", "profile.revise", "09:00", #"{"account":1}"#)
        guard case .malformed(let reason) = try room.merge("D-1", [good, bad]) else {
            Issue.record("it was not malformed")
            return
        }
        #expect(reason.contains("commands[1]"))
    }

    @Test("R39: what came before is repeated; another content under its id is refused")
    func repeated() throws {
        let room = try Classroom()
        let first = Classroom.rename("a", "09:00", "New")
        try room.merge("D-1", [first])
        try room.merge("D-1", [first, Classroom.rename("a", "09:01", "Other")], batch: "B-2")
        #expect(room.report.repeated == ["a"])
        #expect(room.refused == ["a id-reused"])
        #expect(room.report.accepted == [])
    }

    @Test("R39: the same command twice in a batch is repeated, the merge's own id is used")
    func twice() throws {
        let room = try Classroom()
        let first = Classroom.rename("a", "09:00", "New")
        try room.merge("D-1", [first, first])
        #expect(room.report.accepted == ["a"])
        #expect(room.report.repeated == ["a"])
        let own = "c-\(room.told + 1)"
        try room.merge("D-1", [Classroom.rename(own, "09:00", "New")], batch: "B-2")
        #expect(room.refused == ["\(own) id-reused"])
    }

    @Test(
        "R5, R39: a refused sign-in and what is forbidden are recorded, once an hour by the time of the merge"
    )
    func refused() throws {
        let room = try Classroom()
        let wrong = Classroom.inner(
            "a", "session.start", "09:00",
            #"{"session":"SE-1","account":"S-1","method":"credential","digest":"wrong"}"#,
            by: "student:S-1")
        #expect(
            try room.merge("D-1", [wrong]) == .accepted(["violation.recorded", "batch.merged"]))
        #expect(room.refused == ["a credential-wrong"])
        #expect(
            room.facts.first { $0.type.name.hasSuffix("recorded") }?.metadata.at
                == Classroom.instant("12:00"))
        let merge = { (batch: String, at: String) in
            try room.merge("D-1", [wrong], batch: batch, at: at)
        }
        #expect(try merge("B-2", "12:59") == .accepted(["batch.merged"]))
        #expect(try merge("B-3", "13:00") == .accepted(["violation.recorded", "batch.merged"]))
        let foreign = Classroom.rename("b", "09:00", "X").replacing(
            "admin:A-1", with: "student:S-2")
        #expect(
            try room.merge(
                "D-1", [foreign, foreign.replacing(#""b""#, with: #""c""#)], batch: "B-4",
                at: "13:01")
                == .accepted(["violation.recorded", "batch.merged"]))
        #expect(room.refused == ["b forbidden", "c forbidden"])
        let violation = room.last(ExamRoom.Violation.Recorded.self)
        #expect(violation.map { room.names.text($0.account) } == "S-2")
    }

    @Test("R39: who may do what is asked, sessions and temporary credentials are not")
    func who() throws {
        let room = try Classroom()
        try room.adopt(#""requireSession":true"#)
        let foreign = Classroom.inner(
            "a", "preference.choose", "09:00",
            #"{"account":"S-1","changes":{"theme":"dark"}}"#, by: "student:S-2")
        let own = Classroom.inner(
            "b", "preference.choose", "09:00",
            #"{"account":"S-1","changes":{"theme":"dark"}}"#, by: "student:S-1")
        try room.merge("D-1", [foreign, own])
        #expect(room.refused == ["a forbidden"])
        #expect(room.report.accepted == ["b"])
    }

    @Test func `of a student carries that student's commands only`() throws {
        let room = try Classroom()
        let own = Classroom.inner(
            "a", "preference.choose", "09:00",
            #"{"account":"S-1","changes":{"theme":"dark"}}"#, by: "student:S-1")
        #expect(
            try room.merge("D-1", [own], by: "student:S-2")
                == .rejected("forbidden", ["violation.recorded"]))
        #expect(
            try room.merge("D-1", [own], by: "student:S-1")
                == .accepted(["preference.chosen", "batch.merged"]))
        #expect(try room.merge("D-1", [], by: "coach:C-1") == .rejected("forbidden"))
    }

    @Test("R46: inner events in turn, reconciliations, conflicts, the report, what people are told")
    func order() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.merge(
            "D-1",
            [Classroom.title("a", "09:00", "One"), Classroom.innerStart("b", "09:01", "AT-1")])
        #expect(
            try room.merge(
                "D-2",
                [Classroom.title("c", "09:10", "Two"), Classroom.innerSubmit("d", "09:20", "AT-1")])
                == .accepted([
                    "exam.revised", "attempt.submitted", "points.awarded", "badge.earned",
                    "notification.raised", "conflict.detected", "batch.merged",
                    "notification.raised",
                ]))
    }
}

@Suite struct `A register` {
    @Test("R40: goes to the later moment, whichever is merged first")
    func later() throws {
        for isLateFirst in [true, false] {
            let room = try Classroom()
            let early = Classroom.rename("a", "09:00", "Early")
            let late = Classroom.rename("b", "09:30", "Late")
            try room.merge("D-1", [isLateFirst ? late : early])
            try room.merge("D-2", [isLateFirst ? early : late])
            let account: ExamRoom.AccountID = room.names.id("S-1")
            #expect(room.state.accounts[account]?.name == "Late")
            let origin = room.lastWithOrigin(ExamRoom.Account.Revised.self)?.origin
            #expect(origin?.superseded == (isLateFirst ? ["name"] : []))
        }
    }

    @Test("R40: of two writes of one moment goes to the greater writer, by code point")
    func ties() throws {
        for order in [["D-1", "d-2"], ["d-2", "D-1"]] {
            let room = try Classroom()
            for device in order {
                try room.merge(device, [Classroom.rename("of-\(device)", "09:00", device)])
            }
            #expect(room.state.accounts[room.names.id("S-1")]?.name == "d-2")
        }
    }

    @Test("R40: the value that a thing began with holds at its first event")
    func beginning() throws {
        let room = try Classroom()
        try room.merge("D-1", [Classroom.rename("a", "07:59", "Before")])
        #expect(room.state.accounts[room.names.id("S-1")]?.name == "S-1")
        try room.merge("D-1", [Classroom.rename("b", "08:00", "At once")], batch: "B-2")
        #expect(room.state.accounts[room.names.id("S-1")]?.name == "At once")
    }

    @Test("R40: is always taken by a live write, which holds it from then on")
    func live() throws {
        let room = try Classroom()
        try room.merge("D-1", [Classroom.rename("a", "11:00", "Merged")])
        try room.accept("admin:A-1", "profile.revise", "12:01", #"{"account":"S-1","name":"Live"}"#)
        try room.merge("D-2", [Classroom.rename("b", "12:00", "Later")], at: "12:10")
        #expect(room.state.accounts[room.names.id("S-1")]?.name == "Live")
    }

    @Test("R40: each field is one of its own; a merged write lists all that is given")
    func fields() throws {
        let room = try Classroom()
        try room.giveExam(#","durationMinutes":40"#)
        try room.merge("D-1", [Classroom.title("a", "09:00", "New")])
        let both = Classroom.inner(
            "b", "exam.revise", "08:30",
            #"{"exam":"EX-1","changes":{"title":"Old","durationMinutes":40}}"#)
        try room.merge("D-2", [both])
        let (fact, origin) = try #require(room.lastWithOrigin(ExamRoom.Exam.Revised.self))
        #expect(fact.changes.names == ["durationMinutes", "title"])
        #expect(fact.changes.title?.from == "New")
        #expect(fact.changes.durationMinutes?.from == 40)
        #expect(origin?.superseded == ["title"])
    }

    @Test("R40: no state is asked, only content and whether the thing is there")
    func states() throws {
        let room = try Classroom()
        try room.giveExam()
        let exam = #"{"exam":"EX-1"}"#
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        try room.merge(
            "D-1",
            [
                Classroom.inner("a", "exam.publish", "09:00", exam),
                Classroom.inner("b", "results.withhold", "09:00", exam),
                Classroom.inner("c", "student.unblock", "09:00", seat),
                Classroom.inner("d", "extension.revoke", "09:00", seat),
                Classroom.inner(
                    "e", "extension.modify", "09:00",
                    #"{"exam":"EX-1","student":"S-1","kind":"minutes","value":15}"#),
                Classroom.inner(
                    "f", "image.detach", "09:00", #"{"exam":"EX-1","question":"Q-1"}"#),
                Classroom.inner(
                    "g", "extension.grant", "09:00",
                    #"{"exam":"EX-1","student":"S-1","kind":"minutes","value":7}"#),
                Classroom.inner(
                    "h", "exam.revise", "09:00", #"{"exam":"EX-1","changes":{"title":" "}}"#),
                Classroom.inner("i", "exam.publish", "09:00", #"{"exam":"EX-404"}"#),
                Classroom.inner("j", "policy.adopt", "09:00", #"{"changes":{"noSuch":1}}"#),
                Classroom.inner(
                    "k", "question.revise", "09:00",
                    #"{"exam":"EX-1","question":"Q-1","changes":{"points":101}}"#),
            ])
        #expect(room.report.accepted == ["a", "b", "c", "d", "e", "f"])
        #expect(
            room.refused == [
                "g value-not-offered", "h title-missing", "i not-found", "j unknown-policy",
                "k points-out-of-range",
            ])
    }

    @Test("R40: a question's content is what the device knew with its changes")
    func content() throws {
        let room = try Classroom()
        try room.giveExam()
        let revise = { (id: String, at: String, changes: String) in
            Classroom.inner(
                id, "question.revise", at,
                #"{"exam":"EX-1","question":"Q-1","changes":{\#(changes)}}"#)
        }
        try room.merge("D-1", [revise("a", "09:00", #""prompt":"One?""#)])
        try room.merge("D-2", [revise("b", "09:10", #""points":5"#)])
        let fact = try #require(room.last(ExamRoom.Question.Revised.self))
        #expect(fact.content.prompt == "?")
        #expect(fact.content.points == 5)
        #expect(fact.names == ["points"])
    }
}
