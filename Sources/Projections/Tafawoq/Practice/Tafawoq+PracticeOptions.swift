import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// What a student may practise, and a suggestion from the last completed exam (R35, R38).
    static let practiceOptionsView = ReadModel<State>(
        "tafawoq.practice-options", "What can be chosen, what is suggested?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let tier = state.tier(of: student, at: request.now)
        let limits = state.practiceLimits(tier)
        let offered = state.policy.practiceCountChoices.filter { count in
            limits.questions.map { count <= $0 } ?? true
        }
        let suggestion = state.suggestion(to: student, row.track, limits)
        output.object { output in
            output.member("student", student)
            output.member("tier", tier)
            output.array("sections", row.track?.sections ?? [.quantitative, .verbal]) {
                output, section in
                output.object { output in
                    output.member("section", section)
                    output.member("labelAr", Texts.label(section.rawValue).arabic)
                    output.array(
                        "categories", Category.allCases.filter { $0.section == section }
                    ) { output, category in
                        output.object { output in
                            output.member("category", category)
                            output.both("label", Texts.label(category.rawValue))
                        }
                    }
                }
            }
            output.array("difficulties", Difficulty.allCases) { output, difficulty in
                output.object { output in
                    output.member("difficulty", difficulty)
                    output.member("labelAr", Texts.label(difficulty.rawValue).arabic)
                }
            }
            output.member("countChoices", offered)
            output.member("maxQuestions", limits.questions)
            output.member("maxCategories", limits.categories)
            output.objectOrNull("suggestion", suggestion != nil) { output in
                guard let suggestion else { return }
                output.member("section", suggestion.section)
                output.member("categories", suggestion.categories)
                output.member("difficulty", suggestion.difficulty)
                output.member("questions", suggestion.questions)
            }
        }
        return true
    }

    /// The practice that is suggested (R35).
    fileprivate struct Suggestion {
        let section: Practice.Scope
        let categories: [Category]
        let difficulty: Difficulty
        let questions: Int
    }
}

extension Tafawoq.State {
    /// From the last completed exam: its weaknesses by weight (R35, today's track), or its lowest
    /// category.
    fileprivate func suggestion(
        to student: Tafawoq.StudentID, _ track: Tafawoq.Track?,
        _ limits: (questions: Int?, categories: Int?)
    ) -> Tafawoq.Suggestion? {
        guard let track, let last = completedExams(of: student).last?.score else { return nil }
        let adviser = Tafawoq.Adviser(policy, track)
        let scores = last.tally.categories
        func score(_ category: Tafawoq.Category) -> Percent {
            scores.first { $0.category == category }?.score ?? .zero
        }
        var categories = adviser.weigh(last.tally.weaknesses, below: last.overall).map(\.category)
        if categories.isEmpty {
            let lowest = track.categories.filter { category in
                scores.contains { $0.category == category }
            }.reduce(nil as Tafawoq.Category?) { worst, next in
                worst.map { score(next) < score($0) ? next : $0 } ?? next
            }
            categories = lowest.map { [$0] } ?? []
        }
        if let most = limits.categories { categories = Array(categories.prefix(most)) }
        guard !categories.isEmpty else { return nil }
        let sum = categories.reduce(Int128(0)) { sum, category in
            let hundredths = Int128(score(category).hundredths)
            guard category.section == track.section else { return sum + hundredths }
            let raised = hundredths * Int128(policy.adviceTrackWeight) / 100
            return sum + min(raised, 10_000)
        }
        let sections = Set(categories.map(\.section))
        return Tafawoq.Suggestion(
            section: sections.count > 1
                ? .mixed : sections.contains(.verbal) ? .verbal : .quantitative,
            categories: categories, difficulty: difficulty(sum, categories.count),
            questions: max(min(10, limits.questions ?? 10), categories.count))
    }

    /// The mean is not rounded: sums are compared.
    private func difficulty(_ sum: Int128, _ count: Int) -> Tafawoq.Difficulty {
        if sum > Int128(policy.adviceRaiseAbove.percent.hundredths) * Int128(count) { return .hard }
        if sum < Int128(policy.adviceLowerBelow.percent.hundredths) * Int128(count) { return .easy }
        return .medium
    }
}
