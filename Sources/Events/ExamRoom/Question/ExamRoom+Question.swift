package import Core

extension ExamRoom {
    /// A question of an exam. On the exam's stream.
    package enum Question: Thing {
        package static let noun = "question"; package static let isTagged = false

        /// An option of a question, and whether it is right.
        package struct Choice: Record {
            package private(set) var option = OptionID.none
            package private(set) var text = ""
            package private(set) var correct = false

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("option", &option)
                coder.text("text", &text)
                coder.field("correct", &correct)
            }

            /// The text byte for byte: texts are kept as given (R2).
            package static func == (left: Self, right: Self) -> Bool {
                left.option == right.option && left.text.isExactly(right.text)
                    && left.correct == right.correct
            }
        }

        /// What a question says; `explanation` is null if there is none.
        package struct Content: Record {
            package var prompt = ""
            package var options: [Choice] = []
            package var points = 1
            package var explanation: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.text("prompt", &prompt)
                coder.field("options", &options)
                coder.number("points", &points)
                coder.text("explanation", &explanation)
            }
        }

        /// The exam has another question, after those before it (R8).
        package struct Added: Payload {
            package static let type = "examroom.question.added"
            package static let streams = ["exam"]
            package static let sentence = "A question was added to an exam."
            package static let rules = [8]
            package internal(set) var exam = ExamID.none
            package internal(set) var question = QuestionID.none
            package internal(set) var content = Content()

            package init() {}
        }

        /// The question changed; its content is a register, its place stays (R8, R40).
        package struct Revised: Payload {
            package static let type = "examroom.question.revised"
            /// Of version 1 the audit trail says no more than `questions`: archives and exports hold digests of
            /// entries that say so.
            package static let version: UInt16 = 2
            package static let streams = ["exam"]
            package static let sentence = "A question was revised."
            package static let rules = [8, 40]
            package internal(set) var exam = ExamID.none
            package internal(set) var question = QuestionID.none
            package internal(set) var content = Content()
            /// The sorted names of what differs.
            package internal(set) var names: [String] = []
            private var isFormer = false

            package init() {}

            package init(
                exam: ExamID, question: QuestionID, content: Content, names: [String]
            ) {
                self.exam = exam
                self.question = question
                self.content = content
                self.names = names
            }

            /// What the audit trail names as changed (23.2).
            package var changed: [String] { isFormer ? ["questions"] : names }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                isFormer = version < 2
                coder.field("exam", &exam)
                coder.field("question", &question)
                coder.field("content", &content)
                coder.field("fields", &names)
            }
        }

        /// The exam has the question no more; its id is not used again (R1, R41).
        package struct Removed: Payload {
            package static let type = "examroom.question.removed"
            package static let streams = ["exam"]
            package static let sentence = "A question was removed from an exam."
            package static let rules = [1, 41]
            package internal(set) var exam = ExamID.none
            package internal(set) var question = QuestionID.none

            package init() {}
        }

        /// Removed on one device and edited on another: it stays until an admin chooses (R41).
        package struct Restored: Payload {
            package static let type = "examroom.question.restored"
            package static let streams = ["exam"]
            package static let sentence = "A removed question was restored."
            package static let rules = [41]
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none
            package internal(set) var question = QuestionID.none
            /// Its state before the removal.
            package internal(set) var content = Content()

            package init() {}
        }
    }
}
