import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// How is it going, in words? The AI service's, once one was requested and came; else by rule (R38).
    static let evaluationView = ReadModel<State>(
        "learnable.evaluation", "How is it going, in words?", key: "student",
        arguments: ["subject"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        _ = try request.idText("subject")
        guard let (student, row) = state.student(request.key) else { return false }
        let asked = try state.librarySubject(request, of: student)
        let items: [(title: Title, tally: Tally)]
        if let (subject, row) = asked {
            var start = 0
            let chapters = state.chapters(of: subject)
            items = row.chapterTopics.enumerated().map { index, topics in
                defer { start += topics }
                return (
                    chapters.title(ofChapter: index),
                    state.tally(subject, row, start..<start + topics)
                )
            }
        } else {
            items = state.readySubjects(row).map { entry in
                (
                    state.title(of: entry.id, entry.row),
                    state.tally(entry.id, entry.row, 0..<entry.row.topics)
                )
            }
        }
        let given = state.evaluation(of: student, asked?.id)
        let delivered = (given?.delivered ?? 0) > 0 ? given : nil
        let rule = ProgressRule(
            items, of: asked.map { state.title(of: $0.id, $0.row).text } ?? "all subjects",
            state.policy.masteryMeasure)
        output.object { output in
            output.member("evaluatedAt", delivered?.deliveredAt)
            output.member("pending", given.map { $0.requested > $0.delivered } ?? false)
            output.member("request", given?.requested)
            rule.write(to: &output)
            output.member("source", delivered?.text == nil ? "rule" : "service")
            output.member("subject", asked?.id)
            output.member("text", delivered?.text?.text ?? rule.text)
        }
        return true
    }

    /// Three sentences on how a scope is going (R38).
    struct ProgressRule {
        private struct Item {
            let title: String
            let completion: Percent
            let mastery: Percent?
        }

        /// What a sentence says.
        private struct Finding {
            let measure: String
            let title: String?
            let figure: JSON
            let sentence: String
            /// The item that is named for its mastery.
            var index: Int?
        }

        private let items: [Item]
        private let scope: Tally
        private let name: String
        private let measure: Policy.MasteryMeasure

        init(
            _ items: [(title: Title, tally: Tally)], of name: String,
            _ measure: Policy.MasteryMeasure
        ) {
            self.items = items.map {
                Item(
                    title: $0.title.text, completion: $0.tally.completion ?? .zero,
                    mastery: $0.tally.mastery(measure))
            }
            var scope = Tally()
            for item in items { scope.add(item.tally) }
            self.scope = scope
            self.name = name
            self.measure = measure
        }

        func write(to output: inout JSONOutput) {
            output.member("completion", items.isEmpty ? nil : scope.completion)
            output.member("mastery", scope.mastery(measure))
            guard let strength else {
                output.member("shortcoming", String?.none)
                output.member("strength", String?.none)
                return
            }
            write("shortcoming", shortcoming(besides: strength.index), to: &output)
            write("strength", strength, to: &output)
        }

        var text: String {
            guard let strength else { return "Nothing to evaluate yet." }
            let shortcoming = shortcoming(besides: strength.index)
            let progress = "You have completed \(text(scope.completion ?? .zero))% of \(name)."
            return "\(progress) \(strength.sentence) \(shortcoming.sentence)"
        }

        private func write(_ member: String, _ finding: Finding, to output: inout JSONOutput) {
            guard !finding.measure.isEmpty else {
                output.member(member, String?.none)
                return
            }
            output.object(member) { output in
                output.member("figure", finding.figure)
                output.member("measure", finding.measure)
                output.member("title", finding.title)
            }
        }

        /// The highest mastery above 0, else the highest completion; the first of equals.
        private var strength: Finding? {
            var best: Int?
            for (index, item) in items.enumerated() {
                guard let mastery = item.mastery, mastery > .zero else { continue }
                if let former = best, let other = items[former].mastery {
                    let isHigher =
                        mastery != other
                        ? mastery > other : item.completion > items[former].completion
                    if !isHigher { continue }
                }
                best = index
            }
            if let best, let mastery = items[best].mastery {
                let title = items[best].title
                return Finding(
                    measure: "mastery", title: title, figure: json(mastery),
                    sentence:
                        "Strength: \(title), \(text(mastery))% of questions answered correctly.",
                    index: best)
            }
            guard var most = items.first else { return nil }
            for item in items where item.completion > most.completion { most = item }
            return Finding(
                measure: "completion", title: most.title, figure: json(most.completion),
                sentence: "Strength: \(most.title), \(text(most.completion))% completed.")
        }

        /// The first that exists.
        private func shortcoming(besides named: Int?) -> Finding {
            if let index = lowestMastery(besides: named), let mastery = items[index].mastery {
                let title = items[index].title
                return Finding(
                    measure: "mastery", title: title, figure: json(mastery),
                    sentence:
                        "To improve: \(title), \(text(mastery))% of questions answered correctly.")
            }
            var least: Item?
            for item in items where item.completion < .hundred {
                if least.map({ item.completion < $0.completion }) ?? true { least = item }
            }
            if let least {
                return Finding(
                    measure: "completion", title: least.title, figure: json(least.completion),
                    sentence: "To improve: \(least.title), \(text(least.completion))% completed.")
            }
            let open = scope.inPool - scope.mastered
            if open > 0 {
                return Finding(
                    measure: "not-mastered", title: nil, figure: .integer(Int64(open)),
                    sentence:
                        "To improve: \(open) of \(scope.inPool) questions are not mastered yet.")
            }
            return Finding(
                measure: "", title: nil, figure: .null,
                sentence: "To improve: nothing is open; keep the daily quiz going.")
        }

        private func lowestMastery(besides named: Int?) -> Int? {
            var worst: Int?
            for (index, item) in items.enumerated() where index != named {
                guard let mastery = item.mastery, mastery < .hundred else { continue }
                if let former = worst, let other = items[former].mastery {
                    let isLower =
                        mastery != other
                        ? mastery < other : item.completion < items[former].completion
                    if !isLower { continue }
                }
                worst = index
            }
            return worst
        }

        private func json(_ percent: Percent) -> JSON { .hundredths(percent.hundredths) }

        /// The percentage as it is printed.
        private func text(_ percent: Percent) -> String { json(percent).description }
    }
}
