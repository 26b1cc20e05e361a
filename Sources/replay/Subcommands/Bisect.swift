internal import ArgumentParser
internal import Engine

extension Replay {
    /// Finds where a condition on a read model begins to hold.
    struct Bisect: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "bisect",
            abstract: "Finds the first position at which a condition on a read model holds.",
            discussion: """
                A condition is a logical expression of JSONPath (RFC 9535): a comparison, or a path at which something \
                stands, joined with &&, || and !. The document of each position is asked at that position's own \
                present, unless --now names one. Exit code 1 if it holds nowhere.

                EXAMPLE
                  replay bisect examroom.exam EX-1 '$.state == "published"' --journal exams
                  replay bisect examroom.achievements '$.points > 0' --any-key --journal exams
                """)

        @Argument(
            help: ArgumentHelp(
                "The read model, its key if it has one, and the condition.",
                valueName: "model [key] condition"),
            completion: .custom(Completion.question))
        var words: [String]

        @Flag(help: "The last time that it began to hold.")
        var last = false

        @Flag(help: "Each time that it begins or ends to hold.")
        var all = false

        @Flag(help: "Of any key of the model: the one of which it held first.")
        var anyKey = false

        @Option(
            help: ArgumentHelp(
                "The present to ask at (default: that of each position).", valueName: "instant"))
        var now: String?

        @OptionGroup var arguments: ModelArguments
        @OptionGroup var seen: ViewerOptions
        @OptionGroup var room: MemoryOptions
        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            guard (2...3).contains(words.count), !(anyKey && words.count == 3) else {
                throw ValidationError(
                    anyKey
                        ? "--any-key takes a model and a condition"
                        : "a model, its key if it has one, and a condition are needed")
            }
            guard [last, all, anyKey].count(where: \.self) <= 1 else {
                throw ValidationError("--last, --all and --any-key exclude one another")
            }
            _ = try arguments.values()
        }

        func run() throws {
            let engine = try common.openForReading { room.apply(to: &$0) }
            let (turns, isExact) = try turns(engine)
            try common.printing { output throws(EngineError) in
                for turn in turns {
                    guard output.isLaidOut else {
                        try output.document(turn.document.bytes)
                        continue
                    }
                    let state = turn.holds ? "holds from here" : "ends here"
                    let event = turn.event.map { Changes.heading($0, output.palette) }
                    let key = anyKey ? "\(Printable.line(turn.key)): " : ""
                    try output.line(
                        key + state + "  "
                            + (event ?? "\(turn.position), before the first event"))
                }
            }
            if !isExact {
                Notes.say(
                    "replay: this document rests on all events, of which a part was looked at: a condition that held and ended in between is not seen"
                )
            }
            if turns.isEmpty {
                Notes.say(
                    "replay: the condition holds at no position"
                        + (isExact ? "" : " that was looked at"))
                throw ArgumentParser.ExitCode(ExitCode.differs)
            }
        }

        /// Whether every position was looked at is not asked of each key.
        private func turns(_ engine: EventEngine) throws -> (turns: [Turn], isExact: Bool) {
            let condition = words[words.count - 1]
            let present = try Moments.instant(now, "--now")
            let arguments = try arguments.values()
            if anyKey {
                let turn = try engine.bisectAnyKey(
                    of: words[0], arguments: arguments, now: present, as: try seen.viewer(),
                    condition)
                return (turn.map { [$0] } ?? [], true)
            }
            let question = DocumentQuestion(
                words[0], key: words.count == 3 ? words[1] : nil, arguments: arguments,
                now: present, as: try seen.viewer())
            try engine.checkQuestion(question.model, key: question.key, arguments: arguments)
            return (
                try engine.bisect(question, condition, all ? .all : last ? .last : .first),
                try engine.looksAtEveryPosition(question)
            )
        }
    }
}
