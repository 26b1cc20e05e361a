import Core
import LearnableEvents
import TestSupport
import Testing

@Suite struct `A lecture` {
    private static let by = "student:S-1"

    private static func school(_ addOns: String) throws -> Lessons {
        let school = try Lessons(empty: ())
        try school.join()
        try school.draft("D", addOns: addOns)
        try school.tell(
            by, "generation.request", "2026-03-01T09:00:00Z", #""draft":"D","subject":"SU""#)
        return school
    }

    @Test("R14, R15: topics unlock one after the other; only the current one is completed, once")
    func order() throws {
        let school = try Lessons(empty: ())
        try school.join()
        try school.subject("SU")
        let at = "2026-03-02T09:00:00Z"
        func tell(_ command: String, _ topic: String, _ more: String = "") throws -> String {
            try school.tell(Self.by, command, at, #""subject":"SU","topic":"\#(topic)"\#(more)"#)
        }
        #expect(try school.show("contents", "SU")["current"] == .string("1.1"))
        #expect(try tell("topic.complete", "1.1") == "topic-not-current")
        #expect(try tell("topic.open", "1.2") == "topic-locked")
        #expect(try tell("topic.open", "1.3") == "not-found")
        #expect(try tell("topic.open", "01.1") == "malformed")
        #expect(try tell("topic.open", "1.1") == "accepted")
        #expect(try tell("topic.bookmark", "1.1", #","block":2"#) == "no-such-block")
        #expect(try tell("topic.bookmark", "1.1", #","block":1"#) == "accepted")
        #expect(try tell("topic.complete", "1.1") == "accepted")
        #expect(try tell("topic.complete", "1.1") == "already-completed")
        #expect(try tell("topic.open", "1.2") == "accepted")
        let locked = try school.show("lecture", "SU", ["topic": "2.1"])
        #expect(locked["blocks"] == .array([]))
        #expect(locked["bookmark"]?.isNull == true)
        #expect(try tell("topic.complete", "1.2") == "accepted")
        #expect(try tell("topic.open", "2.1") == "accepted")
        let outcome = try school.outcome(
            Self.by, "topic.complete", at, #""subject":"SU","topic":"2.1""#)
        let events = outcome["events"]?.array ?? []
        #expect(
            events.map { $0["type"]?.string } == [
                "learnable.topic.completed", "learnable.subject.completed",
            ])
        #expect(events.first?["data"]?["next"]?.isNull == true)
    }

    @Test(
        "R16: an answer goes to the first unanswered question; its form and its options are checked"
    )
    func engagement() throws {
        let school = try Self.school(#""engagementQuestion":true,"endingProject":false"#)
        let at = "2026-03-02T09:00:00Z"
        let form =
            #"{"format":"multiple-choice","text":"?","options":["a","b"],"correct":1,"explanation":"E"}"#
        for topic in ["1.1", "1.2", "2.1"] {
            try school.tell(
                "service:ai", "topic.deliver", "2026-03-01T09:00:00Z",
                #""subject":"SU","topic":"\#(topic)","blocks":[{"kind":"text","text":"."}],"engagement":\#(form)"#
            )
        }
        func tell(_ command: String, _ more: String, by: String = Self.by) throws -> String {
            try school.tell(by, command, at, #""subject":"SU","topic":"1.1"\#(more)"#)
        }
        #expect(try tell("topic.open", "") == "accepted")
        #expect(try tell("topic.complete", "") == "engagement-unanswered")
        #expect(try tell("engagement.answer", #","answer":"b""#) == "wrong-answer-form")
        #expect(try tell("engagement.answer", #","choice":2"#) == "no-such-option")
        #expect(try tell("engagement.answer", #","choice":-1"#) == "no-such-option")
        #expect(try tell("engagement.answer", "") == "malformed")
        #expect(try tell("engagement.request-another", "") == "not-answered")
        #expect(try school.show("lecture", "SU")["extraQuestion"] == .string("locked"))
        #expect(try tell("engagement.answer", #","choice":0"#) == "accepted")
        #expect(try tell("engagement.answer", #","choice":0"#) == "already-answered")
        #expect(
            try tell(
                "engagement.assess", #","number":1,"correct":true,"feedback":"F""#, by: "service:ai"
            )
                == "wrong-answer-form")
        let free = #"{"format":"free-text","text":"Why?","answer":"So","explanation":"E"}"#
        #expect(
            try tell("engagement.ask-another", #","question":\#(free)"#, by: "service:ai")
                == "not-requested")
        #expect(try tell("engagement.request-another", "") == "accepted")
        #expect(try tell("engagement.request-another", "") == "extra-question-used")
        #expect(
            try tell("engagement.ask-another", #","question":\#(free)"#, by: "service:ai")
                == "accepted")
        #expect(try tell("engagement.answer", #","answer":" ""#) == "blank-answer")
        #expect(try tell("engagement.answer", #","answer":"Because""#) == "accepted")
        #expect(
            try tell(
                "engagement.assess", #","number":3,"correct":true,"feedback":"F""#, by: "service:ai"
            )
                == "not-answered")
        #expect(
            try tell(
                "engagement.assess", #","number":2,"correct":true,"feedback":"F""#, by: "service:ai"
            )
                == "accepted")
        let asked = try school.show("lecture", "SU")["engagement"]?.array ?? []
        #expect(asked.map { $0["correct"] } == [.bool(false), .bool(true)])
        #expect(asked.map { $0["feedback"] } == [.null, .string("F")])
        #expect(asked.map { $0["answer"] } == [.null, .string("Because")])
        #expect(try school.show("lecture", "SU")["canProceed"] == .bool(true))
    }

    @Test("R17: the chat of the topic left is erased, under forward-only not on going back")
    func chat() throws {
        let school = try Lessons(empty: ())
        try school.adopt(#""chat.clearsOn":"forward-only""#)
        try school.join()
        try school.subject("SU")
        let at = "2026-03-02T09:00:00Z"
        try school.complete("SU", "1.1", at: at)
        func open(_ topic: String) throws -> [String] {
            try school.events(Self.by, "topic.open", at, #""subject":"SU","topic":"\#(topic)""#)
        }
        func send(_ topic: String, _ message: String) throws -> String {
            try school.tell(
                Self.by, "chat.send", at,
                #""subject":"SU","topic":"\#(topic)","message":"\#(message)","blocks":[{"kind":"text","text":"?"}]"#
            )
        }
        func reply(_ message: String) throws -> String {
            try school.tell(
                "service:ai", "chat.reply", at,
                #""subject":"SU","message":"\#(message)","blocks":[{"kind":"quote","text":"!"}]"#)
        }
        #expect(try open("1.2") == ["topic.opened"])
        #expect(try send("1.1", "M-0") == "topic-not-current")
        #expect(try send("1.2", "M-1") == "accepted")
        #expect(try send("1.2", "M-1") == "already-exists")
        #expect(try reply("M-9") == "not-found")
        #expect(try reply("M-1") == "accepted")
        #expect(try reply("M-1") == "already-replied")
        #expect(try open("1.1") == ["topic.opened"])
        #expect(try send("1.1", "M-2") == "accepted")
        #expect(try open("1.2") == ["chat.cleared", "topic.opened"])
        #expect(try reply("M-2") == "chat-cleared")
        #expect((try school.show("chat", "SU")["messages"]?.array ?? []).count == 2)
        try school.adopt(#""chat.clearsOn":"any-move""#, at: at)
        #expect(try open("1.1") == ["chat.cleared", "topic.opened"])
        #expect(try school.show("chat", "SU")["messages"] == .array([]))
    }
}
