internal import ArgumentParser
internal import Engine

extension Replay {
    /// Lists the events that made a value what it is.
    struct Why: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the events that made a value what it is, the last first.",
            discussion: """
                A path is JSONPath (RFC 9535); without one, every change of the document is listed. All are asked at one \
                present, --now, so that events alone make a difference. Each can be checked with `replay show \
                --as-of` that position, and the one before.

                EXAMPLE
                  replay why examroom.exam EX-1 '$.state' --journal exams
                  replay why examroom.achievements S-1 --journal exams --limit 5
                """)

        @Argument(
            help: ArgumentHelp(
                "The read model, its key if it has one, and a path if it is about one value.",
                valueName: "model [key] [path]"),
            completion: .custom(Completion.models))
        var words: [String]

        @Option(
            help: ArgumentHelp(
                "Ask as of this position (default: the last).", valueName: "position"))
        var asOf: String?

        @Option(
            help: ArgumentHelp(
                "The present to ask at (default: the instant of --as-of).", valueName: "instant"))
        var now: String?

        @Option(help: ArgumentHelp("At most so many, the last ones.", valueName: "count"))
        var limit = 20

        @OptionGroup var arguments: ModelArguments
        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            guard (1...3).contains(words.count) else {
                throw ValidationError("a model, its key if it has one, and a path are taken")
            }
            guard limit > 0 else { throw ValidationError("--limit is less than 1") }
            _ = try arguments.values()
        }

        func run() throws {
            let engine = try common.openForReading()
            let (model, key, path) = QuestionWords.split(words)
            let question = DocumentQuestion(
                model, key: key, arguments: try arguments.values(),
                now: try Moments.instant(now, "--now"))
            try engine.checkQuestion(model, key: key, arguments: question.arguments)
            let found = try engine.why(
                question, path: path, asOf: asOf.map { try Moments.position($0) }, limit: limit)
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else {
                    for cause in found.causes { try output.document(cause.document.bytes) }
                    return
                }
                try layOut(found, output)
            }
            if !found.isExact {
                Notes.say(
                    "replay: this document rests on all events, of which a part was looked at: a value that changed and changed back in between is not listed"
                )
            }
        }

        private func layOut(_ found: Explanation, _ output: Output) throws(EngineError) {
            for cause in found.causes {
                try output.line(Changes.heading(cause.event, output.palette))
                try output.lines(Changes.lines(cause.changes, output))
            }
            guard let last = found.causes.first else {
                return try output.line(
                    output.palette.paint("no event changed it", .faint))
            }
            let question = words.prefix(QuestionWords.split(words).key == nil ? 1 : 2)
            let position = last.event.position.number
            try output.line("")
            for asOf in [position - 1, position] {
                let check =
                    "replay show \(question.joined(separator: " ")) --as-of \(asOf) --now \(found.now)"
                try output.line(output.palette.paint("check: \(Printable.line(check))", .faint))
            }
        }
    }
}
