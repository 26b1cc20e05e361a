import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Offers a time that can be booked (R29).
    struct OfferSlot: Command {
        static let type = "quranflow.slot.offer"
        var slot = SlotID.none
        var coach = CoachID.none
        var startsAt = Instant.epoch
        var minutes = 0
        var joinUrl: Filled = ""

        func problem(_ names: Names) -> String? {
            rangeProblem(("minutes", minutes, 5...240))
        }

        func senders(in state: State) -> Senders { .one(.coach, coach).or(.admin) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            try context.find(coach)
            try context.checkCoach(coach, of: coach)
            try context.checkIsFree(slot, unless: state.slots.contains(slot))
            if state.isRetired(coach) { throw .coachRetired }
            if startsAt <= context.at { throw .startsInPast }
            let endsAt = startsAt + Minutes(minutes)
            // No slot is longer than four hours, so these are all that may overlap (R29).
            let isBusy = state.slots(from: startsAt - Hours(4), before: endsAt).contains {
                $0.row.coach == coach && !$0.row.isWithdrawn && startsAt < $0.row.endsAt
            }
            if isBusy { throw .coachBusy }
            context.record(
                Slot.Offered(
                    coach: coach,
                    startsAt: startsAt,
                    endsAt: endsAt,
                    joinUrl: joinUrl), on: slot)
        }
    }

    /// Takes back a slot that nobody holds (R29).
    struct WithdrawSlot: Command {
        static let type = "quranflow.slot.withdraw"
        var slot = SlotID.none

        func senders(in state: State) -> Senders { .any(.coach, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(slot)
            try context.checkCoach(row.coach, of: slot)
            if row.isWithdrawn { throw .slotWithdrawn }
            if !row.isFree { throw .slotTaken }
            context.record(Slot.Withdrawn(), on: slot)
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// The codes about a slot that a student would take, but for overlaps with the appointment that moves (R29).
    func check(
        _ slot: QuranFlow.SlotRow, for student: QuranFlow.StudentID,
        moving appointment: QuranFlow.AppointmentID? = nil
    ) throws(QuranFlow.Rejection) {
        if slot.isWithdrawn { throw .slotWithdrawn }
        if !slot.isFree { throw .slotTaken }
        if at > slot.startsAt - state.policy.appointmentLeadHours {
            throw .slotTooSoon
        }
        if !state.suits(slot.coach, student) { throw .coachGenderMismatch }
        let overlaps = (state.students[student]?.appointments ?? []).contains { id in
            id != appointment
                && state.appointments.read(id) {
                    $0.status != .cancelled && slot.startsAt < $0.endsAt
                        && $0.startsAt < slot.endsAt
                } ?? false
        }
        if overlaps { throw .appointmentOverlap }
    }
}
