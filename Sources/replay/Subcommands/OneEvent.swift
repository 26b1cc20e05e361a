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

        @OptionGroup var seen: ViewerOptions

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let viewer = try seen.viewer()
            let engine = try common.openForReading()
            guard
                let event = try engine.event(
                    at: Position(position), withProof: true, as: viewer)
            else {
                // The same for an event that is not there: nobody learns from it what there is.
                if let viewer {
                    throw EngineError(.refused, "\(viewer) may not see event \(position)")
                }
                throw EngineError(
                    .wrongUse,
                    "no event has position \(position) in \(common.directory); see replay events --reverse --limit 1 for the last"
                )
            }
            try common.printing { output throws(EngineError) in try output.show(event) }
        }
    }
}
