package import Core

extension QuranFlow {
    /// A graduate and a coach meet (R29). Stream `quranflow/appointment/APPOINTMENT`.
    package enum Appointment: Thing {
        package static let noun = "appointment"

        package enum Party: String, Choice {
            case student, coach, admin
        }

        /// A student took a free slot (R29).
        package struct Booked: Payload {
            package static let type = "quranflow.appointment.booked"
            package static let streams = ["appointment"]
            package static let sentence = "An appointment was booked."
            package static let rules = [29]
            package internal(set) var student = StudentID.none
            package internal(set) var slot = SlotID.none
            package internal(set) var coach = CoachID.none
            package internal(set) var startsAt = Instant.epoch
            package internal(set) var endsAt = Instant.epoch

            package init() {}
        }

        /// An appointment moved to another slot; the old one is free again (R29).
        package struct Rescheduled: Payload {
            package static let type = "quranflow.appointment.rescheduled"
            package static let streams = ["appointment"]
            package static let sentence = "An appointment was rescheduled."
            package static let rules = [29]
            package internal(set) var student = StudentID.none
            package internal(set) var fromSlot = SlotID.none
            package internal(set) var fromStartsAt = Instant.epoch
            package internal(set) var slot = SlotID.none
            package internal(set) var coach = CoachID.none
            package internal(set) var startsAt = Instant.epoch
            package internal(set) var endsAt = Instant.epoch

            package init() {}
        }

        /// An appointment was called off; its slot is free again (R29).
        package struct Cancelled: Payload {
            package static let type = "quranflow.appointment.cancelled"
            package static let streams = ["appointment"]
            package static let sentence = "An appointment was cancelled."
            package static let rules = [29]
            package internal(set) var student = StudentID.none
            package internal(set) var slot = SlotID.none
            package internal(set) var cancelledBy = Party.empty
            package internal(set) var reason: Personal<String> = nil

            package init() {}
        }

        /// The student attended.
        package struct Held: Payload {
            package static let type = "quranflow.appointment.held"
            package static let streams = ["appointment"]
            package static let sentence = "An appointment was held."
            package internal(set) var student = StudentID.none
            package internal(set) var coach = CoachID.none

            package init() {}
        }

        /// The student did not attend.
        package struct Missed: Payload {
            package static let type = "quranflow.appointment.missed"
            package static let streams = ["appointment"]
            package static let sentence = "An appointment was missed."
            package internal(set) var student = StudentID.none
            package internal(set) var coach = CoachID.none

            package init() {}
        }
    }
}
