import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What the views' bases are made of (ADR 0020).
    enum Grounds {
        typealias Query = Basis.Query

        static let policy = Query.types(PolicyAdopted.self)

        /// A coach: their own events, and that they were erased.
        static let coach = Query.all(.stream("coach"), .erasure)

        /// Everything about a student, and that they were erased, with their coaches and semesters.
        static let life = Query.all(.tag("student"), .erasure).each("coach", coach)
            .each("semester", .stream("semester"))

        /// The same with the sessions, slots and appointments that it names.
        static let wholeLife = life.each("session", .stream("session")).each(
            "slot", .stream("slot")
        )
        .each("appointment", .stream("appointment"))

        /// An enrolment with its student.
        static let enrollment = Query.stream("enrollment").each("student", life)

        /// The same with the sessions that the student answered or joined.
        static let enrollmentWithSessions = Query.stream("enrollment").each(
            "student", life.each("session", .stream("session")))

        static let lessons = Query.types(Lesson.Published.self, Lesson.Revised.self)

        static let eocs = Query.types(EOC.Defined.self)

        /// Every semester: the next one is among them.
        static let semesters = Query.types(Semester.Scheduled.self)

        static let orientation = Query.types(Orientation.Published.self)

        /// Every session with its coach and its attendance.
        static let sessions = Query.types(
            Session.Scheduled.self, Session.Moved.self, Session.Cancelled.self,
            Session.RecordingPublished.self, Session.RSVPMade.self, Session.RSVPWithdrawn.self,
            Session.Joined.self
        ).each("coach", coach)

        /// What waits for a coach: the enrolments that were ever theirs, with their students.
        static let charges = Query.all(.tag("coach"), .stream("coach"), .erasure).each(
            "enrollment", Query.tag("enrollment").each("student", .stream("student"), .erasure))
    }
}
