package import Core

extension ExamRoom.Account {
    /// What the caller made of a password; the engine compares digests and never sees more (R5).
    package struct Credential: Record {
        package private(set) var scheme = ""
        package private(set) var salt = ""
        package private(set) var digest = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.text("scheme", &scheme)
            coder.text("salt", &salt)
            coder.text("digest", &digest)
        }

        /// All three parts byte for byte: texts are kept as given (R2).
        package static func == (left: Self, right: Self) -> Bool {
            left.scheme.isExactly(right.scheme) && left.salt.isExactly(right.salt)
                && left.digest.isExactly(right.digest)
        }
    }

    /// An admin set a temporary credential (R3, 13.4).
    package struct CredentialReplaced: Payload {
        package static let type = "examroom.credential.replaced"
        package static let streams = ["account"]
        package static let sentence = "An admin replaced a credential."
        package static let rules = [3]
        package static let significance = Significance.administrative
        package internal(set) var account = ExamRoom.AccountID.none
        package internal(set) var credential: Personal<Credential> = nil
        package internal(set) var temporary = true

        package init() {}

        package init(account: ExamRoom.AccountID, credential: Credential) {
            self.account = account
            self.credential = credential
        }
    }

    /// The owner changed the credential: it is temporary no more (R3).
    package struct CredentialChanged: Payload {
        package static let type = "examroom.credential.changed"
        package static let streams = ["account"]
        package static let sentence = "The owner changed a credential."
        package static let rules = [3]
        package internal(set) var account = ExamRoom.AccountID.none
        package internal(set) var credential: Personal<Credential> = nil

        package init() {}
    }
}
