internal import ArgumentParser
internal import Engine

extension Replay {
    /// The whole journal as text.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the whole journal as JSON lines, without loss.",
            discussion: """
                `replay import` makes the same journal of it. --csv prints the audit view instead, for \
                a spreadsheet: UTF-8, and texts that could be read as a formula begin with an \
                apostrophe.

                EXAMPLE
                  replay export --journal exams > exams.jsonl
                  replay export --journal exams --csv > audit.csv
                """)

        @Flag(help: "The audit view as comma-separated values.")
        var csv = false

        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            if csv, common.json { throw ValidationError("--csv does not go with --json") }
        }

        func run() throws(EngineError) {
            let engine = try common.openForReading()
            try common.printing { output throws(EngineError) in
                if csv {
                    try engine.exportAudit { bytes throws(EngineError) in
                        try output.write(output.isTerminal ? Printable.lines(bytes) : bytes)
                    }
                } else {
                    try engine.export { bytes throws(EngineError) in
                        try output.write(output.isTerminal ? Printable.json(bytes) : bytes)
                    }
                }
            }
        }
    }
}
