import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// How is the cohort doing, week by week (R19)?
    static let cohortView = ReadModel<State>(
        "quranflow.cohort", "How is the cohort doing, week by week?", key: "semester",
        arguments: ["level", "page"],
        keys: { state in
            state.names.texts(state.semesters.keys)
        }
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let level = try request.whole("level")
        if let level, !Policy.levels.contains(level) {
            throw WrongArgument("level", "expected a level from 1 to 4")
        }
        guard let id: SemesterID = state.id(request.key), let semester = state.semesters[id]
        else { return false }
        var cohort = Cohort(semester, state, at: request.now)
        for id in state.cohorts.elements(of: id, count: semester.enrollments) {
            state.enrollments.read(id) { row in
                if (level ?? row.level) == row.level { cohort.add(id, row) }
            }
        }
        output.object { output in
            output.member("level", level)
            output.member("name", semester.name)
            output.member("semester", id)
            cohort.write(page, to: &output)
        }
        return true
    }
}

/// The numbers of a cohort, counted enrolment by enrolment.
private struct Cohort {
    private let state: QuranFlow.State
    private let now: Instant
    private let week: Int
    private var students = 0
    private var unassigned = 0
    private var states: [QuranFlow.EnrollmentState: Int] = [:]
    private var weeks: [Week]
    private var behind: [Behind] = []
    private var eoc = EOC()
    private var overdueFeedback = 0
    private var overdueResults = 0

    private struct Week {
        var enrolled = 0
        var lessonsComplete = 0
        var submitted = 0
        var onTime = 0
        var withFeedback = 0
        var reviewed = 0
    }

    private struct EOC {
        var unlocked = 0
        var submitted = 0
        var passed = 0
        var failed = 0
    }

    private struct Behind {
        let weeks: Int
        let enrollment: QuranFlow.EnrollmentID
        let student: QuranFlow.StudentID
        let coach: QuranFlow.CoachID?
        let level: Int
        let completed: Int
    }

    init(_ semester: QuranFlow.SemesterRow, _ state: QuranFlow.State, at now: Instant) {
        self.state = state
        self.now = now
        week = QuranFlow.currentWeek(semester.weekStarts, at: now)
        weeks = Array(repeating: Week(), count: week)
    }

    mutating func add(_ id: QuranFlow.EnrollmentID, _ row: QuranFlow.EnrollmentRow) {
        students += 1
        states[row.state, default: 0] += 1
        if row.isActive, state.presentCoach(row) == nil { unassigned += 1 }
        if row.isEOCUnlocked { eoc.unlocked += 1 }
        if row.attempts > 0 { eoc.submitted += 1 }
        switch row.lastOutcome {
        case .passed: eoc.passed += 1
        case .failed: eoc.failed += 1
        case nil: break
        }
        // Overdue from the instant at which the timer fires (R19); erased students' included.
        for recording in row.awaiting {
            let dueAt = state.recordings.read(recording) { $0.feedbackDueAt }
            if let dueAt, dueAt <= now { overdueFeedback += 1 }
        }
        if row.isActive, let dueAt = row.resultsDueAt, dueAt <= now { overdueResults += 1 }
        let late = row.weeksBehind(at: now).count
        if late > 0, state.isPresent(.init(row.student)) {
            behind.append(
                Behind(
                    weeks: late, enrollment: id, student: row.student, coach: row.coach,
                    level: row.level, completed: row.completedWeeks))
        }
        if row.state != .withdrawn { addWeeks(row) }
    }

    private mutating func addWeeks(_ row: QuranFlow.EnrollmentRow) {
        for index in weeks.indices where row.firstWeek <= index + 1 && row.isWeek(index + 1) {
            let content = row.weekRows[index]
            weeks[index].enrolled += 1
            if content.isLessonComplete { weeks[index].lessonsComplete += 1 }
            if !content.recordings.isEmpty { weeks[index].submitted += 1 }
            if content.hasOnTime { weeks[index].onTime += 1 }
            if content.withFeedback > 0 { weeks[index].withFeedback += 1 }
            if content.isAllReviewed { weeks[index].reviewed += 1 }
        }
    }

    // MARK: Writing

    func write(_ page: Page, to output: inout JSONOutput) {
        writeBehind(page, to: &output)
        output.object("eoc") { output in
            output.member("failed", eoc.failed)
            output.member("passed", eoc.passed)
            output.member("submitted", eoc.submitted)
            output.member("unlocked", eoc.unlocked)
        }
        output.member("overdueFeedback", overdueFeedback)
        output.member("overdueResults", overdueResults)
        output.object("states") { output in
            for state in QuranFlow.EnrollmentState.allCases {
                output.member(state.rawValue, states[state] ?? 0)
            }
        }
        output.member("students", students)
        output.member("unassigned", unassigned)
        output.member("week", week)
        output.array("weeks", weeks.enumerated()) { output, entry in
            let week = entry.element
            output.object { output in
                output.member(
                    "completionPercent",
                    week.enrolled == 0 ? nil : Percent(week.submitted, of: week.enrolled))
                output.member("enrolled", week.enrolled)
                output.member("lessonsComplete", week.lessonsComplete)
                output.member("onTime", week.onTime)
                output.member("reviewed", week.reviewed)
                output.member("submitted", week.submitted)
                output.member("week", entry.offset + 1)
                output.member("withFeedback", week.withFeedback)
            }
        }
    }

    /// Most weeks behind first, then by student.
    private func writeBehind(_ page: Page, to output: inout JSONOutput) {
        let sorted = state.sorted(
            behind, by: { $0.weeks }, id: { $0.student }, descending: true)
        output.object("behind") { output in
            page.write(total: sorted.count, to: &output)
            output.array("students", sorted[page.range(of: sorted.count)]) { output, entry in
                output.object { output in
                    output.member("behind", entry.weeks)
                    output.member("coach", entry.coach)
                    output.member("completed", entry.completed)
                    output.member("enrollment", entry.enrollment)
                    output.member("level", entry.level)
                    output.member("name", state.people[.init(entry.student)]?.name)
                    output.member("student", entry.student)
                }
            }
        }
    }
}
