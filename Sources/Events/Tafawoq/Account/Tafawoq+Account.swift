package import Core

extension Tafawoq {
    /// A student's account. Stream `tafawoq/account/STUDENT`.
    package enum Account: Thing {
        package static let noun = "student"

        /// What a one-time code is for (R6).
        package enum CodePurpose: String, Choice {
            case verify
            case reset
        }

        /// A student registered, with an e-mail address in its recorded form and a digest of the password
        /// (R4, R5).
        package struct Registered: Payload {
            package static let type = "tafawoq.account.registered"
            package static let streams = ["account"]
            package static let sentence = "A student registered."
            package static let rules = [4, 5]
            package internal(set) var student = StudentID.none
            package internal(set) var email: Personal<String> = nil
            package internal(set) var passwordDigest: Personal<String> = nil
            package internal(set) var termsVersion: String?
            package internal(set) var privacyVersion: String?

            package init() {}
        }

        /// A one-time code was issued; it replaces the last one of its purpose (R6).
        package struct CodeIssued: Payload {
            package static let type = "tafawoq.otp.issued"
            package static let streams = ["account"]
            package static let sentence = "A one-time code was issued."
            package static let rules = [6]
            package internal(set) var student = StudentID.none
            package internal(set) var purpose = CodePurpose.empty
            package internal(set) var otpDigest: Personal<String> = nil
            package internal(set) var expiresAt = Instant.epoch
            package internal(set) var resendAt = Instant.epoch

            package init() {}
        }

        /// The e-mail address was verified with a code: the first condition of learning (R6, R9).
        package struct Verified: Payload {
            package static let type = "tafawoq.account.verified"
            package static let streams = ["account"]
            package static let sentence = "An e-mail address was verified."
            package static let rules = [6, 9]
            package internal(set) var student = StudentID.none

            package init() {}
        }

        /// The password was reset with a code, which ends every lockout (R6, R7).
        package struct PasswordChanged: Payload {
            package static let type = "tafawoq.password.changed"
            package static let streams = ["account"]
            package static let sentence = "A password was changed."
            package static let rules = [6, 7]
            package internal(set) var student = StudentID.none
            package internal(set) var passwordDigest: Personal<String> = nil

            package init() {}
        }

        /// The student chose a track and may learn from now on (R9).
        package struct ProfileCompleted: Payload {
            package static let type = "tafawoq.profile.completed"
            package static let streams = ["account"]
            package static let sentence = "A student chose an academic track."
            package static let rules = [9]
            package internal(set) var student = StudentID.none
            package internal(set) var track = Track.empty

            package init() {}
        }

        /// The track changed: suggestions and advice follow it, recorded results do not (R9).
        package struct TrackChanged: Payload {
            package static let type = "tafawoq.track.changed"
            package static let streams = ["account"]
            package static let sentence = "A student changed the academic track."
            package static let rules = [9]
            package internal(set) var student = StudentID.none
            package internal(set) var from = Track.empty
            package internal(set) var to = Track.empty

            package init() {}
        }

        /// A profile picture was attached, as a reference to a file outside the engine.
        package struct PictureAttached: Payload {
            package static let type = "tafawoq.picture.attached"
            package static let streams = ["account"]
            package static let sentence = "A picture was attached to a profile."
            package internal(set) var student = StudentID.none
            package internal(set) var picture: Personal<String> = nil

            package init() {}
        }

        /// The profile picture was removed.
        package struct PictureRemoved: Payload {
            package static let type = "tafawoq.picture.removed"
            package static let streams = ["account"]
            package static let sentence = "A picture was removed from a profile."
            package internal(set) var student = StudentID.none

            package init() {}
        }

        /// The student finished the introductory tour.
        package struct OnboardingFinished: Payload {
            package static let type = "tafawoq.onboarding.finished"
            package static let streams = ["account"]
            package static let sentence = "A student finished the tour."
            package internal(set) var student = StudentID.none

            package init() {}
        }

        /// A device was enrolled for push messages.
        package struct DeviceEnrolled: Payload {
            package static let type = "tafawoq.device.enrolled"
            package static let streams = ["account"]
            package static let sentence = "A device was enrolled for push messages."
            package internal(set) var student = StudentID.none
            package internal(set) var device = DeviceID.none
            package internal(set) var pushToken: Personal<String> = nil

            package init() {}
        }

        /// A device no longer receives push messages.
        package struct DeviceWithdrawn: Payload {
            package static let type = "tafawoq.device.withdrawn"
            package static let streams = ["account"]
            package static let sentence = "A device was withdrawn from push messages."
            package internal(set) var student = StudentID.none
            package internal(set) var device = DeviceID.none

            package init() {}
        }
    }
}

extension Tafawoq {
    /// The academic track, chosen when the profile is completed (R9).
    package enum Track: String, Choice {
        case scientific, literary
    }
}

extension Tafawoq.Track {
    /// The track's own section.
    package var section: Tafawoq.Section { self == .scientific ? .quantitative : .verbal }

    /// The sections of the track first (R38).
    package var sections: [Tafawoq.Section] {
        self == .scientific ? [.quantitative, .verbal] : [.verbal, .quantitative]
    }

    /// Inside a section catalogue order (R38).
    package var categories: [Tafawoq.Category] {
        sections.flatMap { section in Tafawoq.Category.allCases.filter { $0.section == section } }
    }
}
