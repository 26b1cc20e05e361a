package import Core

extension Learnable {
    /// The making of a subject (R12, R13). Stream `learnable/subject/SUBJECT`, for all of the facts in this file.
    package enum Generation {
        /// The subject is there, its topics are on their way.
        package struct Requested: Carried {
            package static let type = "learnable.generation.requested"
            package static let streams = ["subject"]
            package static let sentence = "The generation of a subject was requested."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var draft = DraftID.none
            package var title = Title.empty
            package var chapters: [Chapter] = []
            package var topics = 0
            package var tone: Body?
            package var tonePreset: String?
            package var addOns = AddOns()
            package var attempt = 1

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("draft", &draft)
                coder.field("title", &title)
                coder.field("chapters", &chapters)
                coder.field("topics", &topics)
                coder.personal("tone", &tone)
                coder.field("tonePreset", &tonePreset)
                coder.field("addOns", &addOns)
                coder.field("attempt", &attempt)
            }
        }

        /// Every topic is delivered.
        package struct Completed: Carried {
            package static let type = "learnable.generation.completed"
            package static let streams = ["subject"]
            package static let sentence = "A subject was generated."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topics = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topics", &topics)
            }
        }

        /// Nothing is delivered until it is tried again.
        package struct Failed: Carried {
            package static let type = "learnable.generation.failed"
            package static let streams = ["subject"]
            package static let sentence = "The generation of a subject failed."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var reason = Body.empty
            package var delivered = 0
            package var topics = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("reason", &reason)
                coder.field("delivered", &delivered)
                coder.field("topics", &topics)
            }
        }

        /// What came stays.
        package struct Retried: Carried {
            package static let type = "learnable.generation.retried"
            package static let streams = ["subject"]
            package static let sentence = "The generation of a subject was tried again."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var attempt = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("attempt", &attempt)
            }
        }
    }

    /// One whole course in a student's library.
    package enum Subject: Thing {
        package static let noun = "subject"

        /// A copy of what the offer offers (R41).
        package struct Acquired: Carried {
            package static let type = "learnable.subject.acquired"
            package static let streams = ["subject"]
            package static let sentence = "A subject was acquired."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var offer = OfferID.none
            package var source = SubjectID.none
            package var title = Title.empty
            package var chapters: [Chapter] = []
            package var topics = 0
            package var addOns = AddOns()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("offer", &offer)
                coder.field("source", &source)
                coder.field("title", &title)
                coder.field("chapters", &chapters)
                coder.field("topics", &topics)
                coder.field("addOns", &addOns)
            }
        }

        /// The student's own title for it.
        package struct Renamed: Carried {
            package static let type = "learnable.subject.renamed"
            package static let streams = ["subject"]
            package static let sentence = "A subject was renamed."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var from = Title.empty
            package var to = Title.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("from", &from)
                coder.field("to", &to)
            }
        }

        /// Out of sight; its questions stay in the pool (R20).
        package struct Archived: Carried {
            package static let type = "learnable.subject.archived"
            package static let streams = ["subject"]
            package static let sentence = "A subject was archived."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var day = LocalDate.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("day", &day)
            }
        }

        /// In sight again.
        package struct Restored: Carried {
            package static let type = "learnable.subject.restored"
            package static let streams = ["subject"]
            package static let sentence = "A subject was restored."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var day = LocalDate.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("day", &day)
            }
        }

        /// Its questions leave the pool (R20).
        package struct Deleted: Carried {
            package static let type = "learnable.subject.deleted"
            package static let streams = ["subject"]
            package static let sentence = "A subject was deleted."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var questions = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("questions", &questions)
            }
        }

        /// Every topic is completed (R15).
        package struct Completed: Carried {
            package static let type = "learnable.subject.completed"
            package static let streams = ["subject"]
            package static let sentence = "A subject was completed."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topics = 0
            package var day = LocalDate.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topics", &topics)
                coder.field("day", &day)
            }
        }
    }
}
