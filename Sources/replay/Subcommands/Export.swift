internal import ArgumentParser
internal import Engine

extension Replay {
    /// The whole journal as text.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Prints the whole journal as JSON lines, without loss.",
            discussion: """
                `replay import` makes the same journal of it, with the same tree hash. That takes the \
                persons' keys, which are in it: keep it as the journal itself. --sealed leaves out keys \
                and personal fields: an auditor can check every proof with it (docs/audit.md). --csv \
                prints the audit view instead, for a spreadsheet: UTF-8, and texts that could be read as \
                a formula begin with an apostrophe. --documents prints what the read models say instead of the \
                events: keep it before a new build takes over, and ask that one for \
                `replay diff --exported`.

                EXAMPLE
                  replay export --journal exams > exams.jsonl
                  replay export --journal exams --sealed > for-the-auditor.jsonl
                  replay export --journal exams --csv > audit.csv
                  replay export --journal exams --documents > answers.jsonl
                """)

        @Argument(
            help: "With --documents: the read models; none means all.",
            completion: .custom(Completion.models))
        var models: [String] = []

        @Flag(help: "The audit view as comma-separated values.")
        var csv = false

        @Flag(help: "Without keys and personal fields.")
        var sealed = false

        @Flag(help: "The documents of the read models, one a line, instead of the events.")
        var documents = false

        @OptionGroup var room: MemoryOptions
        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            if documents, csv || sealed {
                throw ValidationError("--documents goes with neither --csv nor --sealed")
            }
            if !documents, let model = models.first {
                throw ValidationError("\"\(model)\": read models are exported with --documents")
            }
            if !documents, room.memory != nil {
                throw ValidationError("--memory is for the documents of --documents")
            }
            if csv, common.json { throw ValidationError("--csv does not go with --json") }
            if csv, sealed { throw ValidationError("--csv does not go with --sealed") }
        }

        func run() throws(EngineError) {
            let engine = try common.openForReading { room.apply(to: &$0) }
            try common.printing { output throws(EngineError) in
                if csv {
                    try engine.exportAudit { bytes throws(EngineError) in
                        try output.write(output.isTerminal ? Printable.lines(bytes) : bytes)
                    }
                } else if documents {
                    try engine.exportDocuments(of: models) { bytes throws(EngineError) in
                        try output.write(output.isTerminal ? Printable.json(bytes) : bytes)
                    }
                } else {
                    try engine.export(isSealed: sealed) { bytes throws(EngineError) in
                        try output.write(output.isTerminal ? Printable.json(bytes) : bytes)
                    }
                }
            }
        }
    }
}
