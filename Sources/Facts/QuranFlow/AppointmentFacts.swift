package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    package struct SlotRow: Record {
        package var coach = CoachID.none
        package var startsAt = Instant.epoch
        package var endsAt = Instant.epoch
        package var joinUrl = ""
        package var isWithdrawn = false
        /// The appointment that holds it.
        package var appointment: AppointmentID?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("coach", &coach)
            coder.field("startsAt", &startsAt)
            coder.field("endsAt", &endsAt)
            coder.field("joinUrl", &joinUrl)
            coder.field("isWithdrawn", &isWithdrawn)
            coder.field("appointment", &appointment)
        }

        /// R29.
        package var isFree: Bool { !isWithdrawn && appointment == nil }
    }

    /// Slots that start on a UTC day.
    package struct SlotDay: Record {
        package var slots: [SlotID] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("slots", &slots)
        }
    }

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

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("slot", &slot)
            coder.field("coach", &coach)
            coder.field("startsAt", &startsAt)
            coder.field("endsAt", &endsAt)
            coder.field("status", &status)
            coder.field("reminderMinutes", &reminderMinutes)
        }

        package func state(at instant: Instant, _ policy: Policy) -> SessionState {
            .init(
                isCancelled: status == .cancelled, startsAt..<endsAt, at: instant,
                windowMinutes: policy.joinWindowMinutes)
        }
    }
}

extension QuranFlow.Programme {
    static func appointmentRoutes(_ routes: inout Routes<QuranFlow.Programme>) {
        routes.on(QuranFlow.Slot.Offered.self) { programme, fact, event in
            let slot: QuranFlow.SlotID = programme.thing(of: event)
            programme.slots.update(slot) {
                $0.coach = fact.coach
                $0.startsAt = fact.startsAt
                $0.endsAt = fact.endsAt
                $0.joinUrl = fact.joinUrl
            }
            let day = day(fact.startsAt)
            programme.slotDays.update(day) { $0.slots.append(slot) }
            programme.catalogue { $0.slotDays.insertOnce(day) }
        }
        routes.on(QuranFlow.Slot.Withdrawn.self) { programme, _, event in
            programme.slots.updateExisting(programme.thing(of: event)) { $0.isWithdrawn = true }
        }
        routes.on(QuranFlow.Appointment.Booked.self) { programme, fact, event in
            let appointment: QuranFlow.AppointmentID = programme.thing(of: event)
            guard programme.students.contains(fact.student) else { return }
            programme.students.update(fact.student) { $0.appointments.append(appointment) }
            programme.appointments.update(appointment) {
                $0.student = fact.student
                $0.slot = fact.slot
                $0.coach = fact.coach
                $0.startsAt = fact.startsAt
                $0.endsAt = fact.endsAt
            }
            programme.slots.updateExisting(fact.slot) { $0.appointment = appointment }
            programme.remind(appointment, of: fact.startsAt, event)
        }
        routes.on(QuranFlow.Appointment.Rescheduled.self) { programme, fact, event in
            let appointment: QuranFlow.AppointmentID = programme.thing(of: event)
            guard programme.appointments.contains(appointment) else { return }
            programme.appointments.update(appointment) {
                $0.slot = fact.slot
                $0.coach = fact.coach
                $0.startsAt = fact.startsAt
                $0.endsAt = fact.endsAt
            }
            // R29: the old slot is free again.
            programme.slots.updateExisting(fact.fromSlot) { $0.appointment = nil }
            programme.slots.updateExisting(fact.slot) { $0.appointment = appointment }
            programme.timers.cancelAll(on: event.stream)
            programme.remind(appointment, of: fact.startsAt, event)
        }
        routes.on(QuranFlow.Appointment.Cancelled.self) { programme, fact, event in
            programme.end(.cancelled, event)
            programme.slots.updateExisting(fact.slot) { $0.appointment = nil }
        }
        routes.on(QuranFlow.Appointment.Held.self) { programme, _, event in
            programme.end(.held, event)
        }
        routes.on(QuranFlow.Appointment.Missed.self) { programme, _, event in
            programme.end(.missed, event)
        }
    }

    private func end(_ status: QuranFlow.AppointmentRow.Status, _ event: Circumstances) {
        appointments.updateExisting(thing(of: event)) { $0.status = status }
        timers.cancelAll(on: event.stream)
    }

    /// The reminder, when it lies after the event that set the start.
    private func remind(
        _ appointment: QuranFlow.AppointmentID, of start: Instant, _ event: Circumstances
    ) {
        let minutes = policy.sessionReminderMinutes
        let due = start - Int64(minutes) * 60
        guard due > event.at else { return }
        appointments.updateExisting(appointment) { $0.reminderMinutes = minutes }
        timers.set(.appointmentReminder, on: event.stream, due: due, cause: event.position)
    }

    /// The slots that start at an instant or later, up to another, in no order that means anything.
    package func slots(
        from start: Instant, before end: Instant? = nil
    ) -> [(id: QuranFlow.SlotID, row: QuranFlow.SlotRow)] {
        let days = catalogues.read(.only) { $0.slotDays } ?? []
        var found: [(id: QuranFlow.SlotID, row: QuranFlow.SlotRow)] = []
        for day in days[days.firstPlace(from: Self.day(start))...] {
            if let end, Instant(seconds: Int64(day.number) * 86_400) >= end { break }
            for slot in slotDays[day]?.slots ?? [] {
                guard let row = slots[slot], row.startsAt >= start else { continue }
                if let end, row.startsAt >= end { continue }
                found.append((slot, row))
            }
        }
        return found
    }
}
