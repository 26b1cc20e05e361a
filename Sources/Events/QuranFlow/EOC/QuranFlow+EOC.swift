package import Core

extension QuranFlow {
    /// The End of Course Assessment. Attempts stand on `quranflow/eoc/ENROLLMENT`, what a level's assessment
    /// is on `quranflow/level/LEVEL`, its unlocking on `quranflow/enrollment/ENROLLMENT`.
    package enum EOC {
        package enum Outcome: String, Choice {
            case passed, failed
        }

        /// What a level's assessment asks for; the last definition counts.
        package struct Defined: Payload {
            package static let type = "quranflow.eoc.defined"
            package static let streams = ["level"]
            package static let sentence = "The End of Course Assessment of a level was defined."
            package static let significance = Significance.administrative
            package internal(set) var level = 0
            package internal(set) var description = ""
            package internal(set) var passage = Passage()

            package init() {}
        }

        /// Enough weeks count and the assessment is open: it may be taken (R16).
        package struct Unlocked: Payload {
            package static let type = "quranflow.eoc.unlocked"
            package static let streams = ["enrollment"]
            package static let sentence = "The End of Course Assessment was unlocked."
            package static let rules = [16]
            package internal(set) var student = StudentID.none
            package internal(set) var completed = 0
            package internal(set) var required = 0

            package init() {}
        }

        /// A student sent in an attempt (R20).
        package struct Submitted: Payload {
            package static let type = "quranflow.eoc.submitted"
            package static let streams = ["eoc"]
            package static let sentence = "An End of Course Assessment was submitted."
            package static let rules = [20]
            package internal(set) var student = StudentID.none
            package internal(set) var attempt = 0
            package internal(set) var completed = 0
            package internal(set) var coach: CoachID?
            /// The last business day for the results (R20).
            package internal(set) var resultsDueOn = LocalDate.epoch
            package internal(set) var resultsDueAt = Instant.epoch
            package internal(set) var audio: Personal<String> = nil
            package internal(set) var seconds = 0

            package init() {}
        }

        /// An attempt had no result when it was due (R20).
        package struct ResultsFellDue: Payload {
            package static let type = "quranflow.results.fell-due"
            package static let streams = ["eoc"]
            package static let sentence = "Results fell due."
            package static let rules = [20]
            package internal(set) var student = StudentID.none
            package internal(set) var attempt = 0
            package internal(set) var coach: CoachID?
            package internal(set) var resultsDueAt = Instant.epoch

            package init() {}
        }

        /// A coach judged an attempt; a failed one may be repeated (R21).
        package struct Evaluated: Payload {
            package static let type = "quranflow.eoc.evaluated"
            package static let streams = ["eoc"]
            package static let sentence = "An End of Course Assessment was evaluated."
            package static let rules = [21]
            package internal(set) var student = StudentID.none
            package internal(set) var attempt = 0
            package internal(set) var outcome = Outcome.empty
            package internal(set) var late = false
            /// Null when passed (R21).
            package internal(set) var retakeUntil: Instant?
            package internal(set) var audio: Personal<String> = nil
            package internal(set) var seconds = 0
            package internal(set) var notes: Personal<String> = nil

            package init() {}
        }

        /// The student reviewed the last result.
        package struct ResultsReviewed: Payload {
            package static let type = "quranflow.eoc.results-reviewed"
            package static let streams = ["eoc"]
            package static let sentence = "Results were reviewed."
            package internal(set) var student = StudentID.none
            package internal(set) var attempt = 0
            package internal(set) var outcome = Outcome.empty

            package init() {}
        }
    }
}
