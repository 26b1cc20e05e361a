import Commands
import ExamRoomCommands
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Testing

/// Merging what other devices did (R38-R46).
extension Stage {
    /// One command of a batch, as admin A-1 unless said otherwise.
    static func inner(
        _ id: String, _ command: String, _ at: String, _ data: String, by: String = "admin:A-1"
    ) -> String {
        #"{"id":"\#(id)","command":"examroom.\#(command)","at":"\#(instant(at))","#
            + #""by":"\#(by)","data":\#(data)}"#
    }

    /// Merges a batch at noon, of a device that held the journal up to `seen`; by default as it stood
    /// at the first merge: no device has sight of another.
    @discardableResult
    func merge(
        _ device: String, _ commands: [String], seen: UInt64? = nil, batch: String = "B-1",
        at: String = "12:00", by: String = "service:hub"
    ) -> Answer {
        let shared = self.shared ?? head
        self.shared = shared
        return send(
            by, "device.merge", at,
            #"{"device":"\#(device)","batch":"\#(batch)","seen":\#(seen ?? shared),"commands":[\#(commands.joined(separator: ","))]}"#
        )
    }

    /// What the last merge said of its commands.
    var report: ExamRoom.Batch.Merged { last(ExamRoom.Batch.Merged.self) ?? .init() }

    var refused: [String] { report.refused.map { "\($0.id) \($0.code)" } }

    /// The kinds of the conflicts so far, and what they are about.
    var conflicts: [String] {
        var found: [String] = []
        room.conflicts.forEach { _, row in found.append("\(row.kind.rawValue) \(row.record)") }
        return found.sorted()
    }

