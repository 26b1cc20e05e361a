package import Core

extension QuranFlow {
    /// Who places students, answers recordings and meets graduates. Stream `quranflow/coach/COACH`.
    package enum Coach: Thing {
        package static let noun = "coach"

        /// A coach joined the programme (R2).
        package struct Registered: Payload {
            package static let type = "quranflow.coach.registered"
            package static let streams = ["coach"]
            package static let sentence = "A coach was registered."
            package static let rules = [2]
            package static let significance = Significance.administrative
            package internal(set) var name: Personal<String> = nil
            package internal(set) var gender = Gender.empty
            package internal(set) var bio: Personal<String> = nil
            package internal(set) var photo: Personal<String> = nil

            package init() {}
        }

        /// A coach introduced themselves anew. Carries the given fields only.
        package struct Introduced: Payload {
            package static let type = "quranflow.coach.introduced"
            package static let streams = ["coach"]
            package static let sentence = "A coach introduced themselves anew."
            package internal(set) var name: String??
            package internal(set) var bio: String??
            package internal(set) var photo: String??

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.optionalPersonal("name", &name)
                coder.optionalPersonal("bio", &bio)
                coder.optionalPersonal("photo", &photo)
            }
        }

        /// A coach takes no further students.
        package struct Retired: Payload {
            package static let type = "quranflow.coach.retired"
            package static let streams = ["coach"]
            package static let sentence = "A coach retired."
            package static let significance = Significance.administrative
            package init() {}
        }
    }
}
