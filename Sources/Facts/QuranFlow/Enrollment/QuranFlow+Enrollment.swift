package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    package enum EnrollmentState: String, Choice {
        case active, graduated, lapsed, withdrawn
    }

    /// How an enrolment ended, and when.
    package struct EnrollmentEnd: Record {
        package var state = EnrollmentState.graduated
        package var at = Instant.epoch

        package init() {}

        init(_ state: EnrollmentState, at instant: Instant) {
            self.state = state
            at = instant
        }
    }

    /// A student's way through a level, with the values of the policy that were fixed when it was opened.
    package struct EnrollmentRow: Record {
        package var student = StudentID.none
        package var level = 0
        package var semester = SemesterID.none
        /// The one assigned last (R11).
        package var coach: CoachID?
        /// The one that it was opened with.
        package var firstCoach: CoachID?
        package var firstWeek = 1
        package var weekZone = InternedText.empty
        package var weekStarts: [Instant] = []
        package var requiredSubmissions = 0
        package var countsWhen = Enrollment.CountsWhen.submitted
        package var reminderHours: [Int] = []
        package var eocOpensAt = Instant.epoch
        package var closesAt = Instant.epoch
        package var openedAt = Instant.epoch
        /// How and when it ended; nil while it is active.
        package var end: EnrollmentEnd?
        package var weekRows: [WeekRow] = []
        /// All recordings in the order in which they were submitted, and when that was.
        package var recordings: [RecordingID] = []
        package var submissions: [Instant] = []
        /// The recordings whose feedback is not reviewed yet, in the order in which it was given.
        package var unreviewed: [RecordingID] = []
        package var hasFeedback = false
        /// Recordings whose feedback is awaited.
        package var awaiting: [RecordingID] = []
        package var assessment = Assessment.locked
        /// Completed weeks when the assessment was unlocked.
        package var completedAtUnlock = 0
        package var attempts = 0
        /// The number of the notification of the last results.
        package var resultsNotice = 0

        package init() {}

        package var state: EnrollmentState { end?.state ?? .active }
        package var endedAt: Instant? { end?.at }
        package var isActive: Bool { end == nil }

        /// There is, or will be, something for a coach to answer (R38).
        package var needsCoach: Bool { isActive || !awaiting.isEmpty }
    }
}

extension QuranFlow.EnrollmentRow {
    /// When it lapses unless results are awaited (R22).
    package var closing: Instant { max(closesAt, assessment.retakeUntil ?? closesAt) }
}

extension QuranFlow.State {
    /// The week zone in which the student had this semester before, if they had it (R4).
    package func weekZone(
        of student: QuranFlow.StudentID, in semester: QuranFlow.SemesterID
    ) -> InternedText? {
        (students.read(student) { $0.enrollments } ?? []).lazy.compactMap { id in
            self.enrollments.read(id) { $0.semester == semester ? $0.weekZone : nil } ?? nil
        }.first
    }
}

