import Commands
public import Core

/// A check on the way to the outcome of a command.
public struct OutcomeCheck: Sendable, Hashable {
    /// What was checked, such as `sender` or `found`; `rule` for a refusal that no such check stands for.
    public let name: String
    /// The code that it refuses with.
    public let code: String
    /// Whether it let the command pass.
    public let holds: Bool
    /// What it saw, by name.
    public let saw: [String: String]
    /// The id of the command within a merge that it was made for; nil for the command itself.
    public let mergedCommand: String?
}

/// What comes of a command, or would come of it, and by which checks.
public struct ExplainedOutcome: Sendable {
    /// What `submit` answers.
    public let outcome: Outcome
    /// The checks in their order; those of a merge's commands among them.
    public let checks: [OutcomeCheck]
    /// How many of the outcome's events, the first ones, are those of timers that are due before the command.
    public let timerEvents: Int

    /// Nil for an outcome of which the checks were not noted.
    package init?(_ outcome: Outcome) {
        guard let explained = outcome.explained else { return nil }
        self.outcome = outcome
        checks = explained.checks
        timerEvents = explained.timerEvents
    }

    /// All of it as JSON.
    public var document: Document {
        Document(names: Names()) { output in
            output.object { output in
                output.json.key("checks")
                output.json.beginArray()
                for check in checks { check.write(to: &output) }
                output.json.endArray()
                output.json.key("outcome")
                output.json.canonical(outcome.document.bytes[...])
                output.member("timerEvents", timerEvents)
            }
        }
    }
}

extension OutcomeCheck {
    fileprivate func write(to output: inout JSONOutput) {
        output.object { output in
            output.member("check", name)
            output.member("code", code)
            output.member("holds", holds)
            if let mergedCommand { output.member("mergedCommand", mergedCommand) }
            output.json.key("saw")
            output.json.value(JSON.object(of: saw.map { ($0.key, .string($0.value)) }))
        }
    }

    init(_ check: DecisionCheck) {
        name = check.name
        code = check.code
        holds = check.holds
        saw = Dictionary(check.saw.map { ($0.name, $0.value) }) { first, _ in first }
        mergedCommand = check.command.isEmpty ? nil : check.command
    }
}

extension Outcome {
    /// The same with the checks that the log has of it.
    func explained(by log: DecisionLog) -> Outcome {
        var outcome = self
        outcome.explained = (log.checks.map(OutcomeCheck.init), log.timerEvents)
        return outcome
    }
}

extension EventEngine.Submitted {
    /// The outcomes with their checks; none unless they were asked for, and none for a viewer.
    public var explained: [ExplainedOutcome] { outcomes.compactMap(ExplainedOutcome.init) }
}

extension EventEngine {
    /// What would come of command lines behind the last event, one after the other, and by which checks. Records
    /// nothing.
    ///
    /// Seen are the checks of every command (its form, its id, its instant, who sends it) and, of a product's rules, what is
    /// looked up, whose it is, which id is free, the rules that many commands share, and the one that refuses. Another rule
    /// that lets a command pass leaves no trace (ADR 0048).
    ///
    /// - Parameter clock: what `recordedAt` would say; nil for the present.
    public func explain(
        _ lines: [String], clock: Instant? = nil
    ) throws(EngineError) -> [ExplainedOutcome] {
        let numbered = lines.enumerated().map { ($0.offset + 1, Array($0.element.utf8)) }
        return try explain(numbered, clock: clock)
    }

    /// The same of lines as they came, each with its number in the input.
    package func explain(
        _ lines: [(number: Int, bytes: [UInt8])], clock: Instant?
    ) throws(EngineError) -> [ExplainedOutcome] {
        let numbered = lines.map { SubmittedLine(bytes: $0.bytes, number: $0.number) }
        return try whileOpen {
            try Rehearsal.outcomes(of: numbered, on: self, clock: clock, explains: true)
        }.compactMap(ExplainedOutcome.init)
    }
}
