package import Core

extension Learnable {
    /// One page of a subject's lecture. On the subject's stream.
    package enum Topic {
        /// A topic's lecture arrived; topics come in any order, each once (R13).
        package struct Delivered: StudentEvent {
            package static let type = "learnable.topic.delivered"
            package static let streams = ["subject"]
            package static let sentence = "A topic was delivered."
            package static let rules = [13]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var blocks = Blocks.empty
            package internal(set) var engagement: Form?
            package internal(set) var project: Body?
            package internal(set) var voice: Voice?
            package internal(set) var delivered = 0
            package internal(set) var topics = 0

            package init() {}
        }

        /// The topic was opened; it is the current one from now on (R14).
        package struct Opened: StudentEvent {
            package static let type = "learnable.topic.opened"
            package static let streams = ["subject"]
            package static let sentence = "A topic was opened."
            package static let rules = [14]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }

        /// How far the student has read in a topic (R40).
        package struct Bookmarked: StudentEvent {
            package static let type = "learnable.topic.bookmarked"
            package static let streams = ["subject"]
            package static let sentence = "A topic was bookmarked."
            package static let rules = [40]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var block = 0
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }

        /// The topic was completed, which unlocks what comes after it (R15).
        package struct Completed: StudentEvent {
            package static let type = "learnable.topic.completed"
            package static let streams = ["subject"]
            package static let sentence = "A topic was completed."
            package static let rules = [15]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topic = TopicNumber.empty
            package internal(set) var day = LocalDate.epoch
            package internal(set) var completed = 0
            package internal(set) var topics = 0
            package internal(set) var next: TopicNumber?
            package internal(set) var questionsWanted = false

            package init() {}
        }
    }

    /// What a topic is called: `C.T`, the number of its chapter and its number within that, both from 1.
    package struct TopicNumber: FieldValue {
        package let chapter: Int
        package let number: Int

        package init(chapter: Int, number: Int) {
            self.chapter = chapter
            self.number = number
        }

        package static var empty: TopicNumber { TopicNumber(chapter: 0, number: 0) }
        package static var schema: String { "topic" }

        package var text: String { "\(chapter).\(number)" }

        package func write(to writer: inout BinaryWriter) {
            chapter.write(to: &writer)
            number.write(to: &writer)
        }

        package static func read(from reader: inout BinaryReader) -> TopicNumber {
            let chapter = Int.read(from: &reader)
            return TopicNumber(chapter: chapter, number: Int.read(from: &reader))
        }

        package func write(to output: inout JSONOutput) { output.json.string(text) }

        package static func read(_ json: JSON, from input: inout JSONInput) -> TopicNumber? {
            guard case .string(let text) = json, let topic = TopicNumber(text) else {
                input.fail("expected a topic, such as \"2.1\"")
                return nil
            }
            return topic
        }

        /// Nil for a text of another form. Numbers beyond all that can be are the largest one.
        package init?(_ text: String) {
            let parts = text.utf8.split(
                separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 2, let chapter = Self.number(parts[0]),
                let number = Self.number(parts[1])
            else { return nil }
            self.init(chapter: chapter, number: number)
        }

        private static func number(_ digits: Substring.UTF8View) -> Int? {
            guard let first = digits.first, first != UInt8(ascii: "0"),
                digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            return Int(String(decoding: digits, as: UTF8.self)) ?? .max
        }
    }
}
