import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// A student's command about a session to come or under way.
    protocol AttendanceCommand: Command {
        var session: SessionID { get set }
        var student: StudentID { get set }
    }

    /// Says that the student will attend.
    struct MakeRSVP: AttendanceCommand {
        static let type = "quranflow.rsvp.make"
        var session = SessionID.none
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try findSession(in: context)
            if !context.state.isSession(session, for: student) { throw .sessionNotForYou }
            if context.state.isGoing(student, to: session) { throw .alreadyGoing }
            context.record(
                Session.RSVPMade(
                    student: student,
                    going: row.going + 1), on: session)
        }
    }

    /// Says that the student will not attend after all.
    struct WithdrawRSVP: AttendanceCommand {
        static let type = "quranflow.rsvp.withdraw"
        var session = SessionID.none
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try findSession(in: context)
            if !context.state.isGoing(student, to: session) { throw .notGoing }
            context.record(
                Session.RSVPWithdrawn(
                    student: student,
                    going: row.going - 1), on: session)
        }
    }

    /// Joins a session within its window (R25); dropping in without an RSVP is allowed.
    struct JoinSession: AttendanceCommand {
        static let type = "quranflow.session.join"
        var session = SessionID.none
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try findSession(in: context)
            if !context.state.isSession(session, for: student) { throw .sessionNotForYou }
            let policy = context.state.policy
            if !row.state(at: context.at, policy).isJoinable {
                let opensAt = row.startsAt - policy.joinWindowMinutes
                throw context.refuse(.joinNotOpen, "it opens at \(opensAt)")
            }
            let joined = context.state.attendances.read(.init(session, student)) { $0.hasJoined }
            context.record(
                Session.Joined(
                    student: student,
                    first: joined != true), on: session)
        }
    }
}

extension QuranFlow.AttendanceCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("session", &session)
        coder.field("student", &student)
    }

    func senders(in state: QuranFlow.State) -> Senders { .student(student) }

    /// Session and student are there, and the session is neither cancelled nor ended.
    fileprivate func findSession(
        in context: QuranFlow.Context
    ) throws(QuranFlow.Rejection) -> QuranFlow.SessionRow {
        try context.find(session)
        try context.find(student)
        return try context.findOpen(session)
    }
}
