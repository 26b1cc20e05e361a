package import Core

extension ExamRoom {
    /// A sign-in on a device. Stream `examroom/session/SESSION`.
    package enum Session: Thing {
        package static let noun = "session"; package static let isTagged = false

        package enum Method: String, Choice {
            case credential, biometric
        }

        package enum EndReason: String, Choice {
            case signedOut = "signed-out"
            case credentialReplaced = "credential-replaced"
        }

        /// Somebody signed in on a device (R4, R5).
        package struct Started: Payload {
            package static let type = "examroom.session.started"
            package static let streams = ["session"]
            package static let sentence = "Somebody signed in."
            package static let rules = [4, 5]
            package internal(set) var session = SessionID.none
            package internal(set) var account = AccountID.none
            package internal(set) var role = Account.Role.student
            package internal(set) var method = Method.credential
            package internal(set) var deviceInfo: Personal<String> = nil
            package internal(set) var ip: Personal<String> = nil
            package internal(set) var mustChangeCredential = false

            package init() {}
        }

        /// The session is over (R4).
        package struct Ended: Payload {
            package static let type = "examroom.session.ended"
            package static let streams = ["session"]
            package static let sentence = "A session ended."
            package static let rules = [4]
            package internal(set) var session = SessionID.none
            package internal(set) var account = AccountID.none
            package internal(set) var reason = EndReason.signedOut

            package init() {}
        }
    }
}
