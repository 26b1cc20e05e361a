package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    package struct MakeRSVP: Command {
        package static let type = "quranflow.rsvp.make"
        var session = SessionID.none
        var student = StudentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.field("student", &student)
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.sessionFound(session, by: student)
            if !scene.state.isSession(session, for: student) { throw .sessionNotForYou }
            if scene.state.isGoing(student, to: session) { throw .alreadyGoing }
            scene.record(
                Session.RSVPMade.with {
                    $0.student = student
                    $0.going = row.going + 1
                }, session: session)
        }
    }

    package struct WithdrawRSVP: Command {
        package static let type = "quranflow.rsvp.withdraw"
        var session = SessionID.none
        var student = StudentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.field("student", &student)
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.sessionFound(session, by: student)
            if !scene.state.isGoing(student, to: session) { throw .notGoing }
            scene.record(
                Session.RSVPWithdrawn.with {
                    $0.student = student
                    $0.going = row.going - 1
                }, session: session)
        }
    }

    /// Joins a session within its window (R25); dropping in without an RSVP is allowed.
    package struct JoinSession: Command {
        package static let type = "quranflow.session.join"
        var session = SessionID.none
        var student = StudentID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
            coder.field("student", &student)
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.sessionFound(session, by: student)
            if !scene.state.isSession(session, for: student) { throw .sessionNotForYou }
            if !row.state(at: scene.at, scene.state.policy).isJoinable { throw .joinNotOpen }
            let joined = scene.state.attendances.read(.init(session, student)) { $0.hasJoined }
            scene.record(
                Session.Joined.with {
                    $0.student = student
                    $0.first = joined != true
                }, session: session)
        }
    }
}

extension Scene<QuranFlow.Programme> {
    /// The session and the student are there, and it is neither cancelled nor ended.
    fileprivate func sessionFound(
        _ session: QuranFlow.SessionID, by student: QuranFlow.StudentID
    ) throws(QuranFlow.Rejection) -> QuranFlow.SessionRow {
        _ = try state.session(session)
        _ = try state.student(student)
        return try openSession(session)
    }
}
