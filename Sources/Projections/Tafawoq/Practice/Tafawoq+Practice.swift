import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// The practice as the student sees it: questions and own answers, never the right ones (R27, R30).
    static let practiceSheetView = ReadModel<State>(
        "tafawoq.practice-sheet", "What does the student practise?", key: "practice",
        keys: { $0.sittingKeys(.practice) },
        basis: .on(Grounds.sitting("practice"), Grounds.rules)
    ) { state, request, output in
        guard let (key, row) = state.sitting(.practice, request.key) else { return false }
        output.object { output in state.writeSheet(key, row, at: request.now, to: &output) }
        return true
    }

    /// The result of a practice, with advice and, on premium, a comparison (R32, R36, R47).
    static let practiceResultView = ReadModel<State>(
        "tafawoq.practice-result", "How did the practice go?", key: "practice",
        keys: { $0.sittingKeys(.practice) },
        basis: .on(Grounds.sitting("practice"), Grounds.rules, Grounds.peers)
    ) { state, request, output in
        guard let (key, row) = state.sitting(.practice, request.key) else { return false }
        let now = request.now
        let isPremium = state.tier(of: row.student, at: now) == .premium
        let score = row.practiceScore
        output.object { output in
            output.member("practice", key.id)
            output.member("student", row.student)
            output.member("status", row.stage)
            output.member("section", row.scope)
            output.member("chosenCategories", row.chosen)
            output.member("difficulty", row.difficulty)
            output.member("startedAt", row.startedAt)
            output.member("endedAt", row.end?.at)
            output.member("answered", row.end?.answered ?? 0)
            output.member("correct", row.end?.correct ?? 0)
            output.member("finishedAt", score?.finishedAt)
            output.member("score", score?.score)
            writeTally(score?.tally, .practice, to: &output)
            output.objectOrNull("comparison", isPremium && score != nil) { output in
                guard let score else { return }
                state.writeComparison(key, row, score, at: now, to: &output)
            }
            state.writeExplanations(of: row, at: now, to: &output)
            writeActions(
                score == nil
                    ? []
                    : [
                        ("take-practice", "tafawoq://practice/new"),
                        (
                            "review-questions",
                            "tafawoq://practice/\(state.names.text(key.id))/review"
                        ),
                        ("start-exam", "tafawoq://exam/start"),
                    ], to: &output)
        }
        return true
    }

    /// A completed practice question by question, with explanations where they may be read (R37).
    static let practiceReviewView = ReadModel<State>(
        "tafawoq.practice-review", "What was right?", key: "practice", arguments: ["page"],
        keys: { $0.sittingKeys(.practice) },
        basis: .on(Grounds.sitting("practice"), Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        try state.writeReview(.practice, request, to: &output)
    }

    /// Every practice that a student ever started, newest first.
    static let practiceHistoryView = ReadModel<State>(
        "tafawoq.practice-history", "Which practices were there?", key: "student",
        arguments: ["page"], keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        guard let (student, _) = state.student(request.key) else { return false }
        let page = try Page(request)
        let count = state.learning[student]?.practices ?? 0
        let ids = Array(state.practices.elements(of: student, count: count).reversed())
        output.object { output in
            output.member("student", student)
            page.write(total: ids.count, to: &output)
            output.array("practices", ids[page.range(of: ids.count)]) { output, id in
                let row = state.sittings[.init(.practice, id)] ?? SittingRow()
                output.object { output in
                    output.member("practice", id)
                    output.member("status", row.stage)
                    output.member("startedAt", row.startedAt)
                    output.member("endedAt", row.end?.at)
                    output.member("section", row.scope)
                    output.member("categories", row.chosen)
                    output.member("difficulty", row.difficulty)
                    output.member("questions", row.asked)
                    output.member("score", row.practiceScore?.score)
                    output.member("seconds", row.practiceScore?.tally.seconds)
                }
            }
        }
        return true
    }
}

extension Tafawoq.State {
    /// Writes what premium students compare a practice with (R47).
    fileprivate func writeComparison(
        _ key: Tafawoq.SittingKey, _ row: Tafawoq.SittingRow, _ score: Tafawoq.PracticeScore,
        at now: Instant, to output: inout JSONOutput
    ) {
        let end = row.end?.position ?? .zero
        let earlier = completedPractices(of: row.student).filter {
            ($0.row.end?.position ?? .zero) < end && Set($0.row.chosen) == Set(row.chosen)
        }
        let sum = earlier.reduce(0) { $0.addingClamping(Int($1.score.score.hundredths)) }
        let average = earlier.isEmpty ? nil : Percent(meanOf: sum, by: earlier.count)
        output.member("recommendedSeconds", score.tally.recommendedSeconds)
        output.member("historicalAverage", average)
        output.member("trend", trend(score.score, against: average))
        output.member("percentile", percentile(of: row, score.score))
    }

    /// How a score compares with the average of earlier practices.
    private func trend(_ score: Percent, against average: Percent?) -> String {
        guard let average else { return "new" }
        return score > average ? "up" : score < average ? "down" : "same"
    }

    /// The anonymous percentile among those who practised the same (R47).
    private func percentile(of row: Tafawoq.SittingRow, _ score: Percent) -> Percent? {
        guard policy.peersEnabled else { return nil }
        let others = peers(of: row)
        guard others.count >= policy.peersMinimum else { return nil }
        let lower = others.count { $0 < score }
        let equal = others.count { $0 == score }
        return Percent(2 * lower + equal, of: 2 * others.count)
    }
}
