internal import ArgumentParser
internal import Engine

extension Replay {
    /// Lists the events that made a value what it is.
    struct Why: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "why",
            abstract: "Lists the events that made a value what it is, the last first.",
            discussion: """
                A path is JSONPath (RFC 9535); without one, every change of the document is listed. All are asked at one \
                present, --now, so that events alone make a difference. Behind an event's type stand the rules of its \
                product's page that it follows. The last lines, in a pipe on standard error, say how to check the first \
                event. With --proof each event comes with a proof that it is in the journal as the newest checkpoint \
                signed it, as `replay prove` prints it.

                EXAMPLE
                  replay why examroom.exam EX-1 '$.state' --journal exams
                  replay why examroom.achievements S-1 --journal exams --limit 5
                  replay why examroom.result AT-1 '$.score' --journal exams --as admin:A-1
                """)

        @Argument(
            help: ArgumentHelp(
                "The read model, its key if it has one, and a path if it is about one value.",
                valueName: "model [key] [path]"),
            completion: .custom(Completion.question))
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

        @Flag(help: "Prove that each event is in the journal as the newest checkpoint signed it.")
        var proof = false

        @OptionGroup var arguments: ModelArguments
        @OptionGroup var seen: ViewerOptions
        @OptionGroup var room: MemoryOptions
        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            guard (1...3).contains(words.count) else {
                throw ValidationError("a model, its key if it has one, and a path are taken")
            }
            if words.count == 3, !words[2].hasPrefix("$") {
                throw ValidationError("\"\(words[2])\" is no path: one begins with $")
            }
            guard limit > 0 else { throw ValidationError("--limit is less than 1") }
            _ = try arguments.values()
        }

        func run() throws {
            let engine = try common.openForReading { room.apply(to: &$0) }
            let (model, key, path) = QuestionWords.split(words)
            let question = DocumentQuestion(
                model, key: key, arguments: try arguments.values(),
                now: try Moments.instant(now, "--now"), as: try seen.viewer())
            try engine.checkQuestion(model, key: key, arguments: question.arguments)
            let found = try engine.why(
                question, path: path, asOf: asOf.map { try Moments.position($0) }, limit: limit)
            let proofs = try proof ? found.causes.map { try engine.proof(of: $0) } : []
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else {
                    for (index, cause) in found.causes.enumerated() {
                        let document = proof ? cause.document(proof: proofs[index]) : cause.document
                        try output.document(document.bytes)
                    }
                    for line in notes(found) { Notes.say("replay: \(line)") }
                    return
                }
                try layOut(found, proofs, output)
            }
            if !found.isExact {
                Notes.say(
                    "replay: this document rests on all events, of which a part was looked at: a value that changed and changed back in between is not listed"
                )
            }
        }

        private func layOut(
            _ found: Explanation, _ proofs: [String?], _ output: Output
        ) throws(EngineError) {
            for (index, cause) in found.causes.enumerated() {
                try output.line(Changes.heading(cause, output.palette))
                try output.lines(Changes.lines(cause.changes, output))
                if proof {
                    let text = proofs[index] ?? "no proof of what is not seen whole"
                    try output.lines(text.split(separator: "\n").map { "    \($0)" })
                }
            }
            if found.causes.isEmpty {
                try output.line(output.palette.paint("no event changed it", .faint))
            }
            let lines = notes(found)
            if !lines.isEmpty { try output.line("") }
            for line in lines { try output.line(output.palette.paint(line, .faint)) }
        }

        /// How much was looked at, and how to see that the first of the causes made the difference.
        private func notes(_ found: Explanation) -> [String] {
            guard let last = found.causes.first else { return [] }
            let basis = found.basis.map {
                "looked at \(Figures.grouped($0)) events that it rests on"
            }
            let (model, key, _) = QuestionWords.split(words)
            var words = ["replay", "show", model]
            if let key { words.append(key) }
            for text in arguments.texts { words += ["--arg", text] }
            if let actor = seen.actor { words += ["--as", actor] }
            if let journal = common.journal { words += ["--journal", journal] }
            let position = last.event.position.number
            return [basis].compactMap(\.self)
                + [position - 1, position].map { asOf in
                    "check: "
                        + ShellWords.line(words + ["--as-of", "\(asOf)", "--now", "\(found.now)"])
                }
        }
    }
}
