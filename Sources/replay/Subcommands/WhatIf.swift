internal import ArgumentParser
internal import Engine

extension Replay {
    /// Says what would be if it had come otherwise.
    struct WhatIf: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "what-if",
            abstract: "Says which read models would differ if it had come otherwise.",
            discussion: """
                Folds the events anew in memory, with other values of policies, without some events, or with commands behind \
                the last event, and compares every document of the models with what it is. Records nothing. Events \
                stay what they are: what was decided under a policy is not decided again.

                EXAMPLE
                  replay what-if examroom.results --journal exams --policy 'examroom={"defaultPassPercent":55}'
                  replay what-if --journal exams --without 17
                  replay what-if learnable.home --journal exams --commands commands.jsonl --until 2026-07-01T00:00:00Z
                """)

        @Argument(
            help: "The read models to compare; all of the products if none is named.",
            completion: .custom(Completion.models))
        var models: [String] = []

        @Option(
            help: ArgumentHelp(
                "Values of a product's policy, in force from the first event on; may be repeated.",
                valueName: "product={…}"))
        var policy: [String] = []

        @Option(
            help: ArgumentHelp(
                "An event that did not come; may be repeated.", valueName: "position"))
        var without: [String] = []

        @Option(
            help: ArgumentHelp(
                "Commands behind the last event, one a line, from a file or - for standard input.",
                valueName: "file"))
        var commands: String?

        @Option(
            help: ArgumentHelp("Let the clock go on so far behind them.", valueName: "instant"))
        var until: String?

        @Option(
            help: ArgumentHelp(
                "The present to ask at (default: the last instant of either).",
                valueName: "instant"))
        var now: String?

        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            guard !policy.isEmpty || !without.isEmpty || commands != nil || until != nil else {
                throw ValidationError(
                    "say what came otherwise: --policy, --without, --commands or --until")
            }
        }

        func run() throws {
            let alternative = try alternative()
            let found = try common.openForReading().whatIf(alternative, models: models)
            try common.printing { output throws(EngineError) in
                for outcome in found.outcomes {
                    guard output.isLaidOut else {
                        try output.document(outcome.document.bytes)
                        continue
                    }
                    try output.line(
                        OutcomeLine(outcome.document.value, outcome.status).text(output.palette))
                }
                try Comparisons.print(found.models, to: output)
            }
        }

        private func alternative() throws -> Alternative {
            var alternative = Alternative()
            for text in policy {
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, let value = Document.Value(json: parts[1]) else {
                    throw EngineError(
                        .wrongUse, "--policy: \"\(text)\" is not of the form product={…}")
                }
                alternative.policies[parts[0]] = value
            }
            for text in without { alternative.without.insert(try Moments.position(text)) }
            if let commands {
                var reader = LineReader(try InputSource(commands), nil)
                while let line = try reader.next() {
                    guard let bytes = line.bytes else {
                        throw EngineError(
                            .badInput, "\(commands), line \(line.number): longer than a command")
                    }
                    alternative.commands.append(String(decoding: bytes, as: UTF8.self))
                }
            }
            alternative.until = try Moments.instant(until, "--until")
            alternative.now = try Moments.instant(now, "--now")
            return alternative
        }
    }
}
