import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    static let examResultView = ReadModel<State>(
        "tafawoq.exam-result", "How did it go?", key: "exam", keys: { $0.sittingKeys(.exam) },
        basis: .on(Grounds.sitting("exam"), Grounds.rules)
    ) { state, request, output in
        guard let (key, row) = state.sitting(.exam, request.key) else { return false }
        let now = request.now
        let tier = state.tier(of: row.student, at: now)
        let score = row.stage == .completed ? row.exam : nil
        output.object { output in
            output.member("exam", key.id)
            output.member("student", row.student)
            output.member("status", row.stage)
            output.member("reason", row.reason)
            output.member("startedAt", row.startedAt)
            output.member("endedAt", row.endedAt)
            output.member("answered", row.answered)
            output.member("correct", row.correct)
            output.member("counts", row.counts)
            output.member("late", score?.late)
            output.member("finishedAt", score?.finishedAt)
            output.member("verbal", score?.verbal)
            output.member("quantitative", score?.quantitative)
            output.member("overall", score?.overall)
            output.member("band", score?.band)
            output.member("colour", score?.colour)
            output.both("bandLabel", score.map { Texts.label($0.band) })
            write(score?.tally, .exam, to: &output)
            output.member("recommendedSeconds", score?.tally.recommendedSeconds)
            state.writeExplanations(of: row, at: now, to: &output)
            output.member("watermark", tier == .free && state.policy.freeWatermark)
            let limit = state.weeklyLimit(tier)
            let isUsedUp =
                tier == .free && score != nil
                && (limit.map { state.used(by: row.student, tier, at: now) >= $0 } ?? false)
            output.objectOrNull("upgradePrompt", isUsedUp) { output in
                output.both("text", Texts.notice("weekly-exam-used"))
                output.member("target", upgradeTarget)
            }
            let weak = score?.tally.weaknesses.map(\.category.rawValue) ?? []
            let practice = "tafawoq://practice/new"
            write(
                actions: score == nil
                    ? []
                    : [
                        ("take-exam", "tafawoq://exam/start"),
                        (
                            "practise-categories",
                            weak.isEmpty
                                ? practice
                                : "\(practice)?categories=\(weak.joined(separator: ","))"
                        ),
                        ("review-questions", "tafawoq://exam/\(state.names.text(key.id))/review"),
                    ], to: &output)
        }
        return true
    }

    static let practiceResultView = ReadModel<State>(
        "tafawoq.practice-result", "How did the practice go?", key: "practice",
        keys: { $0.sittingKeys(.practice) },
        basis: .on(Grounds.sitting("practice"), Grounds.rules, Grounds.peers)
    ) { state, request, output in
        guard let (key, row) = state.sitting(.practice, request.key) else { return false }
        let now = request.now
        let isPremium = state.tier(of: row.student, at: now) == .premium
        let score = row.stage == .completed ? row.practice : nil
        output.object { output in
            output.member("practice", key.id)
            output.member("student", row.student)
            output.member("status", row.stage)
            output.member("section", row.scope)
            output.member("chosenCategories", row.chosen)
            output.member("difficulty", row.difficulty)
            output.member("startedAt", row.startedAt)
            output.member("endedAt", row.endedAt)
            output.member("answered", row.answered)
            output.member("correct", row.correct)
            output.member("finishedAt", score?.finishedAt)
            output.member("score", score?.score)
            write(score?.tally, .practice, to: &output)
            output.objectOrNull("comparison", isPremium && score != nil) { output in
                guard let score else { return }
                state.writeComparison(key, row, score, at: now, to: &output)
            }
            state.writeExplanations(of: row, at: now, to: &output)
            write(
                actions: score == nil
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

    /// What exams and practices have in common; null until completed.
    private static func write(
        _ tally: Outcome.Tally?, _ kind: SittingKind, to output: inout JSONOutput
    ) {
        output.member("questions", tally?.questions)
        output.member("incorrect", tally?.incorrect)
        output.member("skipped", tally?.skipped)
        output.member("voided", tally?.voided)
        output.member("seconds", tally?.seconds)
        output.member("averageSeconds", tally?.averageSeconds)
        output.member("categories", tally?.categories)
        output.member("strengths", tally?.strengths)
        output.member("weaknesses", tally?.weaknesses)
        guard let tally else { return output.member("advice", JSON.null) }
        output.array("advice", tally.advice) { output, advice in
            output.object { output in
                output.member("code", advice.code)
                if let section = advice.section { output.member("section", section) }
                if let category = advice.category { output.member("category", category) }
                if let minutes = advice.minutes { output.member("minutes", minutes) }
                if let count = advice.count { output.member("count", count) }
                if let difficulty = advice.difficulty { output.member("difficulty", difficulty) }
                output.both("text", Texts.text(of: advice, kind))
            }
        }
    }

    private static func write(
        actions: [(action: String, target: String)], to output: inout JSONOutput
    ) {
        output.array("actions", actions) { output, entry in
            output.object { output in
                output.member("action", entry.action)
                output.member("target", entry.target)
            }
        }
    }
}

extension Tafawoq.State {
    /// What premium students compare a practice with.
    fileprivate func writeComparison(
        _ key: Tafawoq.SittingKey, _ row: Tafawoq.SittingRow, _ score: Tafawoq.PracticeScore,
        at now: Instant, to output: inout JSONOutput
    ) {
        let earlier = completedPractices(of: row.student).filter {
            $0.row.endPosition < row.endPosition && Set($0.row.chosen) == Set(row.chosen)
        }
        let sum = earlier.reduce(0) { $0.addingClamping(Int($1.score.score.hundredths)) }
        let average = earlier.isEmpty ? nil : Percent(meanOf: sum, by: earlier.count)
        output.member("recommendedSeconds", score.tally.recommendedSeconds)
        output.member("historicalAverage", average)
        output.member("trend", trend(score.score, against: average))
        output.member("percentile", percentile(of: row, score.score))
    }

    private func trend(_ score: Percent, against average: Percent?) -> String {
        guard let average else { return "new" }
        return score > average ? "up" : score < average ? "down" : "same"
    }

    /// R47
    private func percentile(of row: Tafawoq.SittingRow, _ score: Percent) -> Percent? {
        guard policy.peersEnabled else { return nil }
        let others = peers(of: row)
        guard others.count >= policy.peersMinimum else { return nil }
        let lower = others.count { $0 < score }
        let equal = others.count { $0 == score }
        return Percent(2 * lower + equal, of: 2 * others.count)
    }
}
