import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// How is it going overall? Attempts at deleted exams count on.
    static let overviewView = ReadModel<State>(
        "examroom.overview", "How is it going overall?", arguments: ["from", "to"]
    ) { state, request, output throws(WrongArgument) in
        let range = try DateRange(request, in: state)
        let width = state.barWidth
        var statistics = Statistics()
        state.attempts.forEach { _, row in _ = statistics.add(row, range, bar: width) }
        // Neither is filtered by the dates.
        let roster = state.roster[.only] ?? Roster()
        output.object { output in
            output.member("attempts", statistics.attempts)
            output.member("averagePercent", statistics.averagePercent)
            output.member("completed", statistics.completed)
            output.member("exams", roster.exams)
            output.member("passRate", statistics.passRate)
            output.member("students", roster.activeStudents)
            range.write(to: &output)
            statistics.writeTrend(to: &output)
        }
        return true
    }

    /// How did this exam go? One pass over its attempts.
    static let examAnalyticsView = ReadModel<State>(
        "examroom.exam-analytics", "How did this exam go?", key: "exam", arguments: ["from", "to"],
        keys: { $0.names.texts($0.exams.keys) }, basis: .on(Grounds.examLife, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let range = try DateRange(request, in: state)
        guard let exam: ExamID = state.id(request.key), state.exams.contains(exam) else {
            return false
        }
        let width = state.barWidth
        var statistics = Statistics()
        var questions: [QuestionID: QuestionStatistics] = [:]
        for attempt in state.attemptsAt(exam) {
            guard let row = state.attempts[attempt], statistics.add(row, range, bar: width) else {
                continue
            }
            // Those of an open attempt's paper are listed too, with nothing to count yet.
            for question in row.paper.map(state.question) where questions[question] == nil {
                questions[question] = .init()
            }
            for mark in row.closing?.marks ?? [] {
                questions[mark.question, default: .init()].add(mark)
            }
        }
        output.object { output in
            output.member("attempts", statistics.attempts)
            output.member("averagePercent", statistics.averagePercent)
            output.member("averageSeconds", statistics.averageSeconds)
            output.member("completed", statistics.completed)
            output.member("completionRate", statistics.completionRate)
            statistics.writeDistribution(width: width, to: &output)
            output.member("exam", exam)
            output.member("handedIn", statistics.handedIn)
            output.member("open", statistics.open)
            output.member("passRate", statistics.passRate)
            output.array("questions", state.sorted(Array(questions.keys))) { output, question in
                let sums = questions[question] ?? .init()
                output.object { sums.write(question, to: &$0) }
            }
            range.write(to: &output)
            statistics.writeTrend(to: &output)
        }
        return true
    }

    /// How is this student doing?
    static let studentAnalyticsView = ReadModel<State>(
        "examroom.student-analytics", "How is this student doing?", key: "student",
        arguments: ["from", "to"], keys: { $0.names.texts($0.activeStudents) },
        basis: .on(Grounds.account, Grounds.studentLife, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let range = try DateRange(request, in: state)
        guard let student = state.activeStudent(request.key) else { return false }
        let width = state.barWidth
        var statistics = Statistics()
        var exams: [ExamID: (attempts: Int, best: Percent?)] = [:]
        for attempt in state.attemptsOf(student) {
            guard let row = state.attempts[attempt], statistics.add(row, range, bar: width) else {
                continue
            }
            let former = exams[row.exam] ?? (0, nil)
            let best = [former.best, row.percent].compactMap(\.self).max()
            exams[row.exam] = (former.attempts + 1, best)
        }
        output.object { output in
            output.member("attempts", statistics.attempts)
            output.member("averagePercent", statistics.averagePercent)
            output.member("completed", statistics.completed)
            output.array("exams", state.sorted(Array(exams.keys))) { output, exam in
                output.object { output in
                    output.member("attempts", exams[exam]?.attempts ?? 0)
                    output.member("bestPercent", exams[exam]?.best)
                    output.member("exam", exam)
                }
            }
            output.member("examsTaken", exams.count { $0.value.best != nil })
            output.member("passRate", statistics.passRate)
            output.member("student", student)
            range.write(to: &output)
            output.member("totalSeconds", statistics.totalSeconds)
            statistics.writeTrend(to: &output)
        }
        return true
    }
}

/// Sums over the completed attempts whose paper had one question (R32).
private struct QuestionStatistics {
    private var shown = 0
    private var answered = 0
    private var right = 0
    private var seconds = 0

    mutating func add(_ mark: ExamRoom.Attempt.Mark) {
        shown += 1
        if mark.answered { answered += 1 }
        if mark.correct { right += 1 }
        seconds = seconds.addingClamping(mark.seconds)
    }

    func write(_ question: ExamRoom.QuestionID, to output: inout JSONOutput) {
        // Unanswered is not right; what nobody completed has no rate.
        let rate = shown > 0 ? Percent(right, of: shown) : nil
        output.member("answered", answered)
        output.member(
            "averageSeconds",
            shown > 0 ? Int(Rounding.halfAway(Int64(seconds), by: Int64(shown))) : nil)
        output.member("correct", right)
        output.member("correctRate", rate)
        output.member(
            "difficulty",
            rate.map { Percent(hundredths: Percent.hundred.hundredths - $0.hundredths) })
        output.member("question", question)
        output.member("shown", shown)
    }
}
