import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Which appointments do I have, and which did I have (R29)?
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
}

extension QuranFlow.Learner {
    fileprivate func write(
        _ id: QuranFlow.AppointmentID, _ row: QuranFlow.AppointmentRow, to output: inout JSONOutput
    ) {
        let status = row.state(at: now, policy)
        let joining = Joining(status, startsAt: row.startsAt, policy, at: now)
        output.object { output in
            output.member("appointment", id)
            output.time("changeableUntil", row.startsAt - policy.appointmentChangeHours, formatter)
            output.member("coach", row.coach)
            output.member("coachName", state.name(row.coach))
            output.time("endsAt", row.endsAt, formatter)
            output.member("joinText", joining.text)
            // Null unless it can be joined (R25).
            output.member(
                "joinUrl",
                status.isJoinable ? state.slots.read(row.slot) { $0.joinUrl } : nil)
            output.member("joinable", status.isJoinable)
            output.member("slot", row.slot)
            output.time("startsAt", row.startsAt, formatter)
            output.member("state", status)
            output.member("status", row.status)
        }
    }

    /// Appointments that are booked and not ended, by start, then id.
    var upcomingAppointments: [(id: QuranFlow.AppointmentID, row: QuranFlow.AppointmentRow)] {
        let upcoming = row.appointments.compactMap { id in
            state.appointments[id].flatMap { row in
                row.status == .booked && row.endsAt > now ? (id: id, row: row) : nil
            }
        }
        return state.sorted(upcoming, by: { $0.row.startsAt }, id: { $0.id })
    }
}