    func rename(_ id: String, _ at: String, _ name: String) -> String {
        Self.inner(id, "profile.revise", at, #"{"account":"S-1","name":"\#(name)"}"#)
    }

    func title(_ id: String, _ at: String, _ title: String) -> String {
        Self.inner(id, "exam.revise", at, #"{"exam":"EX-1","changes":{"title":"\#(title)"}}"#)
    }

    func innerStart(_ id: String, _ at: String, _ attempt: String) -> String {
        Self.inner(
            id, "attempt.start", at,
            #"{"attempt":"\#(attempt)","exam":"EX-1","student":"S-1"}"#, by: "student:S-1")
    }

    func innerAnswer(_ id: String, _ at: String, _ attempt: String, _ chosen: String) -> String {
        Self.inner(
            id, "answer.save", at,
            #"{"attempt":"\#(attempt)","question":"Q-1","chosen":["\#(chosen)"]}"#,
            by: "student:S-1")
    }

    func innerSubmit(_ id: String, _ at: String, _ attempt: String) -> String {
        Self.inner(id, "attempt.submit", at, #"{"attempt":"\#(attempt)"}"#, by: "student:S-1")
    }
}

@Suite struct `A merge` {
    @Test(
        "R38: records events at its own instant, by the inner actor, with the original instant")
    func origin() throws {
        let stage = Stage()
        stage.giveExam()
        #expect(
            stage.merge("D-1", [stage.innerStart("d-1", "09:00", "AT-1")])
                == .accepted(["attempt.started", "batch.merged"]))
        let (fact, origin) = try #require(stage.lastWithOrigin(ExamRoom.Attempt.Started.self))
        #expect(fact.startedAt == Stage.instant("09:00"))
        #expect(origin?.at == Stage.instant("09:00"))
        #expect(origin.map { stage.names.text($0.device) } == "D-1")
        #expect(origin?.command == "d-1")
        let event = try #require(stage.facts.first { $0.type == ExamRoom.Attempt.Started.type })
        #expect(event.at == Stage.instant("12:00"))
        #expect(stage.names.text(event.actor) == "student:S-1")
    }

    @Test("R38: the report has no origin")
    func report() throws {
        let stage = Stage()
        stage.merge("D-1", [])
        let found = try #require(stage.lastWithOrigin(ExamRoom.Batch.Merged.self))
        #expect(found.origin == nil)
    }

    @Test func `refuses a batch of a device that came before`() {
        let stage = Stage()
        stage.merge("D-1", [])
        #expect(stage.merge("D-1", []) == .rejected("already-exists"))
        #expect(stage.merge("D-2", []) == .accepted(["batch.merged"]))
    }

    @Test func `refuses a position beyond the journal's end`() {
        let stage = Stage()
        #expect(stage.merge("D-1", [], seen: stage.head + 1) == .rejected("seen-unknown"))
        #expect(stage.merge("D-1", [], seen: stage.head) == .accepted(["batch.merged"]))
    }

    @Test func `refuses instants that descend, and such as are later than itself`() {
        let stage = Stage()
        let late = stage.rename("a", "10:00", "Late")
        #expect(
            stage.merge("D-1", [late, stage.rename("b", "09:59", "Early")])
                == .rejected("batch-out-of-order"))
        #expect(stage.merge("D-1", [late], at: "09:00") == .rejected("batch-from-future"))
    }

    @Test(
        "R39: refuses commands that are not merged",
        arguments: [
            "device.merge", "sync.begin", "connection.observe", "storage.measure",
            "conflict.resolve", "exam.invent",
        ])
    func notMergeable(command: String) {
        let stage = Stage()
        #expect(
            stage.merge("D-1", [Stage.inner("a", command, "09:00", "{}")])
                == .rejected("not-mergeable"))
    }

    @Test("R39: refuses other products' commands and those that all share")
    func foreign() {
        let stage = Stage()
        for command in ["clock.advance", "account.erase", "learnable.topic.add"] {
            let inner =
                #"{"id":"a","command":"\#(command)","at":"2026-02-02T09:00:00Z","by":"system","data":{}}"#
            #expect(stage.merge("D-1", [inner]) == .rejected("not-mergeable"))
        }
    }

    @Test("R39: one malformed command makes the whole merge malformed")
    func malformed() {
        let stage = Stage()
        let good = stage.rename("a", "09:00", "New")
        let bad = Stage.inner("b", "profile.revise", "09:00", #"{"account":1}"#)
        guard case .malformed(let reason) = stage.merge("D-1", [good, bad]) else {
            Issue.record("it was not malformed")
            return
        }
        #expect(reason.contains("commands[1]"))
    }

    @Test("R39: what came before is repeated; another content under its id is refused")
    func repeated() {
        let stage = Stage()
        let first = stage.rename("a", "09:00", "New")
        stage.merge("D-1", [first])
        stage.merge("D-1", [first, stage.rename("a", "09:01", "Other")], batch: "B-2")
        #expect(stage.report.repeated == ["a"])
        #expect(stage.refused == ["a id-reused"])
        #expect(stage.report.accepted == [])
    }

    @Test("R39: the same command twice in a batch is repeated, the merge's own id is used")
    func twice() {
        let stage = Stage()
        let first = stage.rename("a", "09:00", "New")
        stage.merge("D-1", [first, first])
        #expect(stage.report.accepted == ["a"])
        #expect(stage.report.repeated == ["a"])
        let own = "c-\(stage.head + 1)"
        stage.merge("D-1", [stage.rename(own, "09:00", "New")], batch: "B-2")
        #expect(stage.refused == ["\(own) id-reused"])
    }

    @Test(
        "R5, R39: a refused sign-in and what is forbidden are recorded, once an hour by the time of the merge"
    )
    func refused() {
        let stage = Stage()
        let wrong = Stage.inner(
            "a", "session.start", "09:00",
            #"{"session":"SE-1","account":"S-1","method":"credential","digest":"wrong"}"#,
            by: "student:S-1")
        #expect(
            stage.merge("D-1", [wrong]) == .accepted(["violation.recorded", "batch.merged"]))
        #expect(stage.refused == ["a credential-wrong"])
        #expect(stage.facts.first { $0.type.hasSuffix("recorded") }?.at == Stage.instant("12:00"))
        let merge = { (batch: String, at: String) in
            stage.merge("D-1", [wrong], batch: batch, at: at)
        }
        #expect(merge("B-2", "12:59") == .accepted(["batch.merged"]))
        #expect(merge("B-3", "13:00") == .accepted(["violation.recorded", "batch.merged"]))
        let foreign = stage.rename("b", "09:00", "X").replacing("admin:A-1", with: "student:S-2")
        #expect(
            stage.merge("D-1", [foreign, foreign.replacing(#""b""#, with: #""c""#)], batch: "B-4")
                == .accepted(["violation.recorded", "batch.merged"]))
        #expect(stage.refused == ["b forbidden", "c forbidden"])
        let violation = stage.last(ExamRoom.Violation.Recorded.self)
        #expect(violation.map { stage.names.text($0.account) } == "S-2")
    }

    @Test("R39: who may do what is asked, sessions and temporary credentials are not")
    func who() {
        let stage = Stage()
        stage.adopt(#""requireSession":true"#)
        let foreign = Stage.inner(
            "a", "preference.choose", "09:00",
            #"{"account":"S-1","changes":{"theme":"dark"}}"#, by: "student:S-2")
        let own = Stage.inner(
            "b", "preference.choose", "09:00",
            #"{"account":"S-1","changes":{"theme":"dark"}}"#, by: "student:S-1")
        stage.merge("D-1", [foreign, own])
        #expect(stage.refused == ["a forbidden"])
        #expect(stage.report.accepted == ["b"])
    }

    @Test func `of a student carries that student's commands only`() {
        let stage = Stage()
        let own = Stage.inner(
            "a", "preference.choose", "09:00",
            #"{"account":"S-1","changes":{"theme":"dark"}}"#, by: "student:S-1")
        #expect(
            stage.merge("D-1", [own], by: "student:S-2")
                == .rejected("forbidden", ["violation.recorded"]))
        #expect(
            stage.merge("D-1", [own], by: "student:S-1")
                == .accepted(["preference.chosen", "batch.merged"]))
        #expect(stage.merge("D-1", [], by: "coach:C-1") == .rejected("forbidden"))
    }

    @Test("R46: inner events in turn, reconciliations, conflicts, the report, what people are told")
    func order() {
        let stage = Stage()
        stage.giveExam()
        stage.merge(
            "D-1", [stage.title("a", "09:00", "One"), stage.innerStart("b", "09:01", "AT-1")])
        #expect(
            stage.merge(
                "D-2",
                [stage.title("c", "09:10", "Two"), stage.innerSubmit("d", "09:20", "AT-1")])
                == .accepted([
                    "exam.revised", "attempt.submitted", "points.awarded", "badge.earned",
                    "notification.raised", "conflict.detected", "batch.merged",
                    "notification.raised",
                ]))
    }
}

@Suite struct `A register` {
    @Test("R40: goes to the later moment, whichever is merged first")
    func later() {
        for isLateFirst in [true, false] {
            let stage = Stage()
            let early = stage.rename("a", "09:00", "Early")
            let late = stage.rename("b", "09:30", "Late")
            stage.merge("D-1", [isLateFirst ? late : early])
            stage.merge("D-2", [isLateFirst ? early : late])
            let account: ExamRoom.AccountID = stage.names.id("S-1")
            #expect(stage.room.accounts[account]?.name == "Late")
            let origin = stage.lastWithOrigin(ExamRoom.Account.Revised.self)?.origin
            #expect(origin?.superseded == (isLateFirst ? ["name"] : []))
        }
    }

    @Test("R40: of two writes of one moment goes to the greater writer, by code point")
    func ties() {
        for order in [["D-1", "d-2"], ["d-2", "D-1"]] {
            let stage = Stage()
            for device in order {
                stage.merge(device, [stage.rename("of-\(device)", "09:00", device)])
            }
            #expect(stage.room.accounts[stage.names.id("S-1")]?.name == "d-2")
        }
    }

    @Test("R40: the value that a thing began with holds at its first event")
    func beginning() {
        let stage = Stage()
        stage.merge("D-1", [stage.rename("a", "07:59", "Before")])
        #expect(stage.room.accounts[stage.names.id("S-1")]?.name == "S-1")
        stage.merge("D-1", [stage.rename("b", "08:00", "At once")], batch: "B-2")
        #expect(stage.room.accounts[stage.names.id("S-1")]?.name == "At once")
    }

    @Test("R40: is always taken by a live write, which holds it from then on")
    func live() {
        let stage = Stage()
        stage.merge("D-1", [stage.rename("a", "11:00", "Merged")])
        stage.accept("admin:A-1", "profile.revise", "12:01", #"{"account":"S-1","name":"Live"}"#)
        stage.merge("D-2", [stage.rename("b", "12:00", "Later")], at: "12:10")
        #expect(stage.room.accounts[stage.names.id("S-1")]?.name == "Live")
    }

    @Test("R40: each field is one of its own; a merged write lists all that is given")
    func fields() throws {
        let stage = Stage()
        stage.giveExam(#","durationMinutes":40"#)
        stage.merge("D-1", [stage.title("a", "09:00", "New")])
        let both = Stage.inner(
            "b", "exam.revise", "08:30",
            #"{"exam":"EX-1","changes":{"title":"Old","durationMinutes":40}}"#)
        stage.merge("D-2", [both])
        let (fact, origin) = try #require(stage.lastWithOrigin(ExamRoom.Exam.Revised.self))
        #expect(fact.changes.names == ["durationMinutes", "title"])
        #expect(fact.changes.title?.from == "New")
        #expect(fact.changes.durationMinutes?.from == 40)
        #expect(origin?.superseded == ["title"])
    }

    @Test("R40: no state is asked, only content and whether the thing is there")
    func states() {
        let stage = Stage()
        stage.giveExam()
        let exam = #"{"exam":"EX-1"}"#
        let seat = #"{"exam":"EX-1","student":"S-1"}"#
        stage.merge(
            "D-1",
            [
                Stage.inner("a", "exam.publish", "09:00", exam),
                Stage.inner("b", "results.withhold", "09:00", exam),
                Stage.inner("c", "student.unblock", "09:00", seat),
                Stage.inner("d", "extension.revoke", "09:00", seat),
                Stage.inner(
                    "e", "extension.modify", "09:00",
                    #"{"exam":"EX-1","student":"S-1","kind":"minutes","value":15}"#),
                Stage.inner(
                    "f", "image.detach", "09:00", #"{"exam":"EX-1","question":"Q-1"}"#),
                Stage.inner(
                    "g", "extension.grant", "09:00",
                    #"{"exam":"EX-1","student":"S-1","kind":"minutes","value":7}"#),
                Stage.inner(
                    "h", "exam.revise", "09:00", #"{"exam":"EX-1","changes":{"title":" "}}"#),
                Stage.inner("i", "exam.publish", "09:00", #"{"exam":"EX-404"}"#),
                Stage.inner("j", "policy.adopt", "09:00", #"{"changes":{"noSuch":1}}"#),
                Stage.inner(
                    "k", "question.revise", "09:00",
                    #"{"exam":"EX-1","question":"Q-1","changes":{"points":101}}"#),
            ])
        #expect(stage.report.accepted == ["a", "b", "c", "d", "e", "f"])
        #expect(
            stage.refused == [
                "g value-not-offered", "h title-missing", "i not-found", "j unknown-policy",
                "k points-out-of-range",
            ])
    }

    @Test("R40: a question's content is what the device knew with its changes")
    func content() throws {
        let stage = Stage()
        stage.giveExam()
        let revise = { (id: String, at: String, changes: String) in
            Stage.inner(
                id, "question.revise", at,
                #"{"exam":"EX-1","question":"Q-1","changes":{\#(changes)}}"#)
        }
        stage.merge("D-1", [revise("a", "09:00", #""prompt":"One?""#)])
        stage.merge("D-2", [revise("b", "09:10", #""points":5"#)])
        let fact = try #require(stage.last(ExamRoom.Question.Revised.self))
        #expect(fact.content.prompt == "?")
        #expect(fact.content.points == 5)
        #expect(fact.names == ["points"])
    }
}
