internal import ArgumentParser
internal import Engine

extension Replay {
    /// Says what differs in read models between two moments.
    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says what differs in a read model between two moments.",
            discussion: """
                A moment is a position or an instant. In a pipe it prints a JSON Patch (RFC 6902) that tests each \
                old value. With --all every document of a model is compared, or of every model: a summary, then \
                a line for each that differs. Exit code 1 if anything differs.

                EXAMPLE
                  replay diff examroom.exam EX-1 1 20 --journal exams
                  replay diff examroom.leaderboard points 2026-02-01T09:00:00Z 2026-02-02T09:00:00Z --journal exams
                  replay diff --all examroom.achievements 1 20 --journal exams
                """)

        @Argument(
            help: ArgumentHelp(
                "The read model, its key if it has one, and the two moments.",
                valueName: "model [key] a b"),
            completion: .custom(Completion.models))
        var words: [String]

        @Flag(help: "Compare every document of the model, or of every model if none is named.")
        var all = false

        @Option(
            help: ArgumentHelp(
                "The present to ask both at (default: that of each moment).",
                valueName: "instant"))
        var now: String?

        @OptionGroup var arguments: ModelArguments
        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            let wanted = all ? 2...3 : 3...4
            guard wanted.contains(words.count) else {
                throw ValidationError(
                    all
                        ? "--all takes a model or none, and two positions"
                        : "a model, its key if it has one, and two moments are needed")
            }
            _ = try arguments.values()
        }

        func run() throws {
            let engine = try common.openForReading()
            let differs = all ? try compareAll(engine) : try compareOne(engine)
            if differs { throw ArgumentParser.ExitCode(ExitCode.differs) }
        }

        private func compareOne(_ engine: EventEngine) throws -> Bool {
            let question = DocumentQuestion(
                words[0], key: words.count == 4 ? words[1] : nil,
                arguments: try arguments.values(), now: try Moments.instant(now, "--now"))
            try engine.checkQuestion(
                question.model, key: question.key, arguments: question.arguments)
            let found = try engine.diff(
                question, from: Moments.needed(words[words.count - 2]),
                to: Moments.needed(words[words.count - 1]))
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else {
                    return try output.document(found.difference.patch.bytes)
                }
                try output.lines(Changes.lines(found.difference.changes, output))
                if found.difference.isEmpty {
                    try output.line(output.palette.paint("nothing differs", .faint))
                }
                guard let events = found.events, !events.isEmpty else { return }
                try output.line("")
                try output.lines(events.map { Changes.heading($0, output.palette) })
            }
            return !found.difference.isEmpty
        }

        private func compareAll(_ engine: EventEngine) throws -> Bool {
            let compared = try engine.diff(
                models: words.count == 3 ? [words[0]] : [],
                from: Moments.position(words[words.count - 2]),
                to: Moments.position(words[words.count - 1]),
                now: try Moments.instant(now, "--now"))
            try common.printing { output throws(EngineError) in
                try Comparisons.print(compared, to: output)
            }
            return compared.contains { !$0.differing.isEmpty }
        }
    }
}
