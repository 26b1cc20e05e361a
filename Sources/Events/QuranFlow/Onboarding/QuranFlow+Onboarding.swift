import Core

extension QuranFlow {
    /// Set-up, five steps done once (R13). Stream `quranflow/student/STUDENT`.
    package enum Onboarding {
        /// The steps in their order, from 1.
        package enum Step: String, Choice {
            case welcome, level, font, coach, semester

            /// Nil for a number that no step has.
            package init?(number: Int) {
                guard (1...Self.allCases.count).contains(number) else { return nil }
                self = Self.allCases[number - 1]
            }
        }

        /// A step of the set-up was done (R13).
        package struct StepTaken: Payload {
            package static let type = "quranflow.onboarding.step-taken"
            package static let streams = ["student"]
            package static let sentence = "A step of the set-up was taken."
            package static let rules = [13]
            package internal(set) var step = 0
            package internal(set) var name = Step.empty

            package init() {}
        }

        /// A step that may be skipped was left out (R13).
        package struct StepSkipped: Payload {
            package static let type = "quranflow.onboarding.step-skipped"
            package static let streams = ["student"]
            package static let sentence = "A step of the set-up was skipped."
            package static let rules = [13]
            package internal(set) var step = 0
            package internal(set) var name = Step.empty

            package init() {}
        }

        /// No step is left (R13).
        package struct Completed: Payload {
            package static let type = "quranflow.onboarding.completed"
            package static let streams = ["student"]
            package static let sentence = "The set-up was completed."
            package static let rules = [13]
            package internal(set) var skipped: [Int] = []

            package init() {}
        }
    }
}
