import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    static let examSheetView = ReadModel<State>(
        "tafawoq.exam-sheet", "What does the candidate see?", key: "exam",
        keys: { $0.sittingKeys(.exam) }, basis: .on(Grounds.sitting("exam"), Grounds.rules)
    ) { state, request, output in
        guard let (key, row) = state.sitting(.exam, request.key) else { return false }
        output.object { output in
            state.writeSheet(key, row, to: &output)
            output.member("deadline", row.deadline)
            output.member("remainingSeconds", row.remaining(at: request.now))
            output.member("resumeUntil", row.resumeUntil)
        }
        return true
    }

    static let practiceSheetView = ReadModel<State>(
        "tafawoq.practice-sheet", "What does the student practise?", key: "practice",
        keys: { $0.sittingKeys(.practice) },
        basis: .on(Grounds.sitting("practice"), Grounds.rules)
    ) { state, request, output in
        guard let (key, row) = state.sitting(.practice, request.key) else { return false }
        output.object { output in state.writeSheet(key, row, to: &output) }
        return true
    }

    static let examReviewView = ReadModel<State>(
        "tafawoq.exam-review", "What was right?", key: "exam", arguments: ["page"],
        keys: { $0.sittingKeys(.exam) }, basis: .on(Grounds.sitting("exam"), Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        try state.writeReview(.exam, request, to: &output)
    }

    static let practiceReviewView = ReadModel<State>(
        "tafawoq.practice-review", "What was right?", key: "practice", arguments: ["page"],
        keys: { $0.sittingKeys(.practice) },
        basis: .on(Grounds.sitting("practice"), Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        try state.writeReview(.practice, request, to: &output)
    }
}

extension Tafawoq.SittingRow {
    fileprivate func remaining(at now: Instant) -> Int? {
        switch stage {
        case .generating: nil
        case .inProgress: max(0, deadline?.wholeSeconds(since: now) ?? 0)
        case .suspended: remainingSeconds
        case .completed, .abandoned, .expired, .failed: 0
        }
    }

    fileprivate var failureText: Tafawoq.Bilingual? {
        guard stage == .failed else { return nil }
        let isPoor = reason == Tafawoq.Generation.Reason.insufficientResources.rawValue
        return Tafawoq.Texts.notice(isPoor ? "insufficient-resources" : "generation-failed")
    }
}

extension Tafawoq.State {
    /// What is asked and answered; right answers and explanations are never here.
    fileprivate func writeSheet(
        _ key: Tafawoq.SittingKey, _ row: Tafawoq.SittingRow, to output: inout JSONOutput
    ) {
        let sheet = sheet(key)
        let passages = papers.read(key) { $0.passages } ?? []
        output.member(key.kind.rawValue, key.id)
        output.member("student", row.student)
        output.member("status", row.stage)
        output.member("reason", row.stage == .failed ? row.reason : nil)
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
                // R30
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

    /// R37: whether explanations may be read, and from when on.
    func explanations(
        of row: Tafawoq.SittingRow, at now: Instant
    ) -> (isAvailable: Bool, from: Instant?) {
        guard row.stage == .completed, let endedAt = row.endedAt else { return (false, nil) }
        if tier(of: row.student, at: now) == .premium { return (true, endedAt) }
        guard let delay = policy.freeExplanationDelaySeconds else { return (false, nil) }
        let from = endedAt + Int64(delay)
        return (now >= from, from)
    }

    func writeExplanations(
        of row: Tafawoq.SittingRow, at now: Instant, to output: inout JSONOutput
    ) {
        let explanations = explanations(of: row, at: now)
        output.object("explanations") { output in
            output.member("available", explanations.isAvailable)
            output.member("from", explanations.from)
        }
    }

    fileprivate func writeReview(
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
                    output.member("number", entry.offset + 1)
                    output.member("question", content.question)
                    output.member("section", content.section)
                    output.member("category", content.category)
                    output.member("difficulty", content.difficulty)
                    output.member("text", content.text)
                    output.member("options", content.options)
                    output.member("choice", line.choice)
                    output.member("answer", content.answer)
                    output.member("correct", line.isVoided ? nil : line.isCorrect)
                    output.member("voided", line.isVoided)
                    output.member("seconds", line.seconds)
                    output.member("explanation", isExplained ? content.explanation : nil)
                }
            }
        }
        return true
    }
}
