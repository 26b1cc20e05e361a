package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A meeting of a graduate and a coach (R29).
    package struct AppointmentRow: Record {
        package enum Status: String, Choice {
            case booked, held, missed, cancelled
        }

        package var student = StudentID.none
        package var slot = SlotID.none
        package var coach = CoachID.none
        package var startsAt = Instant.epoch
        package var endsAt = Instant.epoch
        package var status = Status.booked
        /// The policy's value when the reminder was set.
        package var reminderMinutes = 0

        package init() {}

        /// The state at an instant, as a session's (R25).
        package func state(at instant: Instant, _ policy: Policy) -> SessionState {
            .init(
                isCancelled: status == .cancelled, startsAt..<max(startsAt, endsAt), at: instant,
                window: policy.joinWindowMinutes)
        }
    }
}

extension QuranFlow.State {
    static func appointmentRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Appointment.Booked.self) { state, event, metadata in
            let appointment: QuranFlow.AppointmentID = state.thing(of: metadata)
            guard state.students.contains(event.student) else { return }
            state.students.update(event.student) { $0.appointments.append(appointment) }
            state.appointments.update(appointment) {
                $0.student = event.student
                $0.slot = event.slot
                $0.coach = event.coach
                $0.startsAt = event.startsAt
                $0.endsAt = event.endsAt
            }
            state.slots.updateExisting(event.slot) { $0.appointment = appointment }
            state.remind(appointment, of: event.startsAt, metadata)
        }
        routes.on(QuranFlow.Appointment.Rescheduled.self) { state, event, metadata in
            let appointment: QuranFlow.AppointmentID = state.thing(of: metadata)
            guard state.appointments.contains(appointment) else { return }
            state.appointments.update(appointment) {
                $0.slot = event.slot
                $0.coach = event.coach
                $0.startsAt = event.startsAt
                $0.endsAt = event.endsAt
            }
            // The old slot is free again (R29).
            state.slots.updateExisting(event.fromSlot) { $0.appointment = nil }
            state.slots.updateExisting(event.slot) { $0.appointment = appointment }
            state.timers.cancelAll(on: metadata.stream)
            state.remind(appointment, of: event.startsAt, metadata)
        }
        routes.on(QuranFlow.Appointment.Cancelled.self) { state, event, metadata in
            state.end(.cancelled, metadata)
            state.slots.updateExisting(event.slot) { $0.appointment = nil }
        }
        routes.on(QuranFlow.Appointment.Held.self) { state, _, metadata in
            state.end(.held, metadata)
        }
        routes.on(QuranFlow.Appointment.Missed.self) { state, _, metadata in
            state.end(.missed, metadata)
        }
    }

    private func end(_ status: QuranFlow.AppointmentRow.Status, _ metadata: EventMetadata) {
        appointments.updateExisting(thing(of: metadata)) { $0.status = status }
        timers.cancelAll(on: metadata.stream)
    }

    /// The reminder, when it lies after the event that set the start.
    private func remind(
        _ appointment: QuranFlow.AppointmentID, of start: Instant, _ metadata: EventMetadata
    ) {
        let minutes = policy.sessionReminderMinutes
        let due = start - minutes
        guard due > metadata.at else { return }
        appointments.updateExisting(appointment) { $0.reminderMinutes = minutes.count }
        timers.set(.appointmentReminder, on: metadata.stream, due: due, cause: metadata.position)
    }
}
