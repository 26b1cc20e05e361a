package import Core

extension ExamRoom.Exam {
    /// When a student learns whether an answer is right (R21).
    package enum Feedback: String, Choice {
        case instant, after
    }

    /// When the exam may be started; a null side is no limit (R15). Changed as a whole (R7).
    package struct Window: Record {
        package var opensAt: Instant?
        package var closesAt: Instant?

        package init() {}

        /// Both sides given, and nothing between them.
        package var isEmpty: Bool {
            guard let opensAt, let closesAt else { return false }
            return closesAt <= opensAt
        }
    }

    /// All that an admin decides about an exam besides its questions.
    package struct Details: Record {
        package var title = ""
        package var description = ""
        package var durationMinutes = 0
        package var window = Window()
        /// Null is no limit.
        package var maxAttempts: Int?
        package var shuffleQuestions = false
        package var shuffleOptions = false
        package var feedback = Feedback.after
        package var passPercent = Percent.zero

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.text("title", &title)
            coder.text("description", &description)
            coder.number("durationMinutes", &durationMinutes)
            coder.field("window", &window)
            coder.number("maxAttempts", &maxAttempts)
            coder.field("shuffleQuestions", &shuffleQuestions)
            coder.field("shuffleOptions", &shuffleOptions)
            coder.field("feedback", &feedback)
            coder.field("passPercent", &passPercent)
        }

        package var durationSeconds: Int { durationMinutes.multipliedClamping(60) }
    }

    /// A detail before and after.
    package struct Change<Value: FieldValue>: Record {
        package var from = Value.empty
        package var to = Value.empty

        package init() {}

        package init(from: Value, to: Value) {
            self.from = from
            self.to = to
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("from", &from)
            coder.field("to", &to)
        }
    }

    /// The details that differ, each with its former value.
    package struct DetailChanges: Record {
        package var title: Change<String>?
        package var description: Change<String>?
        package var durationMinutes: Change<Int>?
        package var window: Change<Window>?
        package var maxAttempts: Change<Int?>?
        package var shuffleQuestions: Change<Bool>?
        package var shuffleOptions: Change<Bool>?
        package var feedback: Change<Feedback>?
        package var passPercent: Change<Percent>?

        package init() {}

        package init(from old: Details, to new: Details) {
            title = Self.change(old.title, new.title) { $0.isExactly($1) }
            description = Self.change(old.description, new.description) { $0.isExactly($1) }
            durationMinutes = Self.change(old.durationMinutes, new.durationMinutes)
            window = Self.change(old.window, new.window)
            maxAttempts = Self.change(old.maxAttempts, new.maxAttempts)
            shuffleQuestions = Self.change(old.shuffleQuestions, new.shuffleQuestions)
            shuffleOptions = Self.change(old.shuffleOptions, new.shuffleOptions)
            feedback = Self.change(old.feedback, new.feedback)
            passPercent = Self.change(old.passPercent, new.passPercent)
        }

        private static func change<V: FieldValue>(
            _ old: V, _ new: V, by isSame: (V, V) -> Bool = { $0 == $1 }
        ) -> Change<V>? {
            isSame(old, new) ? nil : Change(from: old, to: new)
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.optional("title", &title)
            coder.optional("description", &description)
            coder.optional("durationMinutes", &durationMinutes)
            coder.optional("window", &window)
            coder.optional("maxAttempts", &maxAttempts)
            coder.optional("shuffleQuestions", &shuffleQuestions)
            coder.optional("shuffleOptions", &shuffleOptions)
            coder.optional("feedback", &feedback)
            coder.optional("passPercent", &passPercent)
        }

        package var isEmpty: Bool { self == Self() }

        package func apply(to details: inout Details) {
            if let title { details.title = title.to }
            if let description { details.description = description.to }
            if let durationMinutes { details.durationMinutes = durationMinutes.to }
            if let window { details.window = window.to }
            if let maxAttempts { details.maxAttempts = maxAttempts.to }
            if let shuffleQuestions { details.shuffleQuestions = shuffleQuestions.to }
            if let shuffleOptions { details.shuffleOptions = shuffleOptions.to }
            if let feedback { details.feedback = feedback.to }
            if let passPercent { details.passPercent = passPercent.to }
        }

        /// The names of the details that changed, sorted.
        package var names: [String] { givenNames }
    }

    /// Details of the exam changed; each is a register (R7, R40).
    package struct Revised: Payload {
        package static let type = "examroom.exam.revised"
        package static let streams = ["exam"]
        package static let sentence = "An exam's details were revised."
        package static let rules = [7, 40]
        package internal(set) var exam = ExamRoom.ExamID.none
        package internal(set) var changes = DetailChanges()

        package init() {}
    }
}
