internal import ArgumentParser
internal import Engine

extension Replay {
    /// One event, whole.
    struct OneEvent: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "event",
            abstract: "Prints one event, whole.",
            discussion: """
                Positions count from 1 through the whole journal. `proof` is the way to the root of all \
                events; replay prove makes a signed one.

                EXAMPLE
                  replay event 42 --journal exams
                """)

        @Argument(help: "The event's position.")
        var position: UInt64

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let engine = try common.openForReading()
            guard let event = try engine.event(at: Position(position), withProof: true) else {
                throw EngineError(
                    .wrongUse,
                    "no event has position \(position) in \(common.directory); see replay events --reverse --limit 1 for the last"
                )
            }
            try common.printing { output throws(EngineError) in try output.show(event) }
        }
    }
}
