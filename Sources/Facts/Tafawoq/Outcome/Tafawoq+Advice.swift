package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// Turns recorded scores into bands and advice (R34 to R36).
    package struct Adviser {
        let policy: Policy
        let track: Track

        package init(_ policy: Policy, _ track: Track) {
            self.policy = policy
            self.track = track
        }

        private func advice(
            _ code: Outcome.AdviceCode, _ fill: (inout Outcome.Advice) -> Void = { _ in }
        ) -> Outcome.Advice {
            Outcome.Advice.with {
                $0.code = code
                fill(&$0)
            }
        }

        /// The first band that the score reaches (R34).
        package func band(of overall: Percent) -> Policy.Band {
            policy.bands.first { overall >= $0.from.percent } ?? policy.bands.last ?? Policy.Band()
        }

        /// Weaknesses with their weights in hundredths, heaviest first (R35).
        package func weigh(
            _ weaknesses: [Outcome.RankedCategory], below overall: Percent
        ) -> [(category: Category, weight: Int128)] {
            let weighed = weaknesses.enumerated().map { index, weakness in
                let isOwn = weakness.category.section == track.section
                let weight =
                    (Int128(overall.hundredths) - Int128(weakness.score.hundredths))
                    * (isOwn ? Int128(policy.adviceTrackWeight) : 100)
                return (index: index, category: weakness.category, weight: weight)
            }
            return weighed.sorted {
                $0.weight == $1.weight ? $0.index < $1.index : $0.weight > $1.weight
            }.map { ($0.category, $0.weight) }
        }

        /// The advice after an exam, in the order of the rule (R35).
        package func advise(
            _ tally: Outcome.Tally, verbal: Percent, quantitative: Percent, overall: Percent
        ) -> [Outcome.Advice] {
            let own = track.section == .verbal ? verbal : quantitative
            let other = track.section == .verbal ? quantitative : verbal
            // (1) a·100 against b·trackWeight; equal: the track's own.
            let isOwn =
                Int128(own.hundredths) * 100
                <= Int128(other.hundredths) * Int128(policy.adviceTrackWeight)
            let otherSection: Section = track.section == .verbal ? .quantitative : .verbal
            var list = [advice(.focusSection) { $0.section = isOwn ? track.section : otherSection }]
            // (2) Weak categories, with minutes shared out by weight.
            let weighed = weigh(tally.weaknesses, below: overall)
            let sum = weighed.reduce(Int128(0)) { $0 + $1.weight }
            var minutes = weighed.map { entry in
                sum == 0
                    ? 0 : Int(Int128(policy.adviceMinutesPerWeek) * entry.weight / sum)
            }
            if !minutes.isEmpty {
                minutes[0] += policy.adviceMinutesPerWeek - minutes.reduce(0, +)
            }
            for (entry, minutes) in zip(weighed, minutes) {
                list.append(
                    advice(.practiseCategory) {
                        $0.category = entry.category
                        $0.minutes = minutes
                    })
            }
            // (3) to (5)
            if tally.skipped > 0 { list.append(advice(.answerAll) { $0.count = tally.skipped }) }
            if tally.averageSeconds > tally.recommendedSeconds { list.append(advice(.workFaster)) }
            if tally.weaknesses.isEmpty, band(of: overall) != policy.bands.last {
                list.append(advice(.keepGoing))
            }
            return list
        }

        /// The advice after a practice, in the order of the rule; exactly on a limit keeps the level
        /// (R36).
        package func advise(
            _ tally: Outcome.Tally, score: Percent, at level: Difficulty
        ) -> [Outcome.Advice] {
            var list: [Outcome.Advice] = []
            if score > policy.adviceRaiseAbove.percent {
                switch level {
                case .easy: list.append(advice(.raiseDifficulty) { $0.difficulty = .medium })
                case .medium: list.append(advice(.raiseDifficulty) { $0.difficulty = .hard })
                case .hard: list.append(advice(.tryFullExam))
                }
            } else if score < policy.adviceLowerBelow.percent {
                switch level {
                case .easy: list.append(advice(.reviewBasics))
                case .medium: list.append(advice(.lowerDifficulty) { $0.difficulty = .easy })
                case .hard: list.append(advice(.lowerDifficulty) { $0.difficulty = .medium })
                }
            } else {
                list.append(advice(.keepDifficulty) { $0.difficulty = level })
            }
            for weakness in tally.weaknesses {
                list.append(advice(.practiseCategory) { $0.category = weakness.category })
            }
            return list
        }

        /// The sections practised, the track's own first (R36, 3).
        package func related(to categories: [Category]) -> [Outcome.Advice] {
            track.sections.filter { section in categories.contains { $0.section == section } }
                .map { section in advice(.relatedSection) { $0.section = section } }
        }
    }
}
