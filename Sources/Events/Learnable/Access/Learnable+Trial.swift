package import Core

extension Learnable {
    /// The free trial (R7). On the student's stream.
    package enum Trial {
        package enum Refusal: String, Choice {
            case deviceHadTrial = "device-had-trial"
        }

        package enum Reason: String, Choice {
            case expired, subscribed
        }

        /// A free trial started; it runs until its end is recorded (R7).
        package struct Started: StudentEvent {
            package static let type = "learnable.trial.started"
            package static let streams = ["student"]
            package static let sentence = "A free trial started."
            package static let rules = [7]
            package internal(set) var student = StudentID.none
            package internal(set) var endsAt = Instant.epoch
            package internal(set) var remindAt: Instant?
            package internal(set) var days = 0
            package internal(set) var device: InternedText?

            package init() {}
        }

        /// No free trial, since the device has had one (R7, R47).
        package struct Refused: StudentEvent {
            package static let type = "learnable.trial.refused"
            package static let streams = ["student"]
            package static let sentence = "A free trial was refused."
            package static let rules = [7, 47]
            package static let significance = Significance.refusal
            package internal(set) var student = StudentID.none
            package internal(set) var reason = Refusal.deviceHadTrial
            package internal(set) var device: InternedText?

            package init() {}
        }

        /// The free trial is over for good: it expired, or a subscription took its place (R7, R8).
        package struct Ended: StudentEvent {
            package static let type = "learnable.trial.ended"
            package static let streams = ["student"]
            package static let sentence = "A free trial ended."
            package static let rules = [7, 8]
            package internal(set) var student = StudentID.none
            package internal(set) var reason = Reason.expired

            package init() {}
        }
    }
}
