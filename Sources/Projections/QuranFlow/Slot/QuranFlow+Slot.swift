import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Which times can I book (R29)? By start, then id.
    static let appointmentSlotsView = ReadModel<State>(
        "quranflow.appointment-slots", "Which times can I book?", key: "student",
        arguments: ["page"], keys: { $0.studentKeys }
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        let slots = learner.bookableSlots
        let shown = slots[page.range(of: slots.count)]
        var dates: [LocalDate] = []
        for slot in shown {
            let date = learner.formatter.date(of: slot.row.startsAt)
            if dates.last != date { dates.append(date) }
        }
        output.object { output in
            output.array("days", dates) { output, date in
                output.object { output in
                    output.member("date", date)
                    let ofDay = shown.filter { learner.formatter.date(of: $0.row.startsAt) == date }
                    output.array("slots", ofDay) { output, slot in
                        output.object { output in
                            output.member("coach", slot.row.coach)
                            output.member("coachName", state.name(slot.row.coach))
                            output.time("endsAt", slot.row.endsAt, learner.formatter)
                            output.member("slot", slot.id)
                            output.time("startsAt", slot.row.startsAt, learner.formatter)
                        }
                    }
                }
            }
            page.write(total: slots.count, to: &output)
            output.member("student", learner.id)
        }
        return true
    }
}

extension QuranFlow.Learner {
    /// The slots that are free, not too soon and of a coach who suits; none outside of Advanced (R29, R11).
    fileprivate var bookableSlots: [(id: QuranFlow.SlotID, row: QuranFlow.SlotRow)] {
        guard phase == .advanced else { return [] }
        let first = now + policy.appointmentLeadHours
        return state.sorted(
            state.slots(from: first).filter {
                $0.row.isFree && state.suits($0.row.coach, id)
                    && state.isPresent(.init($0.row.coach))
            }, by: { $0.row.startsAt }, id: { $0.id })
    }
}
