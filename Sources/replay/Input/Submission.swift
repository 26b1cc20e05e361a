internal import Engine

/// One run of `submit`: batches in, outcomes out, and what to say at the end.
struct Submission {
    let engine: EventEngine
    let clock: String?
    let isDryRun: Bool
    let explains: Bool
    let viewer: Viewer?
    let output: Output
    let bar = ProgressBar()

    /// A dry run's: what came before a line decides on it, however the lines come.
    private var rehearsal: Rehearsal?
    private var lines = 0
    private var unread = 0
    private var firstUnread = 0
    private var lastLine = 0
    private var statuses: [Outcome.Status: Int] = [:]
    private let start = ContinuousClock.now

    init(
        engine: EventEngine, clock: String?, isDryRun: Bool, explains: Bool, viewer: Viewer?,
        output: Output
    ) {
        self.engine = engine
        self.clock = clock
        self.isDryRun = isDryRun
        self.explains = explains
        self.viewer = viewer
        self.output = output
    }

    /// Submits a batch and prints its outcomes, all that there are even if it fails half-way.
    mutating func submit(_ batch: [LineReader.Line]) throws(EngineError) {
        var rest = batch[...]
        while let first = rest.first {
            let run = Self.run(at: rest)
            if first.bytes == nil {
                try tooLong(first.number)
            } else {
                try decide(run.compactMap(\.bytes), from: first.number)
            }
            lastLine = run.last?.number ?? lastLine
            rest = rest[run.endIndex...]
        }
        bar.clear()
        try send()
    }

    /// The lines that go to the engine in one call: their numbers follow one another without a gap.
    private static func run(at lines: ArraySlice<LineReader.Line>) -> ArraySlice<LineReader.Line> {
        var end = lines.startIndex + 1
        guard lines[lines.startIndex].bytes != nil else { return lines[..<end] }
        while end < lines.endIndex, lines[end].bytes != nil,
            lines[end].number == lines[end - 1].number + 1
        {
            end += 1
        }
        return lines[..<end]
    }

    private mutating func decide(_ texts: [[UInt8]], from first: Int) throws(EngineError) {
        let clock = try Moments.instant(clock, "--clock")
        guard !isDryRun else { return try rehearse(texts, from: first, clock) }
        let submitted = try engine.submitAll(
            texts, firstLine: first, clock: clock, explains: explains, as: viewer)
        try show(submitted.outcomes, from: first)
        for warning in engine.takeWarnings() {
            bar.clear()
            Notes.say("replay: \(Printable.line(warning))")
        }
        guard let error = submitted.failure else { return }
        bar.clear()
        try send()
        let done = submitted.outcomes.count
        throw EngineError(
            error.kind,
            "\(Words.of(error)) (\(range(first + done, texts.count - done)) no answer; submitted again, what was recorded answers duplicate)"
        )
    }

    private mutating func rehearse(
        _ texts: [[UInt8]], from first: Int, _ clock: Instant?
    ) throws(EngineError) {
        let rehearsal: Rehearsal
        if let begun = self.rehearsal {
            rehearsal = begun
        } else {
            rehearsal = try Rehearsal(on: engine, explains: explains)
            self.rehearsal = rehearsal
        }
        let outcomes = try rehearsal.submit(texts, firstLine: first, clock: clock, as: viewer)
        try show(outcomes, from: first)
    }

    private mutating func show(_ outcomes: [Outcome], from first: Int) throws(EngineError) {
        for (index, outcome) in outcomes.enumerated() {
            count(outcome.status, outcome.code, line: first + index)
            if let explained = ExplainedOutcome(outcome) {
                try output.show(explained)
            } else {
                try print(outcome.document, outcome.status)
            }
        }
    }

    private mutating func tooLong(_ number: Int) throws(EngineError) {
        count(.rejected, Self.malformedCode, line: number)
        let limit = LineReader.longestLine >> 20
        let value = Document.Value.object([
            ("code", .string(Self.malformedCode)),
            ("events", .array([])),
            ("id", .null),
            ("line", .number(String(number))),
            ("message", .string("line \(number) is longer than \(limit) MiB")),
            ("status", .string(Outcome.Status.rejected.rawValue)),
        ])
        guard !output.isLaidOut else {
            return try output.line(OutcomeLine(value, .rejected).text(output.palette))
        }
        guard explains else { return try output.document(value.canonical) }
        let check = Document.Value.object([
            ("check", "form"), ("code", .string(Self.malformedCode)), ("holds", false),
            ("saw", .object([])),
        ])
        let explained = Document.Value.object([
            ("checks", .array([check])), ("outcome", value), ("timerEvents", 0),
        ])
        try output.document(explained.canonical)
    }

    private func print(_ document: Document, _ status: Outcome.Status) throws(EngineError) {
        guard output.isLaidOut else { return try output.document(document.bytes) }
        try output.line(OutcomeLine(document.value, status).text(output.palette))
    }

    /// Outcomes that nobody hears must not be followed by more: what was asked would be lost.
    private func send() throws(EngineError) {
        do {
            try output.flush()
        } catch {
            guard output.isClosed else { throw error }
            throw EngineError(
                .inputOutput,
                "standard output was closed after line \(lastLine); submitted again, what was recorded answers duplicate"
            )
        }
    }

    private mutating func count(_ status: Outcome.Status, _ code: String?, line: Int) {
        lines += 1
        statuses[status, default: 0] += 1
        guard let code, Self.codesOfNoCommand.contains(code) else { return }
        if unread == 0 { firstUnread = line }
        unread += 1
    }

    /// Takes the progress bar away and, for a person, sums up.
    func finish() {
        bar.clear()
        guard Terminal.isOne(StandardStreams.notes), lines > 0 else { return }
        let parts = [Outcome.Status.accepted, .rejected, .duplicate].compactMap { status in
            statuses[status].map { "\(Figures.grouped($0)) \(status.rawValue)" }
        }
        let seconds = Figures.seconds((ContinuousClock.now - start).seconds)
        let end = isDryRun ? "; nothing was recorded (--dry-run)" : ""
        Notes.say(
            "\(Figures.counted(lines, "command")): \(parts.joined(separator: ", ")) in \(seconds) s\(end)"
        )
    }

    var interrupted: String {
        "interrupted after line \(lastLine); the journal is whole, submit the rest again"
    }

    /// Lines that are malformed, or name a command that there is not, were not meant so.
    func complainOfNoCommands() throws(EngineError) {
        guard unread > 0 else { return }
        throw EngineError(
            .badInput,
            "\(Figures.counted(unread, "line")) of \(Figures.grouped(lines)) \(unread == 1 ? "is" : "are") no command (malformed, unknown-command), the first is line \(firstUnread); correct and submit again"
        )
    }

    private func range(_ first: Int, _ count: Int) -> String {
        count == 1 ? "line \(first) has" : "lines \(first) to \(first + count - 1) have"
    }

    private static let malformedCode = "malformed"
    private static let codesOfNoCommand = [malformedCode, "unknown-command"]
}
