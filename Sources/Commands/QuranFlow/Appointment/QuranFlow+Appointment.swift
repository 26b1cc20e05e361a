import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Takes a free slot for a student in Advanced (R29).
    struct BookAppointment: Command {
        static let type = "quranflow.appointment.book"
        var appointment = AppointmentID.none
        var student = StudentID.none
        var slot = SlotID.none

        func senders(in state: State) -> Senders { .student(student).or(.admin) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.find(student)
            let offer = try context.find(slot)
            try context.checkIsFree(appointment, unless: state.appointments.contains(appointment))
            if !row.isAdvanced { throw .notAdvanced }
            try context.check(offer, for: student)
            let open = row.appointments.count { id in
                state.appointments.read(id) { $0.status != .cancelled && $0.endsAt > context.at }
                    ?? false
            }
            let limit = state.policy.appointmentsOpenMax
            if open >= limit { throw context.refuse(.appointmentLimit, "\(open) of \(limit)") }
            context.record(
                Appointment.Booked(
                    student: student,
                    slot: slot,
                    coach: offer.coach,
                    startsAt: offer.startsAt,
                    endsAt: offer.endsAt), on: appointment)
            if let booked = state.appointments[appointment] {
                context.notify(.appointmentBooked, appointment, booked)
            }
        }
    }

    /// Moves an appointment to another slot (R29).
    struct RescheduleAppointment: Command {
        static let type = "quranflow.appointment.reschedule"
        var appointment = AppointmentID.none
        var slot = SlotID.none

        func senders(in state: State) -> Senders { .any(.student, .coach, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.find(appointment)
            let offer = try context.find(slot)
            try context.checkParty(of: appointment, row)
            try context.checkChange(row)
            try context.check(offer, for: row.student, moving: appointment)
            context.record(
                Appointment.Rescheduled(
                    student: row.student,
                    fromSlot: row.slot,
                    fromStartsAt: row.startsAt,
                    slot: slot,
                    coach: offer.coach,
                    startsAt: offer.startsAt,
                    endsAt: offer.endsAt), on: appointment)
            if let moved = state.appointments[appointment] {
                context.notify(.appointmentRescheduled, appointment, moved)
            }
        }
    }

    /// Calls an appointment off (R29).
    struct CancelAppointment: Command {
        static let type = "quranflow.appointment.cancel"
        var appointment = AppointmentID.none
        var reason: Filled?

        func senders(in state: State) -> Senders { .any(.student, .coach, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(appointment)
            try context.checkParty(of: appointment, row)
            try context.checkChange(row)
            let party: Appointment.Party =
                switch context.actor.kind {
                case .student: .student
                case .coach: .coach
                case .admin, .service, .system: .admin
                }
            context.record(
                Appointment.Cancelled(
                    student: row.student,
                    slot: row.slot,
                    cancelledBy: party,
                    reason: reason), on: appointment)
            context.notify(.appointmentCancelled, appointment, row)
        }
    }

    /// Says whether the student attended (R29).
    struct RecordOutcome: Command {
        static let type = "quranflow.appointment.record-outcome"
        var appointment = AppointmentID.none
        var attended = false

        func senders(in state: State) -> Senders { .any(.coach, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(appointment)
            try context.checkCoach(row.coach, of: appointment)
            if row.status != .booked { throw .appointmentNotOpen }
            if context.at < row.endsAt { throw .notEnded }
            if attended {
                context.record(
                    Appointment.Held(
                        student: row.student,
                        coach: row.coach), on: appointment)
            } else {
                context.record(
                    Appointment.Missed(
                        student: row.student,
                        coach: row.coach), on: appointment)
            }
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// Timer `appointment-reminder`: fires while the appointment is booked.
    func remindOfAppointment(_ appointment: QuranFlow.AppointmentID) {
        guard let row = state.appointments[appointment], row.status == .booked else { return }
        notifyReminder(of: appointment, row)
    }

    /// Admins, and student and coach of an appointment, may change it.
    fileprivate func checkParty(
        of appointment: QuranFlow.AppointmentID, _ row: QuranFlow.AppointmentRow
    ) throws(QuranFlow.Rejection) {
        try checkOwner(row.student, of: appointment)
        try checkCoach(row.coach, of: appointment)
    }

    /// An appointment can be changed until it begins, by its student until some time before (R29).
    fileprivate func checkChange(_ row: QuranFlow.AppointmentRow) throws(QuranFlow.Rejection) {
        if row.status != .booked || at >= row.startsAt { throw .appointmentNotOpen }
        let notice = state.policy.appointmentChangeHours
        if isStudent, at > row.startsAt - notice { throw .tooLateToChange }
    }
}
