internal import ArgumentParser
internal import Engine

extension Replay {
    /// How much there is of everything.
    struct Statistics: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats",
            abstract: "Prints how much the journal holds, and in how many bytes.",
            discussion: """
                Events, streams, bytes and bytes an event, by type and by product; compression, the size \
                of the indexes, growth by day.

                EXAMPLE
                  replay stats --journal exams
                """)

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let document = try common.openForReading().statistics()
            try common.printing { output throws(EngineError) in try output.show(document) }
        }
    }
}
