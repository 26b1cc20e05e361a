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

    /// The seconds left to answer; none while generating.
    fileprivate func remaining(at now: Instant) -> Int? {
        switch progress {
        case .generating: nil
        case .inProgress(let deadline): max(0, deadline?.wholeSeconds(since: now) ?? 0)
        case .suspended(let suspension): suspension.remainingSeconds
        case .ended: 0
        }
    }
}

extension Tafawoq.State {
    /// Writes the questions and answers; right answers and explanations are never here.
    ///
    /// Members come in the order of their names: to put them in order took a quarter of a sheet.
    func writeSheet(
        _ key: Tafawoq.SittingKey, _ row: Tafawoq.SittingRow, at now: Instant,
        to output: inout JSONOutput
    ) {
        let sheet = sheet(key)
        let passages = papers.read(key) { $0.passages } ?? []
        let isExam = key.kind == .exam
        output.member("answered", sheet.answered)
        if isExam { output.member("deadline", row.deadline) }
        output.member(key.kind.rawValue, key.id)
        output.array("questions", sheet.lines.enumerated()) { output, entry in
            Self.write(entry.element, number: entry.offset + 1, passages, to: &output)
        }
        output.member("reason", row.stage == .failed ? row.end?.reason : nil)
        if isExam {
            output.member("remainingSeconds", row.remaining(at: now))
            output.member("resumeUntil", row.suspension?.resumeUntil)
        }
        output.member("status", row.stage)
        output.member("student", row.student)
        output.both("text", row.failureText)
        output.member("total", sheet.lines.count)
    }

    private static func write(
        _ line: Tafawoq.Sheet.Line, number: Int, _ passages: [Tafawoq.Question.Text],
        to output: inout JSONOutput
    ) {
        let content = line.content
        output.object { output in
            output.member("category", content.category)
            output.member("choice", line.choice)
            output.member("difficulty", content.difficulty)
            output.member(
                "difficultyAr", Tafawoq.Texts.label(content.difficulty.rawValue).arabic)
            output.member("image", content.image)
            // A missing diagram is replaced by its text (R30).
            let isMissing = content.image?.status == .failed
            output.both("notice", isMissing ? Tafawoq.Texts.notice("diagram-unavailable") : nil)
            output.member("number", number)
            output.member("options", content.options)
            let passage = content.passage.flatMap { id in passages.first { $0.passage == id } }
            output.member("passage", passage)
            output.member("question", content.question)
            output.member("recommendedSeconds", content.recommendedSeconds)
            output.member("seconds", line.seconds)
            output.member("section", content.section)
            output.member(
                "sectionLabelAr",
                "السؤال \(number) - \(Tafawoq.Texts.label(content.section.rawValue).arabic)")
            output.member("text", content.text)
            output.member("voided", line.isVoided)
        }
    }
}
