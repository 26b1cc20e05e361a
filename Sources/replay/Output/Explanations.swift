internal import Engine

extension Output {
    /// What comes of a command, and by which checks: JSON for programs, a line for each check, outcome and event for people.
    func show(_ explained: ExplainedOutcome) throws(EngineError) {
        guard isLaidOut else { return try document(explained.document.bytes) }
        for check in explained.checks {
            let mark = palette.paint(
                check.holds ? "passes " : "refuses", check.holds ? .good : .bad)
            let saw = check.saw.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            let of = check.mergedCommand.map { ["of merged \($0)"] } ?? []
            let words = ["\(check.name), else \(check.code)"] + of + saw
            try line("\(mark)  \(Printable.line(words.joined(separator: "; ")))")
        }
        let outcome = explained.outcome
        try line(OutcomeLine(outcome.document.value, outcome.status).text(palette))
        for (index, event) in outcome.recorded.enumerated() {
            let by = index < explained.timerEvents ? "  by a timer" : ""
            try line("  \(Printable.line("\(event.type)  \(event.stream)"))\(by)")
        }
    }
}
