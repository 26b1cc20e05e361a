import Core
import Folding
package import QuranFlowEvents

extension QuranFlow.State {
    /// Which sessions are for one student (R24).
    package struct Eligibility {
        let gender: QuranFlow.Gender
        /// Of the active current enrolment.
        let enrollment: (level: Int, semester: QuranFlow.SemesterID)?

        /// Enrolments that have ended, with when that was.
        let former: [(level: Int, semester: QuranFlow.SemesterID, endedAt: Instant)]

        package func covers(_ session: borrowing QuranFlow.SessionRow) -> Bool {
            guard suits(session) else { return false }
            guard let enrollment else { return session.level == nil }
            return Self.isOf(enrollment.level, enrollment.semester, session)
        }

        /// Its recording may be watched: the session is for the student, or took place for a level of theirs
        /// that has ended since (R36).
        package func coversRecording(of session: borrowing QuranFlow.SessionRow) -> Bool {
            if covers(session) { return true }
            guard suits(session) else { return false }
            for past in former where session.startsAt < past.endedAt {
                if Self.isOf(past.level, past.semester, session) { return true }
            }
            return false
        }

        private func suits(_ session: borrowing QuranFlow.SessionRow) -> Bool {
            switch session.gender {
            case .all: true
            case .female: gender == .female
            case .male: gender == .male
            }
        }

        private static func isOf(
            _ level: Int, _ semester: QuranFlow.SemesterID,
            _ session: borrowing QuranFlow.SessionRow
        ) -> Bool {
            (session.level == nil || session.level == level)
                && (session.semester == nil || session.semester == semester)
        }
    }

    /// With an active current enrolment its level and semester count; otherwise only sessions without a
    /// level are for the student (R24).
    package func eligibility(of student: QuranFlow.StudentID) -> Eligibility {
        let all = students.read(student) { $0.enrollments } ?? []
        let active = all.last.flatMap { id in
            enrollments.read(id) { $0.isActive ? ($0.level, $0.semester) : nil } ?? nil
        }
        let former = all.compactMap { id in
            enrollments.read(id) { row in
                row.endedAt.map { (level: row.level, semester: row.semester, endedAt: $0) }
            } ?? nil
        }
        return Eligibility(
            gender: people.read(.init(student)) { $0.gender } ?? .female, enrollment: active,
            former: former)
    }

    /// Whether a session is for a student (R24).
    package func isSession(_ session: QuranFlow.SessionID, for student: QuranFlow.StudentID) -> Bool
    {
        let eligibility = eligibility(of: student)
        return sessions.read(session) { eligibility.covers($0) } ?? false
    }

    /// Whether a student may watch the recording of a session (R36).
    package func isRecording(
        of session: QuranFlow.SessionID, for student: QuranFlow.StudentID
    ) -> Bool {
        let eligibility = eligibility(of: student)
        return sessions.read(session) { eligibility.coversRecording(of: $0) } ?? false
    }
}
