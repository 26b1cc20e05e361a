package import Core

extension ExamRoom {
    /// A refusal that belongs in the audit trail. Stream `examroom/security/ACCOUNT` (R5).
    package enum Violation {
        package enum Kind: String, Choice {
            case invalidAuthentication = "invalid-authentication"
            case blockedStudent = "blocked-student"
        }

        /// A refused sign-in, credential change or start (R5).
        package struct Recorded: Payload {
            package static let type = "examroom.violation.recorded"
            package static let streams = ["security"]
            package static let sentence = "A refused try was recorded."
            package static let significance = Significance.refusal
            package internal(set) var account = AccountID.none
            package internal(set) var violation = Kind.invalidAuthentication
            /// The rejection's code.
            package internal(set) var code = ""
            /// The type of the refused command.
            package internal(set) var command = ""
            package internal(set) var exam: ExamID?
            package internal(set) var ip: Personal<String> = nil

            package init() {}
        }
    }
}
