package import Core

extension Tafawoq {
    /// A student. Stream `tafawoq/account/STUDENT`.
    package enum Account: Thing {
        package static let noun = "student"

        package enum CodePurpose: String, Choice {
            case verify
            case reset
        }

        package struct Registered: Payload {
            package static let type = "tafawoq.account.registered"
            package static let streams = ["account"]
            package static let sentence = "A student registered."
            package var student = StudentID.none
            package var email: String?
            package var passwordDigest: String?
            package var termsVersion: String?
            package var privacyVersion: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.personal("email", &email)
                coder.personal("passwordDigest", &passwordDigest)
                coder.field("termsVersion", &termsVersion)
                coder.field("privacyVersion", &privacyVersion)
            }
        }

        package struct CodeIssued: Payload {
            package static let type = "tafawoq.otp.issued"
            package static let streams = ["account"]
            package static let sentence = "A one-time code was issued."
            package var student = StudentID.none
            package var purpose = CodePurpose.empty
            package var otpDigest: String?
            package var expiresAt = Instant.epoch
            package var resendAt = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("purpose", &purpose)
                coder.personal("otpDigest", &otpDigest)
                coder.field("expiresAt", &expiresAt)
                coder.field("resendAt", &resendAt)
            }
        }

        package struct Verified: Payload {
            package static let type = "tafawoq.account.verified"
            package static let streams = ["account"]
            package static let sentence = "An e-mail address was verified."
            package var student = StudentID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
            }
        }

        package struct PasswordChanged: Payload {
            package static let type = "tafawoq.password.changed"
            package static let streams = ["account"]
            package static let sentence = "A password was changed."
            package var student = StudentID.none
            package var passwordDigest: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.personal("passwordDigest", &passwordDigest)
            }
        }

        package struct ProfileCompleted: Payload {
            package static let type = "tafawoq.profile.completed"
            package static let streams = ["account"]
            package static let sentence = "A student chose an academic track."
            package var student = StudentID.none
            package var track = Track.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("track", &track)
            }
        }

        package struct TrackChanged: Payload {
            package static let type = "tafawoq.track.changed"
            package static let streams = ["account"]
            package static let sentence = "A student changed the academic track."
            package var student = StudentID.none
            package var from = Track.empty
            package var to = Track.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("from", &from)
                coder.field("to", &to)
            }
        }

        package struct PictureAttached: Payload {
            package static let type = "tafawoq.picture.attached"
            package static let streams = ["account"]
            package static let sentence = "A picture was attached to a profile."
            package var student = StudentID.none
            package var picture: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.personal("picture", &picture)
            }
        }

        package struct PictureRemoved: Payload {
            package static let type = "tafawoq.picture.removed"
            package static let streams = ["account"]
            package static let sentence = "A picture was removed from a profile."
            package var student = StudentID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
            }
        }

        package struct OnboardingFinished: Payload {
            package static let type = "tafawoq.onboarding.finished"
            package static let streams = ["account"]
            package static let sentence = "A student finished the tour."
            package var student = StudentID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
            }
        }

        package struct DeviceEnrolled: Payload {
            package static let type = "tafawoq.device.enrolled"
            package static let streams = ["account"]
            package static let sentence = "A device was enrolled for push messages."
            package var student = StudentID.none
            package var device = DeviceID.none
            package var pushToken: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("device", &device)
                coder.personal("pushToken", &pushToken)
            }
        }

        package struct DeviceWithdrawn: Payload {
            package static let type = "tafawoq.device.withdrawn"
            package static let streams = ["account"]
            package static let sentence = "A device was withdrawn from push messages."
            package var student = StudentID.none
            package var device = DeviceID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("device", &device)
            }
        }
    }
}
