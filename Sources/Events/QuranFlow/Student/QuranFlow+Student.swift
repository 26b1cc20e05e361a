package import Core

extension QuranFlow {
    /// Who learns. Stream `quranflow/student/STUDENT`.
    package enum Student: Thing {
        package static let noun = "student"

        /// A student signed up (R2).
        package struct Registered: Payload {
            package static let type = "quranflow.student.registered"
            package static let streams = ["student"]
            package static let sentence = "A student was registered."
            package static let rules = [2]
            package internal(set) var name: Personal<String> = nil
            package internal(set) var email: Personal<String> = nil
            package internal(set) var phone: Personal<String> = nil
            package internal(set) var gender = Gender.empty
            package internal(set) var timeZone = InternedText.empty

            package init() {}
        }

        /// Name, e-mail, phone or photo changed. Carries the given fields only.
        package struct DetailsAmended: Payload {
            package static let type = "quranflow.student.details-amended"
            package static let streams = ["student"]
            package static let sentence = "A student's details were amended."
            package internal(set) var name: String??
            package internal(set) var email: String??
            package internal(set) var phone: String??
            package internal(set) var photo: String??

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.optionalPersonal("name", &name)
                coder.optionalPersonal("email", &email)
                coder.optionalPersonal("phone", &phone)
                coder.optionalPersonal("photo", &photo)
            }
        }

        /// Staff corrected a gender that was registered wrongly.
        package struct GenderCorrected: Payload {
            package static let type = "quranflow.student.gender-corrected"
            package static let streams = ["student"]
            package static let sentence = "A student's gender was corrected."
            package static let significance = Significance.administrative
            package internal(set) var gender = Gender.empty
            package internal(set) var previous = Gender.empty

            package init() {}
        }
    }
}
