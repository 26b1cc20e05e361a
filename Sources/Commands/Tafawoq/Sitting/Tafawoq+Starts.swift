import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Asks for a full exam (R23, R24).
    struct StartExam: StudentCommand {
        static let type = "tafawoq.exam.start"
        var student = StudentID.none
        var exam = ExamID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("exam", &exam)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownStudent(student)
            let state = context.state
            if state.sittings.contains(.exam(exam)) { throw .alreadyExists }
            switch state.obstacle(toExamOf: student, at: context.at) {
            case .emailUnverified: throw .emailUnverified
            case .profileIncomplete: throw .profileIncomplete
            case .examInProgress: throw .examInProgress
            case .weeklyLimit(let limit): throw .weeklyExamLimit.telling(limit)
            case .rateLimited: throw .rateLimited
            case .unavailable(let until): throw context.unavailable(until: until)
            case nil: break
            }
            let tier = context.tier(of: student)
            let week = state.week(of: context.at)
            let queuedUntil = state.quotaResets(after: context.at)
            context.record(
                Exam.Started.with {
                    $0.exam = exam
                    $0.student = student
                    $0.tier = tier
                    $0.track = row.track ?? Track.scientific
                    $0.weekStart = week.start
                    $0.weekEnd = week.end
                    $0.limit = state.weeklyLimit(tier)
                    $0.used = state.used(by: student, tier, at: context.at)
                    $0.queued = queuedUntil != nil
                    $0.generateBy =
                        (queuedUntil ?? context.at) + Int64(context.policy.examGenerationSeconds)
                    $0.device = context.givenDevice
                }, sitting: .exam(exam))
        }
    }

    /// Asks for a practice (R38).
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
            let row = try context.ownStudent(student)
            let state = context.state
            if state.sittings.contains(.practice(practice)) { throw .alreadyExists }
            let track = try context.checkLearner(row)
            if state.learning[student]?.openPractice != nil { throw .practiceInProgress }
            let chosen = try ordered(by: track)
            if questions < chosen.count { throw .tooFewQuestions }
            let tier = context.tier(of: student)
            let limits = state.practiceLimits(tier)
            if let limit = limits.questions, questions > limit {
                throw .practiceQuestionLimit.telling(limit)
            }
            if let limit = limits.categories, chosen.count > limit {
                throw .practiceCategoryLimit.telling(limit)
            }
            let queuedUntil = state.quotaResets(after: context.at)
            if tier == .free, let queuedUntil { throw context.unavailable(until: queuedUntil) }
            context.record(
                Practice.Started.with {
                    $0.practice = practice
                    $0.student = student
                    $0.tier = tier
                    $0.track = track
                    $0.section = section
                    $0.categories = chosen
                    $0.difficulty = difficulty
                    $0.questions = questions
                    $0.plan = plan(chosen)
                    $0.queued = queuedUntil != nil
                    $0.generateBy =
                        (queuedUntil ?? context.at)
                        + Int64(context.policy.practiceGenerationSeconds)
                    $0.device = context.givenDevice
                }, sitting: .practice(practice))
        }

        /// R38: the categories in track order, if they fit the section.
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

        /// R38: even shares, the first in track order one more.
        private func plan(_ categories: [Category]) -> [Practice.Share] {
            categories.enumerated().map { place, category in
                Practice.Share.with {
                    $0.category = category
                    $0.questions =
                        questions / categories.count
                        + (place < questions % categories.count ? 1 : 0)
                }
            }
        }
    }
}

extension DecisionContext<Tafawoq> {
    /// R24: how long a free student waits for the quota, rounded up to minutes.
    fileprivate func unavailable(until instant: Instant) -> Tafawoq.Rejection {
        let milliseconds = instant.milliseconds(since: at)
        return .generationUnavailable.telling(Int((milliseconds + 59_999) / 60_000))
    }
}
