internal import ArgumentParser
internal import Engine

extension Replay {
    /// Says what would come of a command, and by which checks.
    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Says what would come of a command, and by which checks.",
            discussion: """
                The command is decided behind the last event, in memory; nothing is recorded. Listed are the checks in their \
                order with what they saw, and the events that would be recorded, those of timers that are due before it \
                first. Of a product's rules those are listed that look something up or that many commands share, and the \
                one that refuses. `submit --explain` says the same of commands that it records.

                EXAMPLE
                  replay explain - --journal exams < commands.jsonl
                  replay explain "$(tail -n 1 commands.jsonl)" --journal exams
                """)

        @Argument(
            help: ArgumentHelp(
                "A command, one JSON object; - for commands from standard input, each decided behind the one before.",
                valueName: "command-line"))
        var command: String

        @Option(
            help: ArgumentHelp(
                "What recordedAt would say, in place of the present.", valueName: "instant"))
        var clock: String?

        @OptionGroup var common: CommonOptions

        func run() throws {
            let clock = try Moments.instant(clock, "--clock")
            let lines =
                try command == "-"
                ? Self.standardInput() : [(1, Array(command.utf8))]
            let explained = try common.openForReading().explain(lines, clock: clock)
            try common.printing { output throws(EngineError) in
                for each in explained {
                    try output.show(each)
                }
            }
        }

        private static func standardInput() throws -> [(number: Int, bytes: [UInt8])] {
            var reader = LineReader(try InputSource("-"), nil)
            var lines: [(number: Int, bytes: [UInt8])] = []
            while let line = try reader.next() {
                guard let bytes = line.bytes else {
                    throw EngineError(
                        .badInput, "standard input, line \(line.number): longer than a command")
                }
                lines.append((line.number, bytes))
            }
            guard !lines.isEmpty else { throw EngineError(.badInput, "no command to explain") }
            return lines
        }
    }
}
