internal import ArgumentParser
internal import Engine

extension Replay {
    /// Goes through the events that changed a document.
    struct Step: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "step",
            abstract: "Goes through the events that changed a document, forward and back.",
            discussion: """
                On a terminal: the events, what the one at hand changed, and the document behind it, its changed lines \
                marked. Keys: n, space or → forward, p, b or ← back, g to the first, G to the last, / or a digit to a \
                position or an instant, d only what changed, ↑ and ↓ through a long document, q to the end. In a pipe, from \
                one, or on a terminal without cursor, the events are listed, oldest first, each with what it changed; with \
                --json as `why` prints them. All documents are asked at one present, --now, so that events alone make a \
                difference. From: a position or an instant.

                EXAMPLE
                  replay step examroom.exam EX-1 --journal exams
                  replay step examroom.achievements S-1 20 --journal exams | head
                  replay step examroom.result AT-1 --json --journal exams --as student:S-1
                """)

        @Argument(
            help: ArgumentHelp(
                "The read model, its key if it has one, and where to begin (default: the first event).",
                valueName: "model [key] [from]"),
            completion: .custom(Completion.question))
        var words: [String]

        @Option(
            help: ArgumentHelp(
                "The present to ask at (default: the instant of the last event).",
                valueName: "instant"))
        var now: String?

        @OptionGroup var arguments: ModelArguments
        @OptionGroup var seen: ViewerOptions
        @OptionGroup var room: MemoryOptions
        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            guard (1...3).contains(words.count) else {
                throw ValidationError("a model, its key if it has one, and a moment are taken")
            }
            _ = try arguments.values()
        }

        func run() throws {
            let engine = try common.openForReading { room.apply(to: &$0) }
            // Of a model without keys the second word is the moment.
            let hasKey = words.count == 3 || words.count == 2 && engine.takesKey(words[0])
            let key = hasKey ? words[1] : nil
            let given = words.count > (hasKey ? 2 : 1) ? words[words.count - 1] : nil
            let question = DocumentQuestion(
                words[0], key: key, arguments: try arguments.values(),
                now: try Moments.instant(now, "--now"), as: try seen.viewer())
            try engine.checkQuestion(question.model, key: key, arguments: question.arguments)
            let from = try given.map { try Moments.needed($0) }
            let steps = try engine.steps(question, from: from)
            let start = from.map { steps.index(of: $0) } ?? 0
            if !steps.places.isEmpty, isInteractive {
                let title = [words[0], key ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
                try walk(through: steps, from: min(start, steps.places.count - 1), title)
            } else {
                try list(steps, from: start)
            }
            if !steps.isExact {
                Notes.say(
                    "replay: this document rests on all events, of which a part was looked at: a value that changed and changed back in between is not shown"
                )
            }
        }

        /// Keys come from a terminal, and the screen is one on which the cursor goes anywhere.
        private var isInteractive: Bool {
            !common.json && Terminal.isOne(StandardStreams.input)
                && Terminal.takesEscapes(StandardStreams.output)
        }

        private func walk(
            through steps: DocumentSteps, from start: Int, _ title: String
        ) throws(EngineError) {
            let output = Output(isJSON: false, isColoured: !common.noColor)
            let terminal = try RawTerminal()
            defer { terminal.giveBack() }
            var stepper = try Stepper(
                steps, at: start, title: title, size: terminal.size, palette: output.palette)
            while !stepper.isDone {
                try terminal.draw(stepper.screen)
                switch try terminal.next() {
                case .keys(let keys):
                    for key in keys where !stepper.isDone { try stepper.press(key) }
                case .changed: stepper.size = terminal.size
                case .closed: return
                }
            }
        }

        private func list(_ steps: DocumentSteps, from start: Int) throws(EngineError) {
            var steps = steps
            try common.printing { output throws(EngineError) in
                for index in start..<max(start, steps.places.count) {
                    let cause = try steps.step(at: index).cause
                    if common.json {
                        try output.document(cause.document.bytes)
                    } else {
                        try output.line(Changes.heading(cause, output.palette))
                        try output.lines(Changes.lines(cause.changes, output))
                    }
                }
            }
            if start >= steps.places.count {
                let when = words.count > 1 && start > 0 ? " from there on" : ""
                Notes.say("replay: no event changed it\(when)")
            } else if steps.mayGoOn {
                Notes.say("replay: it may have changed again behind these; name a later position")
            }
        }
    }
}
