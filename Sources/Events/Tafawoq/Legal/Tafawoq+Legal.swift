package import Core

extension Tafawoq {
    /// The legal texts. Stream `tafawoq/legal/DOCUMENT`; what a student accepts stands on the account.
    package enum Legal: Thing {
        package static let noun = "legal"
        package static let isTagged = false

        package enum Kind: String, Choice {
            case terms, privacy
        }

        /// A version of a text was published, in both languages (R50).
        package struct Published: Payload {
            package static let type = "tafawoq.legal.published"
            package static let streams = ["legal"]
            package static let sentence = "A version of a legal text was published."
            package static let rules = [50]
            package internal(set) var document = Kind.empty
            package internal(set) var version = ""
            package internal(set) var text = ""
            package internal(set) var textAr = ""

            package init() {}
        }

        /// A student accepted a version (R50).
        package struct Accepted: Payload {
            package static let type = "tafawoq.legal.accepted"
            package static let streams = ["account"]
            package static let sentence = "A version of a legal text was accepted."
            package static let rules = [50]
            package internal(set) var student = StudentID.none
            package internal(set) var document = Kind.empty
            package internal(set) var version = ""

            package init() {}
        }
    }
}
