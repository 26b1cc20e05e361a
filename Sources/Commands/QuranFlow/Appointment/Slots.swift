package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    package struct OfferSlot: Command {
        package static let type = "quranflow.slot.offer"
        var slot = SlotID.none
        var coach = CoachID.none
        var startsAt = Instant.epoch
        var minutes = 0
        var joinUrl = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("slot", &slot)
            coder.field("coach", &coach)
            coder.field("startsAt", &startsAt)
            coder.field("minutes", &minutes)
            coder.filled("joinUrl", &joinUrl)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("minutes", minutes, 5...240))
        }

        package func who(in programme: Programme) -> Who { .coachOrAdmin(coach) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            try programme.findCoach(coach)
            try scene.checkCoach(coach)
            if programme.slots.contains(slot) { throw .alreadyExists }
            if programme.isRetired(coach) { throw .coachRetired }
            if startsAt <= scene.at { throw .startsInPast }
            let endsAt = startsAt + Int64(minutes) * 60
            // R29: no slot is longer than four hours.
            let isBusy = programme.slots(from: startsAt - 240 * 60, before: endsAt).contains {
                $0.row.coach == coach && !$0.row.isWithdrawn && startsAt < $0.row.endsAt
            }
            if isBusy { throw .coachBusy }
            scene.record(
                Slot.Offered.with {
                    $0.coach = coach
                    $0.startsAt = startsAt
                    $0.endsAt = endsAt
                    $0.joinUrl = joinUrl
                }, "slot", slot)
        }
    }

    package struct WithdrawSlot: Command {
        package static let type = "quranflow.slot.withdraw"
        var slot = SlotID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("slot", &slot)
        }

        package func who(in programme: Programme) -> Who { .coachOrAdmin(nil) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.slot(slot)
            try scene.checkCoach(row.coach)
            if row.isWithdrawn { throw .slotWithdrawn }
            if !row.isFree { throw .slotTaken }
            scene.record(Slot.Withdrawn(), "slot", slot)
        }
    }
}

extension QuranFlow.Programme {
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
