import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    struct OfferSlot: Command {
        static let type = "quranflow.slot.offer"
        var slot = SlotID.none
        var coach = CoachID.none
        var startsAt = Instant.epoch
        var minutes = 0
        var joinUrl = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("slot", &slot)
            coder.field("coach", &coach)
            coder.field("startsAt", &startsAt)
            coder.field("minutes", &minutes)
            coder.filled("joinUrl", &joinUrl)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("minutes", minutes, 5...240))
        }

        func senders(in state: State) -> Senders { .one(.coach, coach).or(.admin) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            try state.findCoach(coach)
            try context.checkCoach(coach)
            if state.slots.contains(slot) { throw .alreadyExists }
            if state.isRetired(coach) { throw .coachRetired }
            if startsAt <= context.at { throw .startsInPast }
            let endsAt = startsAt + Int64(minutes) * 60
            // R29: no slot is longer than four hours.
            let isBusy = state.slots(from: startsAt - 240 * 60, before: endsAt).contains {
                $0.row.coach == coach && !$0.row.isWithdrawn && startsAt < $0.row.endsAt
            }
            if isBusy { throw .coachBusy }
            context.record(
                Slot.Offered.with {
                    $0.coach = coach
                    $0.startsAt = startsAt
                    $0.endsAt = endsAt
                    $0.joinUrl = joinUrl
                }, "slot", slot)
        }
    }

    struct WithdrawSlot: Command {
        static let type = "quranflow.slot.withdraw"
        var slot = SlotID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("slot", &slot)
        }

        func senders(in state: State) -> Senders { .any(.coach, .admin) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.slot(slot)
            try context.checkCoach(row.coach)
            if row.isWithdrawn { throw .slotWithdrawn }
            if !row.isFree { throw .slotTaken }
            context.record(Slot.Withdrawn(), "slot", slot)
        }
    }
}

extension QuranFlow.State {
    /// R29: the codes about a slot that a student would take, for another appointment than the given one.
    func check(
        _ slot: QuranFlow.SlotRow, for student: QuranFlow.StudentID,
        but appointment: QuranFlow.AppointmentID?, at instant: Instant
    ) throws(QuranFlow.Rejection) {
        if slot.isWithdrawn { throw .slotWithdrawn }
        if !slot.isFree { throw .slotTaken }
        if instant > slot.startsAt - Int64(policy.appointmentLeadHours) * 3600 {
            throw .slotTooSoon
        }
        if !suits(slot.coach, student) { throw .coachGenderMismatch }
        let overlaps = (students[student]?.appointments ?? []).contains { id in
            id != appointment
                && appointments.read(id) {
                    $0.status != .cancelled && slot.startsAt < $0.endsAt
                        && $0.startsAt < slot.endsAt
                } ?? false
        }
        if overlaps { throw .appointmentOverlap }
    }
}
