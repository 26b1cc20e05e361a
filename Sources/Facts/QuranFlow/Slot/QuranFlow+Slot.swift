package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A time that a coach offers.
    package struct SlotRow: Record {
        package var coach = CoachID.none
        package var startsAt = Instant.epoch
        package var endsAt = Instant.epoch
        package var joinUrl = ""
        package var isWithdrawn = false
        /// The appointment that holds it.
        package var appointment: AppointmentID?

        package init() {}

        /// It can be booked: neither withdrawn nor held by an appointment (R29).
        package var isFree: Bool { !isWithdrawn && appointment == nil }
    }

    /// The slots that start on a UTC day.
    package struct SlotDay: Record {
        package var slots: [SlotID] = []

        package init() {}
    }
}

extension QuranFlow.State {
    static func slotRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Slot.Offered.self) { state, event, metadata in
            let slot: QuranFlow.SlotID = state.thing(of: metadata)
            state.slots.update(slot) {
                $0.coach = event.coach
                $0.startsAt = event.startsAt
                $0.endsAt = event.endsAt
                $0.joinUrl = event.joinUrl
            }
            let day = day(event.startsAt)
            state.slotDays.update(day) { $0.slots.append(slot) }
            state.updateCatalogue { $0.slotDays.insertOnce(day) }
        }
        routes.on(QuranFlow.Slot.Withdrawn.self) { state, _, metadata in
            state.slots.updateExisting(state.thing(of: metadata)) { $0.isWithdrawn = true }
        }
    }

    /// The slots that start at an instant or later, up to another, in no particular order.
    package func slots(
        from start: Instant, before end: Instant? = nil
    ) -> [(id: QuranFlow.SlotID, row: QuranFlow.SlotRow)] {
        let days = catalogues.read(.only) { $0.slotDays } ?? []
        var found: [(id: QuranFlow.SlotID, row: QuranFlow.SlotRow)] = []
        for day in days[days.firstIndex(from: Self.day(start))...] {
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
