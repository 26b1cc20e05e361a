import Core
package import LearnableEvents
import LearnableCommands

/// A school for Learnable's rules.
package typealias Lessons = RulesInMemory<Learnable>

/// A school in March 2026.
extension ProductUnderTest where Product == Learnable {
    /// A student who joined at eight on 2026-03-01, on a device of their own.
    package func join(
        _ student: String = "S-1", zone: String = "UTC", at: String = "2026-03-01T08:00:00Z"
    ) throws {
        try tell(
            "student:\(student)", "student.join", at,
            #""student":"\#(student)","timeZone":"\#(zone)""#, device: "device-\(student)")
    }

    package func adopt(_ changes: String, at: String = "2026-03-01T07:00:00Z") throws {
        try tell("system", "policy.adopt", at, #""changes":{\#(changes)}"#)
    }

    /// A draft with a curriculum of two chapters, `A` of two topics and `B` of one, and a tone.
    package func draft(
        _ draft: String, of student: String = "S-1", at: String = "2026-03-01T09:00:00Z",
        addOns: String = #""engagementQuestion":false,"endingProject":false,"reinforcement":true"#
    ) throws {
        let by = "student:\(student)"
        let named = #""draft":"\#(draft)""#
        try tell(by, "draft.start", at, #""student":"\#(student)",\#(named)"#)
        try tell(by, "draft.describe", at, #"\#(named),"description":"Numbers""#)
        try tell(by, "curriculum.request", at, named)
        try tell(
            "service:ai", "curriculum.propose", at,
            #"\#(named),"request":1,"title":"Arithmetic","chapters":[{"title":"A","topics":["a1","a2"]},{"title":"B","topics":["b1"]}]"#
        )
        try tell(by, "tone.choose", at, #"\#(named),"preset":"eli5""#)
        try tell(by, "add-ons.choose", at, "\(named),\(addOns)")
    }

    /// A subject made of such a draft, all its topics delivered.
    package func subject(
        _ subject: String, of student: String = "S-1", at: String = "2026-03-01T09:00:00Z"
    ) throws {
        try draft("DR-\(subject)", of: student, at: at)
        try tell(
            "student:\(student)", "generation.request", at,
            #""draft":"DR-\#(subject)","subject":"\#(subject)""#)
        for topic in ["1.1", "1.2", "2.1"] { try deliver(subject, topic, at) }
    }

    package func deliver(_ subject: String, _ topic: String, _ at: String) throws {
        try tell(
            "service:ai", "topic.deliver", at,
            #""subject":"\#(subject)","topic":"\#(topic)","blocks":[{"kind":"text","text":"Read."},{"kind":"code","language":"swift","text":"1"}]"#
        )
    }

    /// Opens and completes a topic.
    package func complete(
        _ subject: String, _ topic: String, of student: String = "S-1", at: String
    ) throws {
        let named = #""subject":"\#(subject)","topic":"\#(topic)""#
        try tell("student:\(student)", "topic.open", at, named)
        try tell("student:\(student)", "topic.complete", at, named)
    }

    /// Questions of a completed topic, each with multiple choice (right: 0) at level 1, both formats at
    /// level 2, free text above.
    package func pool(_ subject: String, _ topic: String, _ ids: [String], at: String) throws {
        try tell(
            "service:ai", "question.pool", at,
            #""subject":"\#(subject)","topic":"\#(topic)","questions":[\#(ids.map(Self.question).joined(separator: ","))]"#
        )
    }

    package static func question(_ id: String) -> String {
        func choice(_ level: Int) -> String {
            #"{"level":\#(level),"format":"multiple-choice","text":"\#(id) at \#(level)?","options":["yes","no"],"correct":0,"explanation":"Yes."}"#
        }
        func text(_ level: Int) -> String {
            #"{"level":\#(level),"format":"free-text","text":"\#(id) in words at \#(level)?","answer":"Yes","explanation":"Yes."}"#
        }
        let variants = [choice(1), choice(2), text(2), text(3), text(4)].joined(separator: ",")
        return #"{"question":"\#(id)","variants":[\#(variants)]}"#
    }

    /// Answers a question of a quiz, whatever its format.
    package func answer(
        _ quiz: String, _ question: String, right: Bool, of student: String = "S-1", at: String
    ) throws {
        let named = #""quiz":"\#(quiz)","question":"\#(question)""#
        let by = "student:\(student)"
        if try tell(by, "quiz.answer", at, #"\#(named),"choice":\#(right ? 0 : 1)"#) == "accepted" {
            return
        }
        try tell(by, "quiz.answer", at, #"\#(named),"answer":"Words""#)
        try tell(by, "quiz.self-assess", at, #"\#(named),"correct":\#(right)"#)
    }
}
