package import Core

extension Tafawoq {
    /// A sign-in on a device. Stream `tafawoq/session/SESSION`.
    package enum Session: Thing {
        package static let noun = "session"

        /// Why a session ended (R8).
        package enum EndReason: String, Choice {
            case signedOut = "signed-out"
            case replaced
            case expired
            case passwordChanged = "password-changed"
        }

        /// A student signed in on a device; the session lasts until `expiresAt` (R8).
        package struct Opened: Payload {
            package static let type = "tafawoq.session.opened"
            package static let streams = ["session"]
            package static let sentence = "A student signed in."
            package static let rules = [8]
            package internal(set) var session = SessionID.none
            package internal(set) var student = StudentID.none
            package internal(set) var device = DeviceID.none
            package internal(set) var expiresAt = Instant.epoch
            package internal(set) var appVersion: String?
            package internal(set) var deviceType: String?

            package init() {}
        }

        /// A session's life was extended to `expiresAt` (R8).
        package struct Refreshed: Payload {
            package static let type = "tafawoq.session.refreshed"
            package static let streams = ["session"]
            package static let sentence = "A session was refreshed."
            package static let rules = [8]
            package internal(set) var session = SessionID.none
            package internal(set) var student = StudentID.none
            package internal(set) var expiresAt = Instant.epoch

            package init() {}
        }

        /// A session ended: signed out, replaced on its device, expired, or closed by a new password
        /// (R8).
        package struct Ended: Payload {
            package static let type = "tafawoq.session.ended"
            package static let streams = ["session"]
            package static let sentence = "A session ended."
            package static let rules = [8]
            package internal(set) var session = SessionID.none
            package internal(set) var student = StudentID.none
            package internal(set) var reason = EndReason.empty

            package init() {}
        }
    }
}
