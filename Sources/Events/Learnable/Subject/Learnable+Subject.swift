package import Core

extension Learnable {
    /// One whole course in a student's library. Stream `learnable/subject/SUBJECT`.
    package enum Subject: Thing {
        package static let noun = "subject"

        /// A copy of an offered subject joined the student's library (R41).
        package struct Acquired: StudentEvent {
            package static let type = "learnable.subject.acquired"
            package static let version: UInt16 = 2
            package static let streams = ["subject"]
            package static let sentence = "A subject was acquired."
            package static let rules = [41]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var offer = OfferID.none
            package internal(set) var source = SubjectID.none
            /// The offer's title; of version 1 alone, whose journals had it in clear.
            private var formerTitle = Title.empty
            package internal(set) var chapters: Personal<[Chapter]> = nil
            /// How many topics each chapter has: known when its titles can no longer be read.
            package internal(set) var chapterTopics: [Int] = []
            package internal(set) var topics = 0
            package internal(set) var addOns = AddOns()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("offer", &offer)
                coder.field("source", &source)
                if version < 2 { coder.field("title", &formerTitle) }
                coder.personal("chapters", &chapters, inClear: version < 2)
                if version < 2 {
                    chapterTopics = (chapters ?? []).map(\.topics.count)
                } else {
                    coder.field("chapterTopics", &chapterTopics)
                }
                coder.field("topics", &topics)
                coder.field("addOns", &addOns)
            }
        }

        /// The student gave the subject another title.
        package struct Renamed: StudentEvent {
            package static let type = "learnable.subject.renamed"
            package static let version: UInt16 = 2
            package static let streams = ["subject"]
            package static let sentence = "A subject was renamed."
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var from: Personal<Title> = nil
            package internal(set) var to: Personal<Title> = nil

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.personal("from", &from, inClear: version < 2)
                coder.personal("to", &to, inClear: version < 2)
            }
        }

        /// The subject was put out of sight; its questions stay in the pool (R20).
        package struct Archived: StudentEvent {
            package static let type = "learnable.subject.archived"
            package static let streams = ["subject"]
            package static let sentence = "A subject was archived."
            package static let rules = [20]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }

        /// The subject is in sight again (R20).
        package struct Restored: StudentEvent {
            package static let type = "learnable.subject.restored"
            package static let streams = ["subject"]
            package static let sentence = "A subject was restored."
            package static let rules = [20]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }

        /// The subject was deleted; its questions leave the pool (R20).
        package struct Deleted: StudentEvent {
            package static let type = "learnable.subject.deleted"
            package static let streams = ["subject"]
            package static let sentence = "A subject was deleted."
            package static let rules = [20]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var questions = 0

            package init() {}
        }

        /// Every topic of the subject is completed (R15).
        package struct Completed: StudentEvent {
            package static let type = "learnable.subject.completed"
            package static let streams = ["subject"]
            package static let sentence = "A subject was completed."
            package static let rules = [15]
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topics = 0
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }
    }
}
