package import Core

extension Learnable {
    /// The generation of a subject (R12, R13). On the subject's stream.
    package enum Generation {
        /// A subject was created from a draft; its topics are still to come (R12).
        package struct Requested: StudentEvent {
            package static let type = "learnable.generation.requested"
            package static let streams = ["subject"]
            package static let sentence = "The generation of a subject was requested."
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var draft = DraftID.none
            package internal(set) var title = Title.empty
            package internal(set) var chapters: [Chapter] = []
            package internal(set) var topics = 0
            package internal(set) var tone: Personal<Body> = nil
            package internal(set) var tonePreset: String?
            package internal(set) var addOns = AddOns()
            package internal(set) var attempt = 1

            package init() {}
        }

        /// The last missing topic arrived (R13).
        package struct Completed: StudentEvent {
            package static let type = "learnable.generation.completed"
            package static let streams = ["subject"]
            package static let sentence = "A subject was generated."
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topics = 0

            package init() {}
        }

        /// The AI service gave up; nothing is delivered until the generation is retried (R13).
        package struct Failed: StudentEvent {
            package static let type = "learnable.generation.failed"
            package static let streams = ["subject"]
            package static let sentence = "The generation of a subject failed."
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var reason = Body.empty
            package internal(set) var delivered = 0
            package internal(set) var topics = 0

            package init() {}
        }

        /// The generation continues; the topics that had arrived are kept (R13).
        package struct Retried: StudentEvent {
            package static let type = "learnable.generation.retried"
            package static let streams = ["subject"]
            package static let sentence = "The generation of a subject was tried again."
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var attempt = 0

            package init() {}
        }
    }
}
