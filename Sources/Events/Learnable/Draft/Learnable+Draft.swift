package import Core

extension Learnable {
    /// What the creation wizard collects before a subject is generated. Stream `learnable/draft/DRAFT`.
    package enum Draft: Thing {
        package static let noun = "draft"

        package enum Reason: String, Choice {
            case student, expired
        }

        /// A draft was started, with the policy's default add-ons (R47).
        package struct Started: StudentEvent {
            package static let type = "learnable.draft.started"
            package static let streams = ["draft"]
            package static let sentence = "A draft was started."
            package static let rules = [47]
            package internal(set) var student = StudentID.none
            package internal(set) var draft: Own<DraftID> = .none
            package internal(set) var addOns = AddOns()

            package init() {}
        }

        /// Step 1 of the wizard: what the subject should be about (R10).
        package struct Described: StudentEvent {
            package static let type = "learnable.draft.described"
            package static let streams = ["draft"]
            package static let sentence = "A draft was described."
            package static let rules = [10]
            package internal(set) var student = StudentID.none
            package internal(set) var draft: Own<DraftID> = .none
            package internal(set) var description: Personal<Body> = nil
            package internal(set) var preset: String?

            package init() {}
        }

        /// The draft is closed and its subject is being generated (R12).
        package struct Submitted: StudentEvent {
            package static let type = "learnable.draft.submitted"
            package static let streams = ["draft"]
            package static let sentence = "A draft was submitted."
            package static let rules = [12]
            package internal(set) var student = StudentID.none
            package internal(set) var draft: Own<DraftID> = .none
            package internal(set) var subject = SubjectID.none

            package init() {}
        }

        /// The draft is closed for good: the student dropped it, or it expired.
        package struct Discarded: StudentEvent {
            package static let type = "learnable.draft.discarded"
            package static let streams = ["draft"]
            package static let sentence = "A draft was discarded."
            package internal(set) var student = StudentID.none
            package internal(set) var draft: Own<DraftID> = .none
            package internal(set) var reason = Reason.student

            package init() {}
        }
    }
}
