import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq.State {
    /// Writes a review question by question; without any until completed (R37).
    func writeReview(
        _ kind: Tafawoq.SittingKind, _ request: ViewRequest, to output: inout JSONOutput
    ) throws(WrongArgument) -> Bool {
        guard let (key, row) = sitting(kind, request.key) else { return false }
        let page = try Page(request)
        let lines =
            row.stage == .completed ? Array(sheet(key).lines.enumerated()) : []
        let isExplained = explanations(of: row, at: request.now).isAvailable
        output.object { output in
            output.member(kind.rawValue, key.id)
            writeExplanations(of: row, at: request.now, to: &output)
            page.write(total: lines.count, to: &output)
            output.array("questions", lines[page.range(of: lines.count)]) { output, entry in
                let line = entry.element
                let content = line.content
                output.object { output in
                    output.member("answer", content.answer)
                    output.member("category", content.category)
                    output.member("choice", line.choice)
                    output.member("correct", line.isVoided ? nil : line.isCorrect)
                    output.member("difficulty", content.difficulty)
                    output.member("explanation", isExplained ? content.explanation : nil)
                    output.member("number", entry.offset + 1)
                    output.member("options", content.options)
                    output.member("question", content.question)
                    output.member("seconds", line.seconds)
                    output.member("section", content.section)
                    output.member("text", content.text)
                    output.member("voided", line.isVoided)
                }
            }
        }
        return true
    }

    /// Writes whether explanations may be read, and from when on (R37).
    func writeExplanations(
        of row: Tafawoq.SittingRow, at now: Instant, to output: inout JSONOutput
    ) {
        let explanations = explanations(of: row, at: now)
        output.object("explanations") { output in
            output.member("available", explanations.isAvailable)
            output.member("from", explanations.from)
        }
    }

    /// Whether explanations may be read, and from when on (R37).
    func explanations(
        of row: Tafawoq.SittingRow, at now: Instant
    ) -> (isAvailable: Bool, from: Instant?) {
        guard row.stage == .completed, let endedAt = row.end?.at else { return (false, nil) }
        if tier(of: row.student, at: now) == .premium { return (true, endedAt) }
        guard let delay = policy.freeExplanationDelaySeconds else { return (false, nil) }
        let from = endedAt + Int64(delay)
        return (now >= from, from)
    }
}
