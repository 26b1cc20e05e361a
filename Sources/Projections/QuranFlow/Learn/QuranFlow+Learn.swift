import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    private enum LearnRange: String, Choice {
        case thisWeek = "this-week"
        case all
    }

    private enum LearnFilter: String, Choice {
        case all, incomplete, complete

        func keeps(_ status: WeekStatus) -> Bool {
            switch self {
            case .all: true
            case .incomplete: status != .complete && status != .upcoming
            case .complete: status == .complete
            }
        }
    }

    /// How far am I, week by week? One week, or all of them with the current one expanded (C1, R15, R30).
    static let learnView = ReadModel<State>(
        "quranflow.learn", "How far am I, week by week?", key: "student",
        arguments: ["enrollment", "filter", "view"], keys: { $0.studentKeys },
        basis: .on(
            Grounds.life, Grounds.lessons, Grounds.orientation, .types(Elective.Offered.self),
            Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let range = try request.choice("view", LearnRange.self) ?? .thisWeek
        let filter = try request.choice("filter", LearnFilter.self) ?? .all
        let asked = try request.idText("enrollment")
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        var shown = learner.phase == .advanced ? nil : learner.current
        if let asked {
            guard let id: EnrollmentID = state.id(asked),
                learner.row.enrollments.contains(id), let row = state.enrollments[id]
            else { return false }
            shown = (id, row)
        }
        output.object { output in
            output.member("emptyText", learner.emptyText(shown?.row))
            output.member("enrollment", shown?.id)
            learner.writeElectives(to: &output)
            learner.writeEOCNode(shown?.row, to: &output)
            learner.writeJourney(shown?.row, to: &output)
            output.member("level", shown.map { learner.policy.levelLine($0.row.level) })
            learner.writeOrientation(to: &output)
            learner.writePastLevels(to: &output)
            output.member("phase", learner.phase)
            output.member("student", learner.id)
            let weeks = learner.weeks(of: shown?.row, all: range == .all)
            output.array("weeks", weeks.filter { filter.keeps($0.status) }) { output, week in
                learner.write(week, to: &output)
            }
        }
        return true
    }
}

extension QuranFlow.Learner {
    fileprivate struct Week {
        let number: Int
        let status: QuranFlow.WeekStatus
        let lesson: QuranFlow.LessonState
        let content: QuranFlow.WeekRow
        let topic: String?
        let isCurrent: Bool
        let isBehind: Bool
    }

    /// The text in place of weeks where there are none to show (2.6: no dead ends).
    fileprivate func emptyText(_ enrollment: QuranFlow.EnrollmentRow?) -> String? {
        guard let enrollment else {
            switch phase {
            case .unassessed: return "Record your assessment to begin your journey."
            case .awaitingPlacement:
                return "Your journey begins once you're placed in a level. Assessment results "
                    + "expected within \(count(policy.placementHours.count, "hour"))."
            case .advanced: return "Choose what you want to focus on."
            default: return nil
            }
        }
        guard enrollment.currentWeek(at: now) == 0 else { return nil }
        return "Your first lesson unlocks on \(formatter.dateText(of: enrollment.weekStarts[0]))."
    }

    /// The current week, and if wanted the ones before it downwards and then those after it upwards;
    /// none before the first.
    fileprivate func weeks(of enrollment: QuranFlow.EnrollmentRow?, all: Bool) -> [Week] {
        guard let enrollment, case let current = enrollment.currentWeek(at: now), current > 0 else {
            return []
        }
        var numbers = [current]
        if all {
            numbers += (1..<current).reversed()
            if current < enrollment.weeks { numbers += current + 1...enrollment.weeks }
        }
        let behind = enrollment.weeksBehind(at: now)
        return numbers.map { number in
            Week(
                number: number, status: state.weekStatus(enrollment, week: number, at: now),
                lesson: state.lessonState(enrollment, week: number, at: now),
                content: enrollment.weekRows[number - 1],
                topic: state.topic(level: enrollment.level, week: number),
                isCurrent: number == current, isBehind: behind.contains(number))
        }
    }

    fileprivate func write(_ week: Week, to output: inout JSONOutput) {
        output.object { output in
            output.member("behind", week.isBehind)
            output.member("current", week.isCurrent)
            output.member("expanded", week.isCurrent)
            output.member("lesson", week.lesson)
            output.member("newFeedback", week.content.withFeedback - week.content.reviewed)
            output.member("status", week.status)
            output.member("statusLabel", week.status.label)
            output.member("submissions", week.content.recordings.count)
            output.member("title", QuranFlow.title(week: week.number, topic: week.topic))
            output.member("topic", week.topic)
            output.member("week", week.number)
        }
    }

    /// All enrolments but the current one; in Advanced all of them.
    fileprivate func writePastLevels(to output: inout JSONOutput) {
        let past = phase == .advanced ? row.enrollments[...] : row.enrollments.dropLast()
        output.array("pastLevels", past) { output, enrollment in
            let content = state.enrollments[enrollment]
            output.object { output in
                output.member("enrollment", enrollment)
                output.member("level", content?.level)
                output.member("outcome", content?.state)
            }
        }
    }
}
