import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq.SittingRow {
    /// The text of a failed generation.
    fileprivate var failureText: Tafawoq.Bilingual? {
        guard stage == .failed else { return nil }
        let isPoor = end?.reason == Tafawoq.Generation.Reason.insufficientResources.rawValue
        return Tafawoq.Texts.notice(isPoor ? "insufficient-resources" : "generation-failed")
    }
}

extension Tafawoq.State {
    /// Writes the questions and answers; right answers and explanations are never here.
    func writeSheet(
        _ key: Tafawoq.SittingKey, _ row: Tafawoq.SittingRow, to output: inout JSONOutput
    ) {
        let sheet = sheet(key)
        let passages = papers.read(key) { $0.passages } ?? []
        output.member(key.kind.rawValue, key.id)
        output.member("student", row.student)
        output.member("status", row.stage)
        output.member("reason", row.stage == .failed ? row.end?.reason : nil)
        output.both("text", row.failureText)
        output.member("answered", sheet.answered)
        output.member("total", sheet.lines.count)
        output.array("questions", sheet.lines.enumerated()) { output, entry in
            let line = entry.element
            let content = line.content
            output.object { output in
                output.member("number", entry.offset + 1)
                output.member("question", content.question)
                output.member("section", content.section)
                output.member(
                    "sectionLabelAr",
                    "السؤال \(entry.offset + 1) - \(Tafawoq.Texts.label(content.section.rawValue).arabic)"
                )
                output.member("category", content.category)
                output.member("difficulty", content.difficulty)
                output.member(
                    "difficultyAr", Tafawoq.Texts.label(content.difficulty.rawValue).arabic)
                output.member("text", content.text)
                output.member("options", content.options)
                output.member("recommendedSeconds", content.recommendedSeconds)
                output.member("image", content.image)
                // A missing diagram is replaced by its text (R30).
                let isMissing = content.image?.status == .failed
                output.both(
                    "notice", isMissing ? Tafawoq.Texts.notice("diagram-unavailable") : nil)
                let passage = content.passage.flatMap { id in
                    passages.first { $0.passage == id }
                }
                output.member("passage", passage)
                output.member("choice", line.choice)
                output.member("seconds", line.seconds)
                output.member("voided", line.isVoided)
            }
        }
    }
}
