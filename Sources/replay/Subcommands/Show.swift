internal import ArgumentParser
internal import Engine

extension Replay {
    /// Prints a read model.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Prints a read model.",
            discussion: """
                The same events always give the same bytes. --as-of asks what had happened by then, \
                --known-at what the journal had been told by then. `replay models` lists what can be \
                asked.

                EXAMPLE
                  replay show journal.summary --journal exams
                  replay show examroom.leaderboard points --journal exams --as-of 2026-02-02T10:00:00Z
                  replay show audit.log --journal exams --arg by=student:S-1 --arg page=2
                  replay show examroom.available S-1 --journal exams --as student:S-1
                """)

        @Argument(help: "The read model's name.", completion: .custom(Completion.models))
        var model: String

        @Argument(
            help: "Whose, or of what: the model's key.", completion: .custom(Completion.keys))
        var key: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Count only the events up to this position or instant.",
                valueName: "when"))
        var asOf: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Count only the events recorded up to this instant.", valueName: "instant"))
        var knownAt: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "The present to ask at (default: the instant of --as-of, else of the last event).",
                valueName: "instant"))
        var now: String?

        @OptionGroup var arguments: ModelArguments
        @OptionGroup var seen: ViewerOptions
        @OptionGroup var room: MemoryOptions
        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            _ = try request()
        }

        func run() throws {
            let request = try request()
            let engine = try common.openForReading { room.apply(to: &$0) }
            let asked = try withMoments(request, engine)
            let document = try engine.show(model, key: key, asked)
            try warnOfLaterFacts(asked, engine)
            try common.printing { output throws(EngineError) in
                if output.isLaidOut, case .null = document.value {
                    let subject = key.map { "of \(Printable.line($0))" } ?? "here"
                    try output.line(output.palette.paint("nothing is known \(subject)", .faint))
                } else {
                    try output.show(document)
                }
            }
        }

        /// Asked about an earlier moment without `--as-of`, it also shows what happened since.
        private func warnOfLaterFacts(
            _ request: ShowRequest, _ engine: EventEngine
        ) throws(EngineError) {
            guard let now = request.now, request.asOf == nil,
                let last = try engine.lastEvent(under: model, key: key, request), now < last.at
            else { return }
            Notes.say(
                "replay: warning: --now \(now) is earlier than event \(last.position) of \(last.at), which counts; --as-of \(now) leaves out what came later"
            )
        }

        private func request() throws(ValidationError) -> ShowRequest {
            var request = ShowRequest()
            request.arguments = try arguments.values()
            return request
        }

        /// What is wrong with the question itself is said before what is wrong with its moments.
        private func withMoments(
            _ request: ShowRequest, _ engine: EventEngine
        ) throws(EngineError) -> ShowRequest {
            var request = request
            request.viewer = try seen.viewer()
            request.notesOrder = true
            do throws(EngineError) {
                request.asOf = try Moments.moment(asOf, "--as-of")
                request.knownAt = try Moments.instant(knownAt, "--known-at")
                request.now = try Moments.instant(now, "--now")
            } catch {
                try engine.checkQuestion(model, key: key, arguments: request.arguments)
                throw error
            }
            return request
        }
    }
}
