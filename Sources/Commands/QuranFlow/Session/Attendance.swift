import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    struct MakeRSVP: Command {
        static let type = "quranflow.rsvp.make"
        var session = SessionID.none
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.field("student", &student)
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.sessionFound(session, by: student)
            if !context.state.isSession(session, for: student) { throw .sessionNotForYou }
            if context.state.isGoing(student, to: session) { throw .alreadyGoing }
            context.record(
                Session.RSVPMade.with {
                    $0.student = student
                    $0.going = row.going + 1
                }, session: session)
        }
    }

    struct WithdrawRSVP: Command {
        static let type = "quranflow.rsvp.withdraw"
        var session = SessionID.none
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.field("student", &student)
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.sessionFound(session, by: student)
            if !context.state.isGoing(student, to: session) { throw .notGoing }
            context.record(
                Session.RSVPWithdrawn.with {
                    $0.student = student
                    $0.going = row.going - 1
                }, session: session)
        }
    }

    /// Joins a session within its window (R25); dropping in without an RSVP is allowed.
    struct JoinSession: Command {
        static let type = "quranflow.session.join"
        var session = SessionID.none
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.field("student", &student)
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.sessionFound(session, by: student)
            if !context.state.isSession(session, for: student) { throw .sessionNotForYou }
            if !row.state(at: context.at, context.state.policy).isJoinable { throw .joinNotOpen }
            let joined = context.state.attendances.read(.init(session, student)) { $0.hasJoined }
            context.record(
                Session.Joined.with {
                    $0.student = student
                    $0.first = joined != true
                }, session: session)
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// The session and the student are there, and it is neither cancelled nor ended.
    fileprivate func sessionFound(
        _ session: QuranFlow.SessionID, by student: QuranFlow.StudentID
    ) throws(QuranFlow.Rejection) -> QuranFlow.SessionRow {
        _ = try state.session(session)
        _ = try state.student(student)
        return try openSession(session)
    }
}
