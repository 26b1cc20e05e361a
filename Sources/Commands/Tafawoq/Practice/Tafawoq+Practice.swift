import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Requests a practice of chosen categories (R24, R38).
    struct StartPractice: StudentCommand {
        static let type = "tafawoq.practice.start"
        var student = StudentID.none
        var practice = PracticeID.none
        var section = Practice.Scope.verbal
        var categories: [BoundedText] = []
        var difficulty = Difficulty.easy
        var questions = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("practice", &practice)
            coder.field("section", &section)
            coder.field("categories", &categories)
            coder.field("difficulty", &difficulty)
            coder.bounded("questions", &questions)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            let state = context.state
            try context.checkIsFree(practice, unless: state.sittings.contains(.practice(practice)))
            let track = try context.checkLearner(row)
            if state.learning[student]?.openPractice != nil { throw .practiceInProgress }
            let chosen = try ordered(by: track)
            if questions < chosen.count { throw .tooFewQuestions }
            let tier = context.tier(of: student)
            let limits = state.practiceLimits(tier)
            if let limit = limits.questions, questions > limit {
                throw .practiceQuestionLimit.stating(limit)
            }
            if let limit = limits.categories, chosen.count > limit {
                throw .practiceCategoryLimit.stating(limit)
            }
            let queuedUntil = state.quotaResets(after: context.at)
            if tier == .free, let queuedUntil { throw context.unavailable(until: queuedUntil) }
            context.record(
                Practice.Started(
                    practice: practice,
                    student: student,
                    tier: tier,
                    track: track,
                    section: section,
                    categories: chosen,
                    difficulty: difficulty,
                    questions: questions,
                    plan: plan(chosen),
                    queued: queuedUntil != nil,
                    generateBy: (queuedUntil ?? context.at)
                        + context.policy.practiceGenerationSeconds,
                    device: context.givenDevice), on: practice)
        }

        /// The categories in track order, if they fit the section (R38).
        private func ordered(by track: Track) throws(Rejection) -> [Category] {
            let known = categories.compactMap { given in
                Category.allCases.first { $0.rawValue.isExactly(given.value) }
            }
            guard !known.isEmpty, known.count == categories.count,
                Set(known).count == known.count
            else { throw .badCategories }
            let sections = Set(known.map(\.section))
            switch section {
            case .mixed: if sections.count < 2 { throw .badCategories }
            case .verbal: if sections != [.verbal] { throw .badCategories }
            case .quantitative: if sections != [.quantitative] { throw .badCategories }
            }
            return track.categories.filter { known.contains($0) }
        }

        /// The same number of questions for each category, the first in track order one more (R38).
        private func plan(_ categories: [Category]) -> [Practice.Share] {
            categories.enumerated().map { index, category in
                Practice.Share.with {
                    $0.category = category
                    $0.questions =
                        questions / categories.count
                        + (index < questions % categories.count ? 1 : 0)
                }
            }
        }
    }

    /// Brings the questions of a practice (R39).
    struct DeliverPractice: DeliveryCommand, PracticeCommand {
        static let type = "tafawoq.practice.deliver"
        var practice = PracticeID.none
        var delivery = Delivery()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
            delivery.fields(&coder)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            let repeats = try delivery.check(row, in: context) {
                delivery.questions.allSatisfy { $0.difficulty == row.difficulty }
                    && Category.allCases.allSatisfy { category in
                        let planned = row.plan.first { $0.category == category }?.questions ?? 0
                        return delivery.questions.count { $0.known == category } == planned
                    }
            }
            context.record(
                Practice.Delivered(
                    practice: practice,
                    student: row.student,
                    attempt: delivery.attempt,
                    questions: Packed(delivery.questions.map { $0.content(context.names) }),
                    passages: delivery.texts,
                    repeated: repeats,
                    waitedSeconds: context.at.wholeSeconds(since: row.startedAt)), on: practice)
        }
    }

    /// Answers questions of a practice (R27).
    struct AnswerPractice: PracticeCommand {
        static let type = "tafawoq.practice.answer"
        var practice = PracticeID.none
        var given = GivenAnswers()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
            given.fields(&coder)
        }

        func problem(_ names: Names) -> String? { given.problem }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            guard row.stage == .inProgress else { throw .practiceNotOpen }
            _ = try given.record(for: sitting, row, in: context)
        }
    }

    /// Hands in a practice, which scores it (R28, R32, R40).
    struct SubmitPractice: PracticeCommand {
        static let type = "tafawoq.practice.submit"
        var practice = PracticeID.none
        var given = Submission()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
            given.fields(&coder)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            guard row.stage == .inProgress else { throw .practiceNotOpen }
            _ = try given.record(for: sitting, row, in: context)
            let sheet = context.state.sheet(sitting)
            let track: Track = context.state.students[row.student]?.track ?? Track.scientific
            let adviser = Adviser(context.policy, track)
            let score = Percent(sheet.correct, of: sheet.scored.count)
            let seconds = context.practiceSeconds(sitting, row, until: given.finishedAt)
            let before = context.state.learning[row.student]?.practiceSeconds ?? 0
            let total = before.addingClamping(seconds)
            var tally = sheet.tally(
                seconds: seconds, mean: score, listed: context.policy.analyticsListed)
            tally.advice =
                adviser.advise(tally, score: score, at: row.difficulty)
                + adviser.related(to: row.chosen)
            context.record(
                Practice.Completed(
                    practice: practice,
                    student: row.student,
                    track: track,
                    section: row.scope,
                    difficulty: row.difficulty,
                    finishedAt: given.finishedAt,
                    score: score,
                    tally: tally,
                    totalSeconds: total), on: practice)
            context.recordMilestones(afterPracticing: total, by: row.student)
        }
    }

    /// Leaves a practice for good.
    struct LeavePractice: PracticeCommand {
        static let type = "tafawoq.practice.leave"
        var practice = PracticeID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            guard row.stage == .generating || row.stage == .inProgress else {
                throw .practiceNotOpen
            }
            let sheet = context.state.sheet(sitting)
            context.record(
                Practice.Abandoned(
                    practice: practice,
                    student: row.student,
                    answered: sheet.answered,
                    correct: sheet.correct), on: practice)
        }
    }
}
