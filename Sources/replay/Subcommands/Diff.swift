internal import ArgumentParser
internal import Engine

extension Replay {
    /// Says what differs in read models between two moments.
    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Says what differs in a read model between two moments.",
            discussion: """
                A moment is a position or an instant. In a pipe it prints a JSON Patch (RFC 6902) that tests each \
                old value. With --all every document of a model is compared, or of every model: a summary, then \
                a line for each that differs. With --against the documents of another journal are the new ones; \
                the moments may then be left out. With --exported what another build of replay said of this \
                journal is compared with what this one says. Exit code 1 if anything differs.

                EXAMPLE
                  replay diff examroom.exam EX-1 1 20 --journal exams
                  replay diff examroom.leaderboard points 2026-02-01T09:00:00Z 2026-02-02T09:00:00Z --journal exams
                  replay diff --all examroom.achievements 1 20 --journal exams
                  replay diff --all --against exams --journal exams
                  replay diff --exported answers.jsonl --journal exams
                """)

        @Argument(
            help: ArgumentHelp(
                "The read model, its key if it has one, and the two moments.",
                valueName: "model [key] a b"),
            completion: .custom(Completion.question))
        var words: [String] = []

        @Flag(help: "Compare every document of the model, or of every model if none is named.")
        var all = false

        @Option(
            help: ArgumentHelp(
                "The present to ask both at (default: that of each moment).",
                valueName: "instant"))
        var now: String?

        @Option(
            help: ArgumentHelp(
                "Another journal: what it says is compared with what this one does.",
                valueName: "dir"),
            completion: .directory)
        var against: String?

        @Option(
            help: ArgumentHelp(
                "Documents that replay export --documents printed: what another build said.",
                valueName: "file"),
            completion: .file(extensions: ["jsonl", "json"]))
        var exported: String?

        @Option(
            help: ArgumentHelp(
                "With --all: count the documents of which this holds: JSONPath, as for bisect.",
                valueName: "condition"))
        var count: String?

        @OptionGroup var arguments: ModelArguments
        @OptionGroup var seen: ViewerOptions
        @OptionGroup var room: MemoryOptions
        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            if exported != nil {
                guard against == nil, now == nil, count == nil, seen.actor == nil,
                    try arguments.values().isEmpty
                else {
                    throw ValidationError(
                        "--exported goes with models alone: the file says where it stands")
                }
                return
            }
            guard accepted.contains(words.count) else { throw ValidationError(needed) }
            guard count == nil || all && !models.isEmpty else {
                throw ValidationError("--count counts documents of the model that --all names")
            }
            guard try !all || arguments.values().isEmpty else {
                throw ValidationError("--arg is of one document: leave out --all, or it")
            }
        }

        /// How many words there may be.
        private var accepted: ClosedRange<Int> {
            switch (all, against != nil) {
            case (false, false): 3...4
            case (true, false): 2...3
            case (false, true): 1...4
            case (true, true): 0...1
            }
        }

        private var needed: String {
            switch (all, against != nil) {
            case (false, false): "a model, its key if it has one, and two moments are needed"
            case (true, false): "--all takes a model or none, and two positions"
            case (false, true): "a model, its key if it has one, and two moments or none are needed"
            case (true, true): "--all with --against takes a model or none"
            }
        }

        /// Of `--all`: the model that is named.
        private var models: [String] {
            Array(words.prefix(words.count - (against == nil ? 2 : 0)))
        }

        /// The model, its key, and the moments.
        private func split() throws(EngineError) -> (model: [String], moments: [Moment]) {
            let hasMoments = against == nil || words.count > 2
            let moments = hasMoments ? words.suffix(2) : []
            var found: [Moment] = []
            for text in moments { found.append(try Moments.needed(text)) }
            return (words.dropLast(moments.count), found)
        }

        func run() throws {
            let engine = try common.openForReading { room.apply(to: &$0) }
            let differs =
                switch (exported, all) {
                case (let file?, _): try compare(file, engine)
                case (nil, true): try compareAll(engine)
                case (nil, false): try compareOne(engine)
                }
            if differs { throw ArgumentParser.ExitCode(ExitCode.differs) }
        }

        private func compareOne(_ engine: EventEngine) throws -> Bool {
            let (named, moments) = try split()
            let question = DocumentQuestion(
                named[0], key: named.count == 2 ? named[1] : nil,
                arguments: try arguments.values(), now: try Moments.instant(now, "--now"),
                as: try seen.viewer())
            try engine.checkQuestion(
                question.model, key: question.key, arguments: question.arguments)
            let found: DocumentComparison
            if let other = try other() {
                found = try engine.diff(
                    question, against: other, from: moments.first, to: moments.last)
            } else {
                found = try engine.diff(question, from: moments[0], to: moments[1])
            }
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
            let present = try Moments.instant(now, "--now")
            let compared: [ModelComparison]
            if let other = try other() {
                compared = try engine.diff(
                    models: models, against: other, now: present, counting: count,
                    as: try seen.viewer())
            } else {
                compared = try engine.diff(
                    models: models, from: Moments.position(words[words.count - 2]),
                    to: Moments.position(words[words.count - 1]), now: present, counting: count,
                    as: try seen.viewer())
            }
            try common.printing { output throws(EngineError) in
                try Comparisons.print(compared, counted: count, to: output)
            }
            return compared.contains { !$0.differing.isEmpty }
        }

        private func compare(_ file: String, _ engine: EventEngine) throws(EngineError) -> Bool {
            var reader = LineReader(try InputSource(file), nil, keepsEmptyLines: true)
            let compared = try engine.diff(models: words) { () throws(EngineError) -> [UInt8]? in
                try reader.next().map { line throws(EngineError) in
                    guard let bytes = line.bytes else { throw line.tooLong }
                    return bytes
                }
            }
            try common.printing { output throws(EngineError) in
                try Comparisons.print(compared, to: output)
            }
            return compared.contains { !$0.differing.isEmpty }
        }

        private func other() throws(EngineError) -> EventEngine? {
            guard let against else { return nil }
            return try EventEngine(at: against, options: EnvironmentVariables.readingOptions)
        }
    }
}
