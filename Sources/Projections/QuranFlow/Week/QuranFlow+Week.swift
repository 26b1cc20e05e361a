import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What is there to do in a week? Lesson, submission and feedback together (C3, R15, R17, R30).
    static let weekView = ReadModel<State>(
        "quranflow.week", "What is there to do in a week, and what was done?", key: "enrollment",
        arguments: ["week"], keys: { $0.enrollmentKeys },
        basis: .on(Grounds.enrollmentWithSessions, Grounds.lessons, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let asked = try request.whole("week")
        guard let enrolled = EnrolledLearner(request.key, state, at: request.now),
            case let week = asked ?? enrolled.currentWeek, enrolled.row.isWeek(week)
        else { return false }
        let topic = state.topic(level: enrolled.row.level, week: week)
        let status = state.weekStatus(enrolled.row, week: week, at: enrolled.now)
        output.object { output in
            enrolled.writeAttendance(week, to: &output)
            output.time("dueAt", enrolled.row.dueAt(week), enrolled.learner.formatter)
            output.member("enrollment", enrolled.id)
            enrolled.writeFeedback(week, to: &output)
            enrolled.writeLesson(week, to: &output)
            output.member("level", enrolled.row.level)
            output.member("status", status)
            output.member("statusLabel", status.label)
            enrolled.writeSubmission(week, to: &output)
            output.member("title", title(week: week, topic: topic))
            output.member("topic", topic)
            output.member("week", week)
            output.member("weeks", enrolled.row.weeks)
        }
        return true
    }
}
