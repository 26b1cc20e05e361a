package import Core

extension Learnable {
    /// The chapters and topics that the AI service proposes (R10). On the draft's stream.
    package enum Curriculum {
        /// A curriculum was requested from the description and preset then in force (R10).
        package struct Requested: StudentEvent {
            package static let type = "learnable.curriculum.requested"
            package static let streams = ["draft"]
            package static let sentence = "A curriculum was requested."
            package static let rules = [10]
            package internal(set) var student = StudentID.none
            package internal(set) var draft: Own<DraftID> = .none
            package internal(set) var request = 0
            package internal(set) var description: Personal<Body> = nil
            package internal(set) var preset: String?
            package internal(set) var instruction: Personal<Body> = nil

            package init() {}
        }

        /// The AI service proposed a curriculum; it is the draft's from now on (R10).
        package struct Proposed: StudentEvent {
            package static let type = "learnable.curriculum.proposed"
            package static let version: UInt16 = 2
            package static let streams = ["draft"]
            package static let sentence = "A curriculum was proposed."
            package static let rules = [10]
            package internal(set) var student = StudentID.none
            package internal(set) var draft: Own<DraftID> = .none
            package internal(set) var request = 0
            package internal(set) var title: Personal<Title> = nil
            package internal(set) var chapters: Personal<[Chapter]> = nil

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.field("request", &request)
                coder.personal("title", &title, inClear: version < 2)
                coder.personal("chapters", &chapters, inClear: version < 2)
            }
        }
    }

    package struct Chapter: Record {
        package internal(set) var title = Title.empty
        package internal(set) var topics: [Title] = []

        package init() {}
    }
}