extension QuranFlow.State {
    static func enrollmentRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Enrollment.Opened.self) { $0.opened($1, $2) }
        routes.on(QuranFlow.Enrollment.CoachAssigned.self) { state, event, metadata in
            let enrollment: QuranFlow.EnrollmentID = state.thing(of: metadata)
            guard state.enrollments.contains(enrollment) else { return }
            state.enrollments.update(enrollment) { $0.coach = event.coach }
            state.charge(event.coach, with: enrollment)
        }
        routes.on(QuranFlow.Enrollment.CoachUnassigned.self) { state, _, metadata in
            state.enrollments.updateExisting(state.thing(of: metadata)) { $0.coach = nil }
        }
        routes.on(QuranFlow.Enrollment.Withdrawn.self) { state, _, metadata in
            state.end(.withdrawn, metadata)
        }
        routes.on(QuranFlow.Enrollment.Lapsed.self) { state, _, metadata in
            state.end(.lapsed, metadata)
        }
        routes.on(QuranFlow.Enrollment.Graduated.self) { state, _, metadata in
            state.end(.graduated, metadata)
        }
    }

    private func opened(_ event: QuranFlow.Enrollment.Opened, _ metadata: EventMetadata) {
        let enrollment: QuranFlow.EnrollmentID = thing(of: metadata)
        guard students.contains(event.student), event.weekStarts.count > 1 else { return }
        enrollments.update(enrollment) {
            $0.student = event.student
            $0.level = event.level
            $0.semester = event.semester
            $0.coach = event.coach
            $0.firstCoach = event.coach
            $0.firstWeek = event.firstWeek
            $0.weekZone = event.weekZone
            $0.weekStarts = event.weekStarts
            $0.requiredSubmissions = event.requiredSubmissions
            $0.countsWhen = event.countsWhen
            $0.reminderHours = event.reminderHours
            $0.eocOpensAt = event.eocOpensAt
            $0.closesAt = event.closesAt
            $0.openedAt = metadata.at
            $0.weekRows = Array(repeating: .init(), count: event.weekStarts.count - 1)
        }
        students.update(event.student) { $0.enrollments.append(enrollment) }
        if let coach = event.coach { charge(coach, with: enrollment) }
        if let count = semesters.read(event.semester, { $0.enrollments }) {
            semesters.update(event.semester) { $0.enrollments += 1 }
            cohorts.append(enrollment, to: event.semester, at: count)
        }
        setTimers(event, metadata)
    }

    /// Sets the timers of the weeks, the deadlines, the EOC and the closing, as far as they are to come
    /// (page, Timers).
    private func setTimers(_ event: QuranFlow.Enrollment.Opened, _ metadata: EventMetadata) {
        var entries: [Timers.Entry] = []
        func add(_ name: QuranFlow.TimerName, _ due: Instant) {
            entries.append(.init(name.text, due: due, cause: metadata.position))
        }
        for week in 1..<event.weekStarts.count {
            let start = event.weekStarts[week - 1]
            if start > metadata.at { add(.weekUnlock(week: week), start) }
            for hours in event.reminderHours {
                let due = event.weekStarts[week] - Minutes(1) - Hours(hours)
                if due > metadata.at { add(.deadline(week: week, hours: hours), due) }
            }
        }
        if event.eocOpensAt > metadata.at { add(.eocOpen, event.eocOpensAt) }
        // The assessment is due with the week at whose start it opens (R37).
        let eocWeek = QuranFlow.currentWeek(event.weekStarts, at: event.eocOpensAt)
        for hours in event.reminderHours {
            let due = event.weekStarts[eocWeek] - Minutes(1) - Hours(hours)
            if due > metadata.at { add(.eocDeadline(hours: hours), due) }
        }
        add(.enrollmentClose, event.closesAt)
        timers.set(entries, on: metadata.stream)
    }

    /// Puts an enrolment on the list of those that were ever a coach's.
    private func charge(_ coach: QuranFlow.CoachID, with enrollment: QuranFlow.EnrollmentID) {
        guard let count = coaches.read(coach, { $0.charges }) else { return }
        coaches.update(coach) { $0.charges += 1 }
        charges.append(enrollment, to: coach, at: count)
    }

    private func end(_ state: QuranFlow.EnrollmentState, _ metadata: EventMetadata) {
        let enrollment: QuranFlow.EnrollmentID = thing(of: metadata)
        enrollments.updateExisting(enrollment) { $0.end = .init(state, at: metadata.at) }
        timers.cancelAll(on: metadata.stream)
        if let eoc = eocStream(enrollment) { timers.cancelAll(on: eoc) }
    }

    /// The student's current enrolment: the one opened last (R3).
    package func currentEnrollment(
        of student: QuranFlow.StudentID
    ) -> (id: QuranFlow.EnrollmentID, row: QuranFlow.EnrollmentRow)? {
        guard let id = students.read(student, { $0.current }) ?? nil, let row = enrollments[id]
        else {
            return nil
        }
        return (id, row)
    }

    /// The level that a student between levels may open; nil when there is none (R12).
    package func openLevel(_ student: QuranFlow.StudentRow) -> Int? {
        guard student.isPlaced, !student.isAdvanced, let id = student.current,
            let (state, level) = enrollments.read(id, { ($0.state, $0.level) })
        else { return nil }
        switch state {
        case .active: return nil
        case .graduated:
            return level < QuranFlow.Policy.levels.upperBound ? level + 1 : nil
        case .lapsed, .withdrawn: return level
        }
    }
}
