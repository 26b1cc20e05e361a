package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// A sitting's questions with what was answered: what scores, flags and sheets are made of.
    package struct Sheet {
        package struct Line {
            package let content: Question.Content
            /// R27: of the answer with the latest instant.
            package fileprivate(set) var choice: Int?
            /// R27: the sum over its answers.
            package fileprivate(set) var seconds = 0
            package let isVoided: Bool
            fileprivate var latest: Instant?

            package var isCorrect: Bool { choice == content.answer }
        }

        package private(set) var lines: [Line]
        private let places: [QuestionID: Int]

        package init(
            _ questions: [Question.Content], voided: [QuestionID], _ answers: [Question.Answer]
        ) {
            lines = questions.map { Line(content: $0, isVoided: voided.contains($0.question)) }
            places = Dictionary(
                questions.enumerated().map { ($1.question, $0) },
                uniquingKeysWith: { first, _ in first })
            for answer in answers { take(answer) }
        }

        private mutating func take(_ answer: Question.Answer) {
            guard let place = places[answer.question] else { return }
            lines[place].seconds = lines[place].seconds.addingClamping(answer.seconds)
            // Of equals the one recorded last.
            if let latest = lines[place].latest, answer.answeredAt < latest { return }
            lines[place].latest = answer.answeredAt
            lines[place].choice = answer.choice
        }

        package func place(of question: QuestionID) -> Int? { places[question] }

        /// R30: voided questions count nowhere.
        package var scored: [Line] { lines.filter { !$0.isVoided } }

        package var answered: Int { scored.count { $0.choice != nil } }
        package var correct: Int { scored.count { $0.isCorrect } }

        /// R31 counts the voided ones too.
        package var seconds: Int { lines.reduce(0) { $0.addingClamping($1.seconds) } }
    }
}

extension Tafawoq.State {
    /// The questions and answers of a sitting, with further answers behind those that are recorded.
    package func sheet(
        _ key: Tafawoq.SittingKey, adding further: [Tafawoq.Question.Answer] = []
    ) -> Tafawoq.Sheet {
        Tafawoq.Sheet(
            papers.read(key) { $0.questions.value } ?? [],
            voided: sittings.read(key) { $0.voided } ?? [],
            (answers[key]?.answers ?? []) + further)
    }
}

extension Tafawoq.Sheet {
    private typealias Category = Tafawoq.Category
    package typealias Score = Tafawoq.Outcome.CategoryScore
    package typealias Standing = Tafawoq.Outcome.Standing

    package func correct(of section: Tafawoq.Section) -> (correct: Int, scored: Int) {
        let own = scored.filter { $0.content.section == section }
        return (own.count { $0.isCorrect }, own.count)
    }

    /// R32: 100 · correct / scored.
    package func score(of section: Tafawoq.Section) -> Percent {
        let counts = correct(of: section)
        return Percent(counts.correct, of: counts.scored)
    }

    /// R32: the mean of the sections' unrounded fractions, rounded once.
    package var overall: Percent {
        let verbal = correct(of: .verbal)
        let quantitative = correct(of: .quantitative)
        return Percent(
            verbal.correct * max(quantitative.scored, 1)
                + quantitative.correct * max(verbal.scored, 1),
            of: 2 * max(verbal.scored, 1) * max(quantitative.scored, 1))
    }

    /// R32, R33: the categories with scored questions, in catalogue order.
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

    /// All of the outcome but the advice.
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
        tally.strengths = Self.standings(categories, listed: listed, above: mean)
        tally.weaknesses = Self.standings(categories, listed: listed, below: mean)
        return tally
    }

    /// R33: highest first, then more questions, then catalogue order.
    private static func standings(
        _ scores: [Score], listed: Int, above mean: Percent
    ) -> [Standing] {
        scores.filter { $0.score > mean }.sorted { left, right in
            left.score == right.score ? comesFirst(left, right) : left.score > right.score
        }.prefix(listed).map(standing)
    }

    /// R33: lowest first, then more questions, then catalogue order.
    private static func standings(
        _ scores: [Score], listed: Int, below mean: Percent
    ) -> [Standing] {
        scores.filter { $0.score < mean }.sorted { left, right in
            left.score == right.score ? comesFirst(left, right) : left.score < right.score
        }.prefix(listed).map(standing)
    }

    private static func comesFirst(_ left: Score, _ right: Score) -> Bool {
        left.questions == right.questions
            ? left.category.place < right.category.place : left.questions > right.questions
    }

    private static func standing(_ score: Score) -> Standing {
        var standing = Standing()
        standing.category = score.category
        standing.score = score.score
        return standing
    }
}
