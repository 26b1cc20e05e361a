import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct ExamTests {
    private let room: Classroom

    init() throws { room = try Classroom() }

    private func create(_ details: String) throws -> Brief {
        try room.brief("admin:A-1", "exam.create", "09:00", #"{"exam":"EX-9",\#(details)}"#)
    }

    @Test("R2: a title of white space alone is missing") func blankTitle() throws {
        #expect(try create(#""title":" \t\u00a0\u2003""#) == .rejected("title-missing"))
    }

    @Test("R2: a title is as long as its Unicode scalars") func longestTitle() throws {
        let longest = String(repeating: "ق", count: 200)
        #expect(try create(#""title":"\#(longest)""#) == .accepted(["exam.created"]))
        #expect(try create(#""title":"\#(longest)x""#) == .rejected("title-too-long"))
    }

    @Test(arguments: [
        (#""durationMinutes":0"#, "duration-out-of-range"),
        (#""durationMinutes":1441"#, "duration-out-of-range"),
        (
            #""window":{"opensAt":"2026-02-02T09:00:00Z","closesAt":"2026-02-02T09:00:00Z"}"#,
            "window-empty"
        ),
        (#""maxAttempts":0"#, "attempts-out-of-range"),
        (#""passPercent":100.01"#, "pass-percent-out-of-range"),
        (#""passPercent":-1"#, "pass-percent-out-of-range"),
    ])
    func `details outside their limits are refused (4.5)`(detail: String, code: String) throws {
        #expect(try create(#""title":"T",\#(detail)"#) == .rejected(code))
    }

    @Test func `details at their limits are accepted (4.5)`() throws {
        let details = #""title":"T","durationMinutes":1440,"maxAttempts":null,"passPercent":100"#
        #expect(try create(details) == .accepted(["exam.created"]))
    }

    @Test("R7: a new exam takes what is not given from the policy in force") func policyDefaults()
        throws
    {
        try room.adopt(#""defaultDurationMinutes":25,"defaultMaxAttempts":null"#)
        _ = try create(#""title":"T""#)
        let details = room.last(ExamRoom.Exam.Created.self)?.details
        #expect(details?.durationMinutes == 25)
        #expect(details?.maxAttempts == .some(nil))
        #expect(details?.passPercent == Percent(whole: 50))
    }

    @Test("R1: an id of a deleted exam is never used again") func usedID() throws {
        _ = try create(#""title":"T""#)
        #expect(
            try room.brief("admin:A-1", "exam.delete", "09:01", #"{"exam":"EX-9"}"#)
                == .accepted(["exam.deleted"]))
        #expect(try create(#""title":"T""#) == .rejected("already-exists"))
    }

    @Test func `a revision records only what differs`() throws {
        _ = try create(#""title":"T""#)
        let revise = { (changes: String) in
            try room.brief(
                "admin:A-1", "exam.revise", "09:01", #"{"exam":"EX-9","changes":\#(changes)}"#)
        }
        #expect(
            try revise(#"{"title":"T","durationMinutes":60}"#) == .rejected("nothing-to-change"))
        #expect(try revise(#"{"title":"U","durationMinutes":60}"#) == .accepted(["exam.revised"]))
        #expect(room.last(ExamRoom.Exam.Revised.self)?.changes.names == ["title"])
        #expect(try revise("{}") != .accepted([]))
    }

    private func add(_ question: String) throws -> Brief {
        try room.brief(
            "admin:A-1", "question.add", "09:02", #"{"exam":"EX-9","question":"Q-1",\#(question)}"#)
    }

    @Test(arguments: [
        (#""prompt":" ","options":[\#(Classroom.options("a"))]"#, "prompt-missing"),
        (#""prompt":"?","options":[]"#, "options-out-of-range"),
        (
            #""prompt":"?","options":[{"option":"a","text":"1","correct":true},{"option":"a","text":"2","correct":false}]"#,
            "option-repeated"
        ),
        (
            #""prompt":"?","options":[{"option":"a","text":" ","correct":true},{"option":"b","text":"2","correct":false}]"#,
            "option-text-missing"
        ),
        (#""prompt":"?","options":[\#(Classroom.options(""))]"#, "no-correct-option"),
        (#""prompt":"?","points":0,"options":[\#(Classroom.options("a"))]"#, "points-out-of-range"),
        (
            #""prompt":"?","points":101,"options":[\#(Classroom.options("a"))]"#,
            "points-out-of-range"
        ),
    ])
    func `a question that could not be scored is refused (4.5)`(question: String, code: String)
        throws
    {
        _ = try create(#""title":"T""#)
        #expect(try add(question) == .rejected(code))
    }

    /// "é" as one scalar, and as two.
    @Test("R2: a question's texts that differ in their normal form alone differ")
    func exactTexts() throws {
        let (one, two) = ("\u{e9}", "e\u{301}")
        let revise = { (text: String) in
            try room.brief(
                "admin:A-1", "question.revise", "09:02",
                #"{"exam":"EX-9","question":"Q-1","changes":{"explanation":"\#(text)","#
                    + #""options":[{"option":"a","text":"\#(text)","correct":true},"#
                    + #"{"option":"b","text":"b","correct":false}]}}"#)
        }
        _ = try create(#""title":"T""#)
        _ = try add(#""prompt":"?","options":[\#(Classroom.options("a"))]"#)
        #expect(try revise(one) == .accepted(["question.revised"]))
        #expect(try revise(one) == .rejected("nothing-to-change"))
        #expect(try revise(two) == .accepted(["question.revised"]))
        #expect(room.last(ExamRoom.Question.Revised.self)?.names == ["explanation", "options"])
    }

    @Test func `a published exam keeps its last question`() throws {
        try room.giveExam()
        let remove = { (question: String) in
            try room.brief(
                "admin:A-1", "question.remove", "09:00",
                #"{"exam":"EX-1","question":"\#(question)"}"#)
        }
        #expect(try remove("Q-1") == .accepted(["question.removed"]))
        #expect(try remove("Q-2") == .rejected("last-question"))
        #expect(try remove("Q-1") == .rejected("not-found"))
    }

    @Test("R11: an image is orphaned with its last reference and not before") func orphanedImage()
        throws
    {
        try room.giveExam()
        let hash = String(repeating: "ab", count: 32)
        for question in ["Q-1", "Q-2"] {
            try room.accept(
                "admin:A-1", "image.attach", "09:00",
                #"{"exam":"EX-1","question":"\#(question)","hash":"\#(hash)","format":"png","bytes":5242880}"#
            )
        }
        let detach = { (question: String) in
            try room.brief(
                "admin:A-1", "image.detach", "09:01",
                #"{"exam":"EX-1","question":"\#(question)"}"#)
        }
        #expect(try detach("Q-1") == .accepted(["image.detached"]))
        #expect(try detach("Q-1") == .rejected("no-image"))
        #expect(try detach("Q-2") == .accepted(["image.detached", "image.orphaned"]))
    }

    @Test(arguments: [
        (#""format":"gif","bytes":1"#, "image-format-unsupported"),
        (#""format":"png","bytes":0"#, "image-empty"),
        (#""format":"png","bytes":5242881"#, "image-too-large"),
    ])
    func `an image outside the limits is refused (6.6, 6.7)`(image: String, code: String) throws {
        try room.giveExam()
        let hash = String(repeating: "0", count: 64)
        #expect(
            try room.brief(
                "admin:A-1", "image.attach", "09:00",
                #"{"exam":"EX-1","question":"Q-1","hash":"\#(hash)",\#(image)}"#)
                == .rejected(code))
    }

    @Test func `an exam is published once, with questions, before its window is over`() throws {
        _ = try create(
            #""title":"T","window":{"opensAt":null,"closesAt":"2026-02-02T10:00:00Z"}"#)
        let publish = { (at: String) in
            try room.brief("admin:A-1", "exam.publish", at, #"{"exam":"EX-9"}"#)
        }
        #expect(try publish("09:10") == .rejected("no-questions"))
        _ = try add(#""prompt":"?","options":[\#(Classroom.options("a"))]"#)
        #expect(try publish("10:00") == .rejected("window-over"))
        #expect(try publish("2026-02-02T09:59:59.999Z") == .accepted(["exam.published"]))
        #expect(try publish("2026-02-02T09:59:59.999Z") == .rejected("already-published"))
    }
}
