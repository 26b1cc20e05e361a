package import Core

extension Learnable {
    /// One whole course in a student's library. Stream `learnable/subject/SUBJECT`.
    package enum Subject: Thing {
        package static let noun = "subject"

        /// A copy of an offered subject joined the student's library (R41).
        package struct Acquired: StudentEvent {
            package static let type = "learnable.subject.acquired"
            package static let streams = ["subject"]
            package static let sentence = "A subject was acquired."
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var offer = OfferID.none
            package internal(set) var source = SubjectID.none
            package internal(set) var title = Title.empty
            package internal(set) var chapters: [Chapter] = []
            package internal(set) var topics = 0
            package internal(set) var addOns = AddOns()

            package init() {}
        }

        /// The student gave the subject another title.
        package struct Renamed: StudentEvent {
            package static let type = "learnable.subject.renamed"
            package static let streams = ["subject"]
            package static let sentence = "A subject was renamed."
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var from = Title.empty
            package internal(set) var to = Title.empty

            package init() {}
        }

        /// The subject was put out of sight; its questions stay in the pool (R20).
        package struct Archived: StudentEvent {
            package static let type = "learnable.subject.archived"
            package static let streams = ["subject"]
            package static let sentence = "A subject was archived."
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
            package internal(set) var student = StudentID.none
            package internal(set) var subject: Own<SubjectID> = .none
            package internal(set) var topics = 0
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }
    }
}
