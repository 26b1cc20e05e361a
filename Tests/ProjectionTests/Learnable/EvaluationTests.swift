import Core
import LearnableEvents
import TestSupport
import Testing

@Suite struct `Evaluations of Learnable` {
    private static let at = "2026-03-01T10:00:00Z"
    private static let by = "student:S-1"

    private static func deliver(
        _ school: EngineOnDisk<Learnable>, _ request: Int, _ text: String, subject: String? = nil
    ) throws -> String {
        let more = subject.map { #","subject":"\#($0)""# } ?? ""
        return try school.tell(
            "service:ai", "evaluation.deliver", at,
            #""student":"S-1","request":\#(request),"text":"\#(text)"\#(more)"#)
    }

    @Test("R38: the AI service's words take the place of the rule's once they come")
    func delivered() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join()
        try school.subject("SU")
        let own = #""student":"S-1""#
        let rule = try school.show("evaluation", "S-1")
        #expect(rule["source"] == .string("rule"))
        #expect(rule["request"]?.isNull == true)
        #expect(try Self.deliver(school, 1, "Well done.") == "no-such-request")
        #expect(
            try school.tell(Self.by, "evaluation.request", Self.at, own) == "accepted")
        let pending = try school.show("evaluation", "S-1")
        #expect(pending["pending"] == .bool(true))
        #expect(pending["text"] == rule["text"])
        #expect(
            try school.tell(Self.by, "evaluation.request", Self.at, own) == "accepted")
        #expect(try Self.deliver(school, 1, "Well done.") == "request-superseded")
        #expect(try Self.deliver(school, 2, "Well done.") == "accepted")
        #expect(try Self.deliver(school, 2, "Well done.") == "already-delivered")
        #expect(try Self.deliver(school, 3, "Well done.") == "no-such-request")
        let shown = try school.show("evaluation", "S-1")
        #expect(shown["text"] == .string("Well done."))
        #expect(shown["source"] == .string("service"))
        #expect(shown["evaluatedAt"] == .string(Self.at))
        #expect(shown["pending"] == .bool(false))
        #expect(shown["strength"] == rule["strength"])
        // Each subject has its own.
        #expect(
            try school.tell(
                Self.by, "evaluation.request", Self.at, own + #","subject":"SU""#) == "accepted")
        #expect(try Self.deliver(school, 3, "Read on.", subject: "SU") == "accepted")
        #expect(
            try school.show("evaluation", "S-1", ["subject": "SU"])["text"] == .string("Read on."))
        #expect(try school.show("evaluation", "S-1")["text"] == .string("Well done."))
    }

    @Test("R38, R45: a late delivery meets no request of another epoch")
    func late() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join()
        let own = #""student":"S-1""#
        try school.tell(Self.by, "evaluation.request", Self.at, own)
        #expect(try Self.deliver(school, 1, "Zq-words") == "accepted")
        try school.tell(Self.by, "evaluation.request", Self.at, own)
        try school.tell(Self.by, "student.start-over", Self.at, own + #","confirmed":true"#)
        #expect(try Self.deliver(school, 2, "Of before.") == "no-such-request")
        try school.tell(Self.by, "evaluation.request", Self.at, own)
        #expect(try Self.deliver(school, 2, "Of before.") == "request-superseded")
        let shown = try school.show("evaluation", "S-1")
        #expect(shown["source"] == .string("rule"))
        #expect(shown["request"] == .integer(3))
        let said = try school.engine.allEvents().map { "\($0.data)" }
        #expect(!said.contains { $0.contains("Zq-words") })
    }

    @Test("R38: is asked for by whom it is about, of what is ready")
    func refused() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join()
        try school.join("S-2")
        try school.draft("DR")
        try school.tell(
            Self.by, "generation.request", Self.at, #""draft":"DR","subject":"SU""#)
        func request(_ by: String, _ data: String) throws -> String {
            try school.tell(by, "evaluation.request", Self.at, data)
        }
        let subject = #","subject":"SU""#
        #expect(try request(Self.by, #""student":"S-1""# + subject) == "subject-not-ready")
        #expect(try request(Self.by, #""student":"S-2""#) == "forbidden")
        #expect(try request("student:S-2", #""student":"S-2""# + subject) == "forbidden")
        #expect(
            try request(Self.by, #""student":"S-1","subject":"SU-9""#) == "not-found")
    }
}
