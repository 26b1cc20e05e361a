package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    package struct BookAppointment: Command {
        package static let type = "quranflow.appointment.book"
        var appointment = AppointmentID.none
        var student = StudentID.none
        var slot = SlotID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("appointment", &appointment)
            coder.field("student", &student)
            coder.field("slot", &slot)
        }

        package func who(in programme: Programme) -> Who { .studentOrAdmin(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            let row = try programme.student(student)
            let offer = try programme.slot(slot)
            if programme.appointments.contains(appointment) { throw .alreadyExists }
            if !row.isAdvanced { throw .notAdvanced }
            try programme.check(offer, for: student, but: nil, at: scene.at)
            let open = row.appointments.count { id in
                programme.appointments.read(id) { $0.status != .cancelled && $0.endsAt > scene.at }
                    ?? false
            }
            if open >= programme.policy.appointmentsOpenMax { throw .appointmentLimit }
            scene.record(
                Appointment.Booked.with {
                    $0.student = student
                    $0.slot = slot
                    $0.coach = offer.coach
                    $0.startsAt = offer.startsAt
                    $0.endsAt = offer.endsAt
                }, appointment: appointment)
            if let booked = programme.appointments[appointment] {
                scene.notify(.appointmentBooked, appointment, booked)
            }
        }
    }

    package struct RescheduleAppointment: Command {
        package static let type = "quranflow.appointment.reschedule"
        var appointment = AppointmentID.none
        var slot = SlotID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("appointment", &appointment)
            coder.field("slot", &slot)
        }

        package func who(in programme: Programme) -> Who { .studentCoachOrAdmin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            let row = try programme.appointment(appointment)
            let offer = try programme.slot(slot)
            try scene.checkParty(row)
            try scene.checkChange(row)
            try programme.check(offer, for: row.student, but: appointment, at: scene.at)
            scene.record(
                Appointment.Rescheduled.with {
                    $0.student = row.student
                    $0.fromSlot = row.slot
                    $0.fromStartsAt = row.startsAt
                    $0.slot = slot
                    $0.coach = offer.coach
                    $0.startsAt = offer.startsAt
                    $0.endsAt = offer.endsAt
                }, appointment: appointment)
            if let moved = programme.appointments[appointment] {
                scene.notify(.appointmentRescheduled, appointment, moved)
            }
        }
    }

    package struct CancelAppointment: Command {
        package static let type = "quranflow.appointment.cancel"
        var appointment = AppointmentID.none
        var reason: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("appointment", &appointment)
            coder.optionalFilled("reason", &reason)
        }

        package func who(in programme: Programme) -> Who { .studentCoachOrAdmin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.appointment(appointment)
            try scene.checkParty(row)
            try scene.checkChange(row)
            scene.record(
                Appointment.Cancelled.with {
                    $0.student = row.student
                    $0.slot = row.slot
                    $0.cancelledBy =
                        switch scene.actor.kind {
                        case .student: .student
                        case .coach: .coach
                        case .admin, .service, .system: .admin
                        }
                    $0.reason = reason
                }, appointment: appointment)
            scene.notify(.appointmentCancelled, appointment, row)
        }
    }

    package struct RecordOutcome: Command {
        package static let type = "quranflow.appointment.record-outcome"
        var appointment = AppointmentID.none
        var attended = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("appointment", &appointment)
            coder.field("attended", &attended)
        }

        package func who(in programme: Programme) -> Who { .coachOrAdmin(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.appointment(appointment)
            try scene.checkCoach(row.coach)
            if row.status != .booked { throw .appointmentNotOpen }
            if scene.at < row.endsAt { throw .notEnded }
            if attended {
                scene.record(
                    Appointment.Held.with {
                        $0.student = row.student
                        $0.coach = row.coach
                    }, appointment: appointment)
            } else {
                scene.record(
                    Appointment.Missed.with {
                        $0.student = row.student
                        $0.coach = row.coach
                    }, appointment: appointment)
            }
        }
    }
}

extension Scene<QuranFlow.Programme> {
    /// Student and coach of an appointment may change it, besides admins.
    fileprivate func checkParty(_ row: QuranFlow.AppointmentRow) throws(QuranFlow.Rejection) {
        try checkOwner(row.student)
        try checkCoach(row.coach)
    }

    /// R29: until it begins; a student until some time before.
    fileprivate func checkChange(_ row: QuranFlow.AppointmentRow) throws(QuranFlow.Rejection) {
        if row.status != .booked || at >= row.startsAt { throw .appointmentNotOpen }
        let hours = Int64(state.policy.appointmentChangeHours)
        if isStudent, at > row.startsAt - hours * 3600 { throw .tooLateToChange }
    }
}
