package import Core

extension QuranFlow {
    /// The End of Course Assessment of an enrolment. Stream `quranflow/eoc/ENROLLMENT`.
    package enum EOC {
        package enum Outcome: String, Choice {
            case passed, failed
        }

        package struct Submitted: Payload {
            package static let type = "quranflow.eoc.submitted"
            package static let streams = ["eoc"]
            package static let sentence = "An End of Course Assessment was submitted."
            package var student = StudentID.none
            package var attempt = 0
            package var completed = 0
            package var coach: CoachID?
            /// R20.
            package var resultsDueOn = LocalDate.epoch
            package var resultsDueAt = Instant.epoch
            package var audio: String?
            package var seconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("attempt", &attempt)
                coder.field("completed", &completed)
                coder.field("coach", &coach)
                coder.field("resultsDueOn", &resultsDueOn)
                coder.field("resultsDueAt", &resultsDueAt)
                coder.personal("audio", &audio)
                coder.field("seconds", &seconds)
            }
        }

        package struct ResultsFellDue: Payload {
            package static let type = "quranflow.results.fell-due"
            package static let streams = ["eoc"]
            package static let sentence = "Results fell due."
            package var student = StudentID.none
            package var attempt = 0
            package var coach: CoachID?
            package var resultsDueAt = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("attempt", &attempt)
                coder.field("coach", &coach)
                coder.field("resultsDueAt", &resultsDueAt)
            }
        }

        package struct Evaluated: Payload {
            package static let type = "quranflow.eoc.evaluated"
            package static let streams = ["eoc"]
            package static let sentence = "An End of Course Assessment was evaluated."
            package var student = StudentID.none
            package var attempt = 0
            package var outcome = Outcome.empty
            package var late = false
            /// Null when passed (R21).
            package var retakeUntil: Instant?
            package var audio: String?
            package var seconds = 0
            package var notes: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("attempt", &attempt)
                coder.field("outcome", &outcome)
                coder.field("late", &late)
                coder.field("retakeUntil", &retakeUntil)
                coder.personal("audio", &audio)
                coder.field("seconds", &seconds)
                coder.personal("notes", &notes)
            }
        }

        package struct ResultsReviewed: Payload {
            package static let type = "quranflow.eoc.results-reviewed"
            package static let streams = ["eoc"]
            package static let sentence = "Results were reviewed."
            package var student = StudentID.none
            package var attempt = 0
            package var outcome = Outcome.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("attempt", &attempt)
                coder.field("outcome", &outcome)
            }
        }
    }
}
