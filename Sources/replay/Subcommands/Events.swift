internal import ArgumentParser
internal import Engine

extension Replay {
    /// Lists events.
    struct Events: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "events",
            abstract: "Lists events, oldest first.",
            discussion: """
                All conditions must hold. With --follow it goes on as others append, until Ctrl-C.

                EXAMPLE
                  replay events --journal exams --type 'examroom.attempt.*' --limit 20
                  replay events --journal exams --by student:S-1 --reverse
                  replay events --journal exams --as student:S-1
                  replay events --journal exams --follow | jq .type
                """)

        @Option(
            help: ArgumentHelp("Only of this stream: examroom/exam/EX-1.", valueName: "name"),
            completion: .custom(Completion.streams))
        var stream: String?

        @Option(
            help: ArgumentHelp(
                "Only of this type, or of all that begin so: 'examroom.exam.*'.",
                valueName: "type"),
            completion: .custom(Completion.types))
        var type: String?

        @Option(
            help: ArgumentHelp("Only with this tag: exam:EX-1.", valueName: "tag"),
            completion: .custom(Completion.tags))
        var tag: String?

        @Option(
            help: ArgumentHelp("Only what this actor did: student:S-1.", valueName: "actor"),
            completion: .custom(Completion.actors))
        var by: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Only from this position or instant on.", valueName: "when"))
        var from: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Only up to this position or instant.", valueName: "when"))
        var to: String?

        @Flag(help: "Newest first.")
        var reverse = false

        @Option(parsing: .unconditional, help: ArgumentHelp("At most so many.", valueName: "count"))
        var limit: Int?

        @Flag(help: "Go on with new events as they are appended.")
        var follow = false

        @OptionGroup var seen: ViewerOptions

        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit is less than 0") }
            if follow, reverse { throw ValidationError("--follow does not go with --reverse") }
            if follow, to != nil { throw ValidationError("--follow does not go with --to") }
        }

        func run() throws {
            let interruption = follow ? Interruption() : nil
            let engine = try common.openForReading()
            var signal: Int32?
            try common.printing { output throws(EngineError) in
                var listing = Listing(output: output, limit: limit)
                let filter = try filter()
                if follow {
                    try engine.follow(filter) { event throws(EngineError) in
                        signal = interruption?.signal()
                        guard signal == nil else { return false }
                        guard let event else { return try listing.pause() }
                        return try listing.add(event)
                    }
                } else {
                    try engine.events(filter) { event throws(EngineError) in
                        try listing.add(event)
                    }
                }
                try listing.end()
            }
            if let signal {
                throw Interrupted(signal: signal, message: "stopped following the journal")
            }
        }

        private func filter() throws(EngineError) -> EventFilter {
            var filter = EventFilter()
            filter.stream = stream
            filter.type = type
            filter.tag = tag
            filter.by = by
            filter.from = try Moments.moment(from, "--from")
            filter.to = try Moments.moment(to, "--to")
            filter.viewer = try seen.viewer()
            filter.isReversed = reverse
            filter.limit = limit
            return filter
        }
    }
}

/// Events on their way out: documents, or rows of a table.
private struct Listing {
    let output: Output
    let limit: Int?
    private var table: EventTable
    private var count = 0

    init(output: Output, limit: Int?) {
        self.output = output
        self.limit = limit
        table = EventTable(for: output)
    }

    /// Prints one; false when there may be no more.
    mutating func add(_ event: Document) throws(EngineError) -> Bool {
        guard count < limit ?? .max else { return false }
        count += 1
        if output.isLaidOut {
            try table.add(event, to: output)
        } else {
            try output.document(event.bytes)
        }
        return count < limit ?? .max
    }

    /// Nothing new yet: flushes what there is. False when the reader is gone.
    mutating func pause() throws(EngineError) -> Bool {
        try end()
        try output.flush()
        return count < limit ?? .max && !output.noticesClosing()
    }

    mutating func end() throws(EngineError) {
        try table.flush(to: output)
    }
}
