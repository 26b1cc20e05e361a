package import Core

extension Learnable {
    /// How the lectures should sound (R11). On the draft's stream.
    package enum Tone {
        /// Step 2 of the wizard: how lectures should sound; null for what was not given (R11).
        package struct Chosen: StudentEvent {
            package static let type = "learnable.tone.chosen"
            package static let streams = ["draft"]
            package static let sentence = "A tone was chosen."
            package static let rules = [11]
            package internal(set) var student = StudentID.none
            package internal(set) var draft: Own<DraftID> = .none
            package internal(set) var tone: Personal<Body> = nil
            package internal(set) var preset: String?

            package init() {}
        }

        /// A sample of the tone was requested, for a topic drawn at random (R11).
        package struct PreviewRequested: StudentEvent {
            package static let type = "learnable.tone.preview-requested"
            package static let version: UInt16 = 2
            package static let streams = ["draft"]
            package static let sentence = "A sample of a tone was requested."
            package static let rules = [11]
            package internal(set) var student = StudentID.none
            package internal(set) var draft: Own<DraftID> = .none
            package internal(set) var request = 0
            package internal(set) var tone: Personal<Body> = nil
            package internal(set) var preset: String?
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var topicTitle: Personal<Title> = nil

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.field("request", &request)
                coder.personal("tone", &tone)
                coder.field("preset", &preset)
                coder.field("topic", &topic)
                coder.personal("topicTitle", &topicTitle, inClear: version < 2)
            }
        }

        /// The sample arrived; it is the draft's preview from now on (R11).
        package struct PreviewDelivered: StudentEvent {
            package static let type = "learnable.tone.preview-delivered"
            package static let streams = ["draft"]
            package static let sentence = "A sample of a tone was delivered."
            package static let rules = [11]
            package internal(set) var student = StudentID.none
            package internal(set) var draft: Own<DraftID> = .none
            package internal(set) var request = 0
            package internal(set) var blocks = Blocks.empty

            package init() {}
        }
    }
}
