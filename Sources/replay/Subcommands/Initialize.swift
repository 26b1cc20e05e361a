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

                A command whose instant lies more than 300 seconds ahead of the clock is refused \
                (clock-ahead). A simulated journal has no such bound: for tests, examples, and what never \
                happened.

                EXAMPLE
                  replay init --journal exams
                """)

        @Flag(help: "Commands may happen however far ahead of the clock.")
        var simulated = false

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let directory = common.directory
            try EventEngine.create(at: directory, isSimulated: simulated)
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
