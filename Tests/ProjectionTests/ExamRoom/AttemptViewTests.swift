import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Projections
import ExamRoomProjections
import Testing

@Suite struct `The attempt view` {
    private let room = ToldRoom()

    init() throws {
        try room.register("S-1")
        try room.exam()
        try room.start("AT-1", of: "S-1")
    }

    @Test(
        "R17: rounds the remaining seconds up, to 0 at the deadline",
        arguments: [
            ("2026-02-02T09:00:00Z", 3600), ("2026-02-02T09:59:59Z", 1),
            ("2026-02-02T09:59:59.001Z", 1), ("2026-02-02T09:59:58.999Z", 2),
            ("2026-02-02T10:00:00Z", 0), ("2026-02-03T00:00:00Z", 0),
        ])
    func remainingSeconds(now: String, left: Int) throws {
        let view = try #require(try room.show("attempt", "AT-1", now: now))
        #expect(view.text("remainingSeconds") == "\(left)")
        #expect(view.text("over") == "\(left == 0)")
        // R17: the deadline alone closes nothing.
        #expect(view.text("state") == "\"open\"")
    }

    @Test(arguments: [
        ("2026-02-02T09:54:59Z", "null"), ("2026-02-02T09:55:00Z", "300"),
        ("2026-02-02T09:58:59Z", "300"), ("2026-02-02T09:59:00Z", "60"),
        ("2026-02-02T09:59:59Z", "60"), ("2026-02-02T10:00:00Z", "null"),
    ])
    func `names the smallest warning that is not below what remains`(
        now: String, warning: String
    ) throws {
        #expect(try room.show("attempt", "AT-1", now: now)?.text("warning") == warning)
    }

    @Test("R6: shows an unanswered question as empty and an erased answer as null")
    func erasedAnswer() throws {
        #expect(try room.show("attempt", "AT-1")?.text("questions.0.chosen") == "[]")
        try room.answer("AT-1", of: "S-1", "Q-1", "[\"a\"]")
        #expect(try room.show("attempt", "AT-1")?.text("questions.0.chosen") == "[\"a\"]")
        try room.tell(
            "account.erased", "{\"subject\":\"examroom/S-1\"}", at: "2026-02-02T09:20:00Z")
        let erased = try #require(try room.show("attempt", "AT-1"))
        #expect(erased.text("questions.0.chosen") == "null")
        #expect(erased.text("answered") == "0")
    }

    @Test("R43: does not show answers that came after the closing") func lateAnswers() throws {
        try room.answer("AT-1", of: "S-1", "Q-1", "[\"a\"]", at: "2026-02-02T09:10:00Z")
        try room.submit("AT-1", of: "S-1", at: "2026-02-02T09:30:00Z")
        try room.answer("AT-1", of: "S-1", "Q-1", "[\"b\"]", at: "2026-02-02T09:30:00.001Z")
        #expect(try room.show("attempt", "AT-1")?.text("questions.0.chosen") == "[\"a\"]")
    }

    @Test("R21: keeps instant feedback when the answer itself is erased") func feedback() throws {
        try room.start("AT-2", of: "S-1", instant: true, at: "2026-02-02T09:40:00Z")
        try room.answer(
            "AT-2", of: "S-1", "Q-1", "[\"b\"]",
            feedback: #"{"correct":false,"correctOptions":["a"],"explanation":"so"}"#,
            at: "2026-02-02T09:41:00Z")
        try room.tell(
            "account.erased", "{\"subject\":\"examroom/S-1\"}", at: "2026-02-02T09:50:00Z")
        let view = try #require(try room.show("attempt", "AT-2"))
        #expect(
            view.text("questions.0.feedback")
                == #"{"correct":false,"correctOptions":["a"],"explanation":"so"}"#)
    }

    @Test func `numbers attempts by start, whichever was told first`() throws {
        try room.start("AT-0", of: "S-1", at: "2026-02-02T08:00:00Z")
        #expect(try room.show("attempt", "AT-0")?.text("number") == "1")
        #expect(try room.show("attempt", "AT-1")?.text("number") == "2")
    }

    @Test func `goes on answering after the student is deleted`() throws {
        try room.tell(
            "examroom.account.deleted",
            #"{"account":"S-1","role":"student","attempts":1,"reason":null}"#,
            at: "2026-02-02T09:05:00Z")
        #expect(try room.show("attempt", "AT-1") != nil)
        #expect(try room.show("history", "S-1") == nil)
        #expect(try room.show("results", "EX-1")?.text("total") == "0")
    }

    @Test func `knows nothing of an attempt that never was`() throws {
        #expect(try room.show("attempt", "AT-9") == nil)
        // A name that something else bears.
        #expect(try room.show("attempt", "EX-1") == nil)
    }
}

@Suite struct `The student's views of a result` {
    private let room = ToldRoom()

    init() throws {
        try room.register("S-1")
        try room.exam()
        try room.start("AT-1", of: "S-1")
        try room.submit("AT-1", of: "S-1")
    }

    private func publishResults() throws {
        try room.tell("examroom.results.published", #"{"exam":"EX-1"}"#, at: "2026-02-03T09:00:00Z")
    }

    @Test("R21: hide the score until results are published") func hiddenScore() throws {
        let hidden = try #require(try room.show("result", "AT-1"))
        #expect(hidden.text("published") == "false")
        for field in ["score", "percent", "passed", "questions"] {
            #expect(hidden.text(field) == "null")
        }
        // What the student did is no secret.
        #expect(hidden.text("answered") == "1")
        #expect(hidden.text("secondsTaken") == "600")
        try publishResults()
        let shown = try #require(try room.show("result", "AT-1"))
        #expect(shown.text("score") == "1")
        #expect(shown.column("questions", "correct") == ["true"])
    }

    @Test func `keep an open attempt unpublished although results are`() throws {
        try room.start("AT-2", of: "S-1", at: "2026-02-02T10:00:00Z")
        try publishResults()
        let open = try #require(try room.show("result", "AT-2"))
        #expect(open.text("published") == "false")
        for field in ["answered", "closedAt", "how", "secondsTaken"] {
            #expect(open.text(field) == "null")
        }
    }

    @Test("R23: leave a discarded attempt to admins, who see every score") func discarded() throws {
        try room.tell(
            "examroom.attempt.discarded", #"{"attempt":"AT-1","exam":"EX-1","student":"S-1"}"#,
            at: "2026-02-03T10:00:00Z")
        #expect(try room.show("history", "S-1")?.text("total") == "0")
        let admin = try #require(try room.show("history", "S-1", ["viewer": "admin"]))
        #expect(admin.column("attempts", "score") == ["1"])
        #expect(admin.column("attempts", "published") == ["false"])
    }

    @Test func `refuse a viewer that the page does not know`() throws {
        #expect(throws: WrongArgument.self) {
            try room.show("history", "S-1", ["viewer": "parent"])
        }
    }
}
