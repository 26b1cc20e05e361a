package import Core

extension QuranFlow {
    /// A time that a coach offers. Stream `quranflow/slot/SLOT`.
    package enum Slot: Thing {
        package static let noun = "slot"

        package struct Offered: Payload {
            package static let type = "quranflow.slot.offered"
            package static let streams = ["slot"]
            package static let sentence = "A slot was offered."
            package var coach = CoachID.none
            package var startsAt = Instant.epoch
            package var endsAt = Instant.epoch
            package var joinUrl = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("coach", &coach)
                coder.field("startsAt", &startsAt)
                coder.field("endsAt", &endsAt)
                coder.field("joinUrl", &joinUrl)
            }
        }

        package struct Withdrawn: Payload {
            package static let type = "quranflow.slot.withdrawn"
            package static let streams = ["slot"]
            package static let sentence = "A slot was withdrawn."
            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {}
        }
    }
}

extension QuranFlow {
    /// A graduate and a coach meet (R29). Stream `quranflow/appointment/APPOINTMENT`.
    package enum Appointment: Thing {
        package static let noun = "appointment"

        package enum Party: String, Choice {
            case student, coach, admin
        }

        package struct Booked: Payload {
            package static let type = "quranflow.appointment.booked"
            package static let streams = ["appointment"]
            package static let sentence = "An appointment was booked."
            package var student = StudentID.none
            package var slot = SlotID.none
            package var coach = CoachID.none
            package var startsAt = Instant.epoch
            package var endsAt = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("slot", &slot)
                coder.field("coach", &coach)
                coder.field("startsAt", &startsAt)
                coder.field("endsAt", &endsAt)
            }
        }

        package struct Rescheduled: Payload {
            package static let type = "quranflow.appointment.rescheduled"
            package static let streams = ["appointment"]
            package static let sentence = "An appointment was rescheduled."
            package var student = StudentID.none
            package var fromSlot = SlotID.none
            package var fromStartsAt = Instant.epoch
            package var slot = SlotID.none
            package var coach = CoachID.none
            package var startsAt = Instant.epoch
            package var endsAt = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("fromSlot", &fromSlot)
                coder.field("fromStartsAt", &fromStartsAt)
                coder.field("slot", &slot)
                coder.field("coach", &coach)
                coder.field("startsAt", &startsAt)
                coder.field("endsAt", &endsAt)
            }
        }

        package struct Cancelled: Payload {
            package static let type = "quranflow.appointment.cancelled"
            package static let streams = ["appointment"]
            package static let sentence = "An appointment was cancelled."
            package var student = StudentID.none
            package var slot = SlotID.none
            package var cancelledBy = Party.empty
            package var reason: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("slot", &slot)
                coder.field("cancelledBy", &cancelledBy)
                coder.personal("reason", &reason)
            }
        }

        package struct Held: Payload {
            package static let type = "quranflow.appointment.held"
            package static let streams = ["appointment"]
            package static let sentence = "An appointment was held."
            package var student = StudentID.none
            package var coach = CoachID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("coach", &coach)
            }
        }

        package struct Missed: Payload {
            package static let type = "quranflow.appointment.missed"
            package static let streams = ["appointment"]
            package static let sentence = "An appointment was missed."
            package var student = StudentID.none
            package var coach = CoachID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("coach", &coach)
            }
        }
    }
}
