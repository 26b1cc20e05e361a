import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What comes after a level (page, `quranflow.today`, `next`).
    struct NextStep {
        /// The level to open; nil for Advanced.
        let level: Int?
        let semester: (id: SemesterID, row: SemesterRow)?
        let enrollmentOpensAt: Instant?
        let isOpen: Bool
        let coach: CoachID?
    }
}

extension QuranFlow.Learner {
    /// What comes next after graduation, lapse and withdrawal; nil otherwise.
    var nextStep: QuranFlow.NextStep? {
        guard phase.isBetweenLevels, let current else { return nil }
        guard let level = state.openLevel(row) else {
            let opensAt = policy.advancedOpensAt
            return QuranFlow.NextStep(
                level: nil, semester: nil, enrollmentOpensAt: opensAt,
                isOpen: opensAt.map { now >= $0 } ?? true, coach: nil)
        }
        let semester = nextSemester(after: current.row.semester)
        return QuranFlow.NextStep(
            level: level, semester: semester, enrollmentOpensAt: semester?.row.enrollmentOpensAt,
            isOpen: semester?.row.isEnrollmentOpen(at: now) ?? false,
            coach: state.coachToKeep(id))
    }

    /// The lowest (startsOn, id) that starts after the semester and is not over.
    private func nextSemester(
        after former: QuranFlow.SemesterID
    ) -> (id: QuranFlow.SemesterID, row: QuranFlow.SemesterRow)? {
        let start = state.semesters.read(former) { $0.startsOn } ?? .epoch
        let later = state.catalogue.semesters.compactMap { id in
            state.semesters[id].flatMap { row in
                row.startsOn > start && !row.isOver(at: now) ? (id: id, row: row) : nil
            }
        }
        return state.sorted(later, by: { $0.row.startsOn }, id: { $0.id }).first
    }

    func writeNext(_ next: QuranFlow.NextStep?, to output: inout JSONOutput) {
        guard let next else { return output.null("next") }
        output.object("next") { output in
            output.time("enrollmentOpensAt", next.enrollmentOpensAt, formatter)
            output.member("open", next.isOpen)
            output.member("text", text(of: next))
            output.member("semester", next.semester?.id)
            output.member("startsOn", next.semester?.row.startsOn)
            output.member("level", next.level)
            output.member("coach", next.coach)
            if let level = next.level {
                output.member("kind", "level")
                output.member("name", policy.levelName(level))
                output.member("description", policy.levelDescription(level))
                output.member(
                    "coachText",
                    next.coach.map { "You'll continue with \(state.coachText($0))" }
                        ?? "You'll be assigned a new coach for Level \(level)")
                output.null("differences")
            } else {
                output.member("kind", "advanced")
                output.null("name")
                output.member("description", "Our continued learning program for graduates.")
                output.null("coachText")
                output.member("differences", Self.differences)
            }
        }
    }

    private func text(of next: QuranFlow.NextStep) -> String? {
        if next.isOpen { return nil }
        if next.level == nil, let opensOn = policy.advancedEnrollmentOpensOn {
            return "Enrollment is separate and opens \(QuranFlow.Formatter.text(opensOn))"
        }
        guard next.semester != nil, let opensAt = next.enrollmentOpensAt else {
            return "We'll notify you when enrollment opens"
        }
        return "Enrollment for next semester opens \(formatter.dateText(of: opensAt))"
    }

    private static let differences = [
        "No more weekly submissions", "1-on-1 appointments with Quran Coaches",
        "Elective-based curriculum", "Live sessions continue (QRCs, Office Hours)",
    ]
}
