import Core
package import ExamRoomEvents
import ExamRoomCommands

/// A classroom for ExamRoom's rules, with an admin and two students.
package typealias Classroom = RulesInMemory<ExamRoom>

/// A classroom on 2026-02-02: admin A-1 and students S-1 and S-2, registered at eight.
extension ProductUnderTest where Product == ExamRoom {
    package static var admin: String { "admin:A-1" }

    package init() throws {
        try self.init(empty: ())
        try accept("system", "account.register", "08:00", Self.account("A-1", "admin"))
        for student in ["S-1", "S-2"] {
            try accept(Self.admin, "account.register", "08:00", Self.account(student, "student"))
        }
    }

    package static func account(_ id: String, _ role: String, more: String = "") -> String {
        #"{"account":"\#(id)","role":"\#(role)","name":"\#(id)","#
            + #""credential":{"scheme":"bcrypt","salt":"s","digest":"d-\#(id)"}\#(more)}"#
    }

    package func adopt(_ changes: String, at: String = "08:00") throws {
        try accept(Self.admin, "policy.adopt", at, #"{"changes":{\#(changes)}}"#)
    }

    // MARK: Exams

    /// An exam EX-1 with questions Q-1 (one right option, one point) and Q-2 (two right, two
    /// points), published.
    package func giveExam(_ details: String = "") throws {
        try accept(Self.admin, "exam.create", "08:01", #"{"exam":"EX-1","title":"T"\#(details)}"#)
        try accept(
            Self.admin, "question.add", "08:02",
            #"{"exam":"EX-1","question":"Q-1","prompt":"?","options":[\#(Self.options("a"))]}"#)
        try accept(
            Self.admin, "question.add", "08:03",
            #"{"exam":"EX-1","question":"Q-2","prompt":"?","points":2,"options":[\#(Self.options("ab"))]}"#
        )
        try accept(Self.admin, "exam.publish", "08:04", #"{"exam":"EX-1"}"#)
    }

    /// Options a, b, c of which the named ones are right.
    package static func options(_ right: String) -> String {
        "abc".map { id in
            #"{"option":"\#(id)","text":"\#(id)","correct":\#(right.contains(id))}"#
        }.joined(separator: ",")
    }

    // MARK: Attempts

    package func start(_ attempt: String, _ student: String, _ at: String) throws -> Brief {
        try brief(
            "student:\(student)", "attempt.start", at,
            #"{"attempt":"\#(attempt)","exam":"EX-1","student":"\#(student)"}"#)
    }

    /// - Parameter chosen: the ids of options, a letter each.
    package func answer(
        _ attempt: String, _ student: String, _ question: String, _ chosen: String, _ at: String
    ) throws -> Brief {
        let ids = chosen.map { #""\#($0)""# }.joined(separator: ",")
        return try brief(
            "student:\(student)", "answer.save", at,
            #"{"attempt":"\#(attempt)","question":"\#(question)","chosen":[\#(ids)]}"#)
    }

    package func submit(_ attempt: String, _ student: String, _ at: String) throws -> Brief {
        try brief("student:\(student)", "attempt.submit", at, #"{"attempt":"\#(attempt)"}"#)
    }
}
