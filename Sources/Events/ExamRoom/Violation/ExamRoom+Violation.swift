package import Core

extension ExamRoom {
    /// A refusal that belongs in the audit trail. Stream `examroom/security/ACCOUNT` (R5).
    package enum Violation {
        package enum Kind: String, Choice {
            case invalidAuthentication = "invalid-authentication"
            case blockedStudent = "blocked-student"
            // Since version 2 of `Recorded`: a kind is stored as its place in this list.
            case forbidden
        }

        /// A refused sign-in, credential change or start, or what was not theirs to do (R5).
        package struct Recorded: Payload {
            package static let type = "examroom.violation.recorded"
            /// Version 1 had fewer kinds.
            package static let version: UInt16 = 2
            package static let streams = ["security"]
            package static let sentence = "A refused try was recorded."
            package static let rules = [5]
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

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("account", &account)
                if version < 2 {
                    coder.field("violation", &violation, as: FirstCases<2, Kind>.self)
                } else {
                    coder.field("violation", &violation)
                }
                coder.field("code", &code)
                coder.field("command", &command)
                coder.field("exam", &exam)
                coder.personal("ip", &ip)
            }
        }
    }
}
