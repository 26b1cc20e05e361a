package import Core

extension Learnable {
    /// The generation of a subject (R12, R13). On the subject's stream.
    package enum Generation {
        /// A subject was created from a draft; its topics are still to come (R12).
        package struct Requested: StudentEvent {
            package static let type = "learnable.generation.requested"
            package static let version: UInt16 = 2
            package static let streams = ["subject"]
            package static let sentence = "The generation of a subject was requested."
            package static let rules = [12]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var draft = DraftID.none
            package internal(set) var title: Personal<Title> = nil
            package internal(set) var chapters: Personal<[Chapter]> = nil
            /// How many topics each chapter has: known when its titles can no longer be read.
            package internal(set) var chapterTopics: [Int] = []
            package internal(set) var topics = 0
            package internal(set) var tone: Personal<Body> = nil
            package internal(set) var tonePreset: String?
            package internal(set) var addOns = AddOns()
            package internal(set) var attempt = 1

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("draft", &draft)
                coder.personal("title", &title, inClear: version < 2)
                coder.personal("chapters", &chapters, inClear: version < 2)
                if version < 2 {
                    chapterTopics = (chapters ?? []).map(\.topics.count)
                } else {
                    coder.field("chapterTopics", &chapterTopics)
                }
                coder.field("topics", &topics)
                coder.personal("tone", &tone)
                coder.field("tonePreset", &tonePreset)
                coder.field("addOns", &addOns)
                coder.field("attempt", &attempt)
            }
        }

        /// The last missing topic arrived (R13).
        package struct Completed: StudentEvent {
            package static let type = "learnable.generation.completed"
            package static let streams = ["subject"]
            package static let sentence = "A subject was generated."
            package static let rules = [13]
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
            package static let rules = [13]
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
            package static let rules = [13]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var attempt = 0

            package init() {}
        }
    }
}
