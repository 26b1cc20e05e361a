internal import ArgumentParser
internal import Engine

extension Replay {
    /// Says what would be if it had come otherwise.
    struct WhatIf: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "what-if",
            abstract: "Says which read models would differ if it had come otherwise.",
            discussion: """
                Folds the events anew, with other values of policies, without some events, with events that say something \
                else, or with commands behind the last event, and compares every document of the models with what it is. \
                Commands alone are decided on what is stored. Records nothing. Nothing is decided again: what was decided \
                under a policy stays so.

                EXAMPLE
                  replay what-if examroom.results --journal exams --policy 'examroom={"defaultPassPercent":55}'
                  replay what-if --journal exams --without 17
                  replay what-if examroom.result --journal exams --count '$.passed == true' \
                    --change 'examroom.attempt.started@exam:EX-1={"passPercent":75}'
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
                "A command that did not come: none of its events did; may be repeated.",
                valueName: "id"))
        var withoutCommand: [String] = []

        @Option(
            help: ArgumentHelp(
                "Events that said something else: a position, or a type, or a type and a tag, and a JSON Merge Patch (RFC 7396) of their data; may be repeated.",
                valueName: "position|type[@tag]={…}"),
            completion: .custom(Completion.types))
        var change: [String] = []

        @Option(
            help: ArgumentHelp(
                "Count the documents of which this holds, and would hold: JSONPath, as for bisect.",
                valueName: "condition"))
        var count: String?

        @Option(
            help: ArgumentHelp(
                "Commands behind the last event, one a line, from a file or - for standard input.",
                valueName: "file"),
            completion: .file(extensions: ["jsonl", "json"]))
        var commands: String?

        @Option(
            help: ArgumentHelp("Let the clock go on so far behind them.", valueName: "instant"))
        var until: String?

        @Flag(
            help:
                "The commands come, and the clock goes on, in what did come, too: two futures are compared."
        )
        var both = false

        @Option(
            help: ArgumentHelp(
                "The present to ask at (default: the last instant of either).",
                valueName: "instant"))
        var now: String?

        @OptionGroup var seen: ViewerOptions
        @OptionGroup var room: MemoryOptions
        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            let eventsDiffer = !without.isEmpty || !withoutCommand.isEmpty || !change.isEmpty
            guard !policy.isEmpty || eventsDiffer || commands != nil || until != nil else {
                throw ValidationError(
                    "say what came otherwise: --policy, --change, --without, --without-command, --commands or --until"
                )
            }
            guard !both || commands != nil || until != nil else {
                throw ValidationError("--both is about --commands and --until")
            }
            guard count == nil || !models.isEmpty else {
                throw ValidationError("--count counts documents of the models that are named")
            }
        }

        func run() throws {
            let alternative = try alternative()
            let engine = try common.openForReading { room.apply(to: &$0) }
            let found = try engine.whatIf(
                alternative, models: models, counting: count, as: try seen.viewer())
            try common.printing { output throws(EngineError) in
                for outcome in found.outcomes {
                    guard output.isLaidOut else {
                        try output.document(outcome.document.bytes)
                        continue
                    }
                    try output.line(
                        OutcomeLine(outcome.document.value, outcome.status).text(output.palette))
                }
                try Comparisons.print(found.models, counted: count, to: output)
            }
        }

        private func alternative() throws -> Alternative {
            var alternative = Alternative()
            for text in policy {
                let (product, values) = try Self.assignment(text, "--policy", "product={…}")
                guard alternative.policies.updateValue(values, forKey: product) == nil else {
                    throw EngineError(.wrongUse, "--policy \(product)=… is given twice")
                }
            }
            alternative.changes = try change.map { text throws(EngineError) in
                let (events, patch) = try Self.assignment(
                    text, "--change", "position={…} or type={…}")
                return Alternative.Change(try Self.events(events), patch)
            }
            for text in without {
                alternative.without.insert(try Moments.position(text))
            }
            alternative.withoutCommands = Set(withoutCommand)
            if let commands {
                var reader = LineReader(try InputSource(commands), nil, keepsEmptyLines: true)
                while let line = try reader.next() {
                    guard let bytes = line.bytes else {
                        throw EngineError(
                            .badInput, "\(commands), line \(line.number): longer than a command")
                    }
                    guard let text = String(validating: bytes, as: UTF8.self) else {
                        throw EngineError(
                            .badInput, "\(commands), line \(line.number): invalid UTF-8")
                    }
                    alternative.commands.append(text)
                }
            }
            alternative.until = try Moments.instant(until, "--until")
            alternative.commandsComeAnyway = both
            alternative.now = try Moments.instant(now, "--now")
            return alternative
        }

        /// A name and an object behind `=`.
        private static func assignment(
            _ text: String, _ option: String, _ form: String
        ) throws(EngineError) -> (name: String, value: Document.Value) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let value = Document.Value(json: parts[1]),
                case .object = value
            else {
                throw EngineError(.wrongUse, "\(option): \"\(text)\" is not of the form \(form)")
            }
            return (parts[0], value)
        }

        /// A position, a type, or a type and a tag.
        private static func events(
            _ text: String
        ) throws(EngineError) -> Alternative.Change.Events {
            if text.first?.isNumber == true { return .at(try Moments.position(text)) }
            let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            guard parts.allSatisfy({ !$0.isEmpty }) else {
                throw EngineError(
                    .wrongUse, "--change: \"\(text)\" is neither a position, TYPE nor TYPE@TAG")
            }
            return .ofType(parts[0], tag: parts.count > 1 ? parts[1] : nil)
        }
    }
}
