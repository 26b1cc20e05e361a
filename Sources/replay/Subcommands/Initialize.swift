internal import ArgumentParser
internal import Engine

extension Replay {
    /// Makes an empty journal.
    struct Initialize: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Makes an empty journal.",
            discussion: """
                If there is a journal already, that is an error and nothing is touched.

                EXAMPLE
                  replay init --journal exams
                """)

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let directory = common.directory
            try Engine.create(at: directory)
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else {
                    let value = Document.Value.object([("journal", .string(directory))])
                    return try output.document(value.canonical)
                }
                try output.line("made an empty journal in \(Printable.line(directory))")
            }
        }
    }
}
