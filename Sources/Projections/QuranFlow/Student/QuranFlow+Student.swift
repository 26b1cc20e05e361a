import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Who am I here, and who is my coach? Phase (R7), attendance (R27), subscription.
    static let profileView = ReadModel<State>(
        "quranflow.profile", "Who am I here, and who is my coach?", key: "student",
        keys: { $0.studentKeys },
        basis: .on(Grounds.wholeLife, Grounds.lessons, Grounds.policy)
    ) { state, request, output in
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        learner.writeProfile(to: &output)
        return true
    }
}

extension QuranFlow.Learner {
    fileprivate func writeProfile(to output: inout JSONOutput) {
        let person = state.people[.init(id)]
        let semester = current.flatMap { state.semesters[$0.row.semester] }
        let level = phase == .advanced ? nil : current?.row.level
        output.object { output in
            output.member("advancedSection", hasGraduatedLastLevel)
            writeCoach(current?.row.coach, to: &output) { output in
                output.member("messageTo", policy.coachTeamEmail)
            }
            output.member("email", person?.email)
            output.member("gender", person?.gender)
            output.member("level", profileLevel)
            output.member(
                "levelAndSemester", level.map { "Level \($0) -- \(semester?.name ?? "")" })
            output.member("name", person?.name)
            output.member("phone", person?.phone)
            output.member("photo", person?.photo)
            output.time("placementDueAt", placementDueAt, formatter)
            writeStats(to: &output)
            output.member("status", status)
            output.member("student", id)
            writeSubscription(to: &output)
            output.object("support") { output in
                output.member("categories", QuranFlow.SupportRequest.Category.allCases)
            }
        }
    }

    /// The level line; once the level is passed, that it is complete (R36).
    private var profileLevel: String? {
        switch phase {
        case .awaitingPlacement: "Pending Assessment Review"
        case .graduated: current.map { "Level \($0.row.level) -- Complete" }
        default: levelLine
        }
    }

    private var hasGraduatedLastLevel: Bool {
        row.enrollments.contains { id in
            state.enrollments.read(id) {
                $0.state == .graduated && $0.level == QuranFlow.Policy.levels.upperBound
            } ?? false
        }
    }

    private var status: String {
        switch phase {
        case .unassessed: "Assessment Due"
        case .awaitingPlacement: "Pending Assessment Review"
        case .preSemester: "Pre-Semester"
        case .active:
            "Week \(current?.row.currentWeek(at: now) ?? 0) of \(current?.row.weeks ?? 0)"
        case .eoc: "EOC Phase"
        case .graduated: "Level Complete -- Awaiting Next Semester"
        case .lapsed, .withdrawn: "Between Semesters"
        case .advanced: "QuranFlow Advanced"
        }
    }

    private func writeStats(to output: inout JSONOutput) {
        guard let current else { return output.null("stats") }
        output.object("stats") { output in
            output.member("attendancePercent", attendance(since: current.row.openedAt))
            output.member("submissions", current.row.recordings.count)
            output.member("weeksCompleted", state.completeWeeks(current.row, at: now))
        }
    }
}
