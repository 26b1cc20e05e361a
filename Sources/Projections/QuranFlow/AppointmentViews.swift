import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Which appointments do I have, and which did I have?
    static let appointmentsView = ReadModel<State>(
        "quranflow.appointments", "Which appointments do I have?", key: "student",
        keys: { $0.studentKeys },
        basis: .on(Grounds.wholeLife, Grounds.policy)
    ) { state, request, output in
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        let upcoming = learner.upcomingAppointments
        let past = learner.row.appointments.filter { id in
            !upcoming.contains { $0.id == id }
        }.compactMap { id in state.appointments[id].map { (id: id, row: $0) } }
        let history = state.sorted(
            past, by: { $0.row.startsAt }, id: { $0.id }, descending: true)
        output.object { output in
            output.array("history", history) { learner.write($1.id, $1.row, to: &$0) }
            output.member("student", learner.id)
            output.array("upcoming", upcoming) { learner.write($1.id, $1.row, to: &$0) }
        }
        return true
    }

    /// Which times can I book? By start, then id.
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
            let date = learner.teller.date(of: slot.row.startsAt)
            if dates.last != date { dates.append(date) }
        }
        output.object { output in
            output.array("days", dates) { output, date in
                output.object { output in
                    output.member("date", date)
                    let ofDay = shown.filter { learner.teller.date(of: $0.row.startsAt) == date }
                    output.array("slots", ofDay) { output, slot in
                        output.object { output in
                            output.member("coach", slot.row.coach)
                            output.member("coachName", state.name(slot.row.coach))
                            output.time("endsAt", slot.row.endsAt, learner.teller)
                            output.member("slot", slot.id)
                            output.time("startsAt", slot.row.startsAt, learner.teller)
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
    /// R29, R11: free, not too soon, and of a coach who suits; none outside of Advanced.
    fileprivate var bookableSlots: [(id: QuranFlow.SlotID, row: QuranFlow.SlotRow)] {
        guard phase == .advanced else { return [] }
        let first = now + Int64(policy.appointmentLeadHours) * 3600
        return state.sorted(
            state.slots(from: first).filter {
                $0.row.isFree && state.suits($0.row.coach, id)
                    && state.isPresent(.init($0.row.coach))
            }, by: { $0.row.startsAt }, id: { $0.id })
    }

    fileprivate func write(
        _ id: QuranFlow.AppointmentID, _ row: QuranFlow.AppointmentRow, to output: inout JSONOutput
    ) {
        let status = row.state(at: now, policy)
        let joining = Joining(status, startsAt: row.startsAt, policy, at: now)
        let changeHours = Int64(policy.appointmentChangeHours)
        output.object { output in
            output.member("appointment", id)
            output.time("changeableUntil", row.startsAt - changeHours * 3600, teller)
            output.member("coach", row.coach)
            output.member("coachName", state.name(row.coach))
            output.time("endsAt", row.endsAt, teller)
            output.member("joinText", joining.text)
            output.member(
                "joinUrl",
                status.isJoinable ? state.slots.read(row.slot) { $0.joinUrl } : nil)
            output.member("joinable", status.isJoinable)
            output.member("slot", row.slot)
            output.time("startsAt", row.startsAt, teller)
            output.member("state", status)
            output.member("status", row.status)
        }
    }
}
