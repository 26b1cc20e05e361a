package import Core
import Folding
package import TafawoqEvents

extension Tafawoq.Sheet {
    private typealias Category = Tafawoq.Category
    package typealias Score = Tafawoq.Outcome.CategoryScore
    package typealias RankedCategory = Tafawoq.Outcome.RankedCategory

    /// How many questions of a section are right, of how many scored ones.
    package func correct(of section: Tafawoq.Section) -> (correct: Int, scored: Int) {
        let own = scored.filter { $0.content.section == section }
        return (own.count { $0.isCorrect }, own.count)
    }

    /// A section's score: 100 · correct / scored (R32).
    package func score(of section: Tafawoq.Section) -> Percent {
        let counts = correct(of: section)
        return Percent(counts.correct, of: counts.scored)
    }

    /// The overall score: the mean of the sections' unrounded fractions, rounded once (R32).
    package var overall: Percent {
        let verbal = correct(of: .verbal)
        let quantitative = correct(of: .quantitative)
        return Percent(
            verbal.correct * max(quantitative.scored, 1)
                + quantitative.correct * max(verbal.scored, 1),
            of: 2 * max(verbal.scored, 1) * max(quantitative.scored, 1))
    }

    /// The categories with scored questions, in catalogue order (R32, R33).
    package var categories: [Score] {
        Category.allCases.compactMap { category in
            let own = scored.filter { $0.content.category == category }
            guard !own.isEmpty else { return nil }
            var score = Score()
            score.category = category
            score.section = category.section
            score.questions = own.count
            score.correct = own.count { $0.isCorrect }
            score.score = Percent(score.correct, of: own.count)
            return score
        }
    }

    /// The whole result but for the advice (R32, R33).
    package func tally(seconds: Int, mean: Percent, listed: Int) -> Tafawoq.Outcome.Tally {
        var tally = Tafawoq.Outcome.Tally()
        let scored = scored
        tally.questions = lines.count
        tally.answered = answered
        tally.correct = correct
        tally.incorrect = tally.answered - tally.correct
        tally.skipped = scored.count - tally.answered
        tally.voided = lines.count - scored.count
        tally.seconds = seconds
        let spent = scored.reduce(0) { $0.addingClamping($1.seconds) }
        tally.averageSeconds = Percent(
            meanOf: spent.multipliedClamping(100), by: tally.answered)
        let recommended = scored.reduce(0) { $0.addingClamping($1.content.recommendedSeconds) }
        tally.recommendedSeconds = Percent(
            meanOf: recommended.multipliedClamping(100), by: scored.count)
        tally.categories = categories
        tally.strengths = Self.ranked(categories, listed: listed, above: mean)
        tally.weaknesses = Self.ranked(categories, listed: listed, below: mean)
        return tally
    }

    /// Strengths: highest first, then more questions, then catalogue order (R33).
    private static func ranked(
        _ scores: [Score], listed: Int, above mean: Percent
    ) -> [RankedCategory] {
        scores.filter { $0.score > mean }.sorted { left, right in
            left.score == right.score ? comesFirst(left, right) : left.score > right.score
        }.prefix(listed).map(rankedCategory)
    }

    /// Weaknesses: lowest first, then more questions, then catalogue order (R33).
    private static func ranked(
        _ scores: [Score], listed: Int, below mean: Percent
    ) -> [RankedCategory] {
        scores.filter { $0.score < mean }.sorted { left, right in
            left.score == right.score ? comesFirst(left, right) : left.score < right.score
        }.prefix(listed).map(rankedCategory)
    }

    /// Of equal scores: more questions first, then catalogue order.
    private static func comesFirst(_ left: Score, _ right: Score) -> Bool {
        left.questions == right.questions
            ? left.category.catalogueIndex < right.category.catalogueIndex
            : left.questions > right.questions
    }

    private static func rankedCategory(_ score: Score) -> RankedCategory {
        var ranked = RankedCategory()
        ranked.category = score.category
        ranked.score = score.score
        return ranked
    }
}
