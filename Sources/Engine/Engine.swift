import Dispatch
package import EventLog
import Core
import Projections
import Synchronization

/// The engine over one journal: commands in and outcomes out, questions and answers.
///
/// One instance serves any number of threads: concurrent submitters share a commit, readers never
/// block a writer. Other processes may read, and submit, beside it.
///
///     let engine = try Engine(at: "journal")
///     let outcome = try await engine.submit(line)
///     print(try engine.show("examroom.exam", key: "EX-1").text)
public final class Engine: Sendable {
    /// How an engine is opened.
    public struct Options: Sendable {
        /// Nothing is written, not even stored views.
        public var isReadOnly = false
        /// How long a submission waits for another process that is writing.
        public var writerWaitSeconds = 10
        /// An import or a restore fills it.
        var isDraft = false
        /// So many events of timers go into one commit at most.
        package var mostTimerEvents = 8192
        /// When the journal's tail is sealed.
        package var sealing = Sealing.standard

        public init() {}
    }

    let journal: Journal
    private let tree: TreeKeeper
    private let isReadOnly: Bool
    /// Lines of callers that come together.
    private let submissions = Gathering<Submission, Submitted>()
    /// Lines of tasks that wait, and the thread that serves them.
    private let asked = Mutex<[Asked]>([])
    private let submitter = DispatchQueue(label: "sijill.submit")
    private let sequencer: Mutex<Sequencer>
    private let reader: Mutex<Reader>

    /// Makes an empty journal; `cannotCreate` if anything is there, which is left as it is.
    ///
    /// A simulated one takes commands whose `at` lies however far ahead; any other refuses what lies more than
    /// 300 seconds ahead of the clock of whoever records it (`clock-ahead`).
    public static func create(
        at directory: String, isSimulated: Bool = false
    ) throws(EngineError) {
        try engineErrors {
            try Journal.create(at: directory, lead: isSimulated ? .unbounded : .standard)
        }
    }

    /// Opens a journal.
    public init(at directory: String, options: Options = Options()) throws(EngineError) {
        isReadOnly = options.isReadOnly
        let isReadOnly = options.isReadOnly
        let (wait, sealing) = (options.writerWaitSeconds, options.sealing)
        let journal = try engineErrors {
            try Journal(
                at: directory, access: isReadOnly ? .readOnly : .readWrite, sealing: sealing,
                isDraft: options.isDraft)
        }
        self.journal = journal
        tree = TreeKeeper(journal)
        sequencer = Mutex(
            Sequencer(
                journal: journal, store: try Self.store(journal, isReadOnly), waitSeconds: wait,
                mostTimerEvents: options.mostTimerEvents))
        reader = Mutex(Reader(journal: journal, store: try Self.store(journal, isReadOnly)))
        // Types that this program does not know are refused at once, not at the first question.
        _ = try engineErrors { try JournalTypes(journal.snapshot().types()) }
    }

    /// The stored views; damaged ones are made anew, missing ones in a read-only place are done without.
    private static func store(
        _ journal: Journal, _ isReadOnly: Bool
    ) throws(EngineError) -> StoredState? {
        do {
            return try StoredState(journal: journal, isReadOnly: isReadOnly)
        } catch {
            if isReadOnly { return nil }
            return try engineErrors {
                try ViewStore.reset(at: journal.path)
                return try StoredState(journal: journal, isReadOnly: false)
            }
        }
    }

    // MARK: Submitting

    /// What became of lines: outcomes in their order, each durable, and what kept the others from having one.
    public struct Submitted: Sendable {
        public fileprivate(set) var outcomes: [Outcome]
        /// Nothing is recorded of the lines without an outcome; nil if every line has one.
        public fileprivate(set) var failure: EngineError?

        /// Why a line has no outcome.
        fileprivate var missing: EngineError {
            failure ?? EngineError(.inputOutput, "a line had no outcome; this is a defect")
        }
    }

    /// Runs command lines in order: one outcome a line, in the same order, durable on return.
    ///
    /// `clock` fixes what `recordedAt` says, as an RFC 3339 instant. A dry run decides and records
    /// nothing. Lines of concurrent callers share a commit. An error means that some line has no outcome;
    /// `submitAll` tells those that have.
    public func submit(
        _ lines: [[UInt8]], firstLine: Int = 1, clock: String? = nil, isDryRun: Bool = false
    ) throws(EngineError) -> [Outcome] {
        let submitted = try submitAll(
            lines, firstLine: firstLine, clock: clock, isDryRun: isDryRun)
        if let failure = submitted.failure { throw failure }
        return submitted.outcomes
    }

    /// As `submit`; what fails half-way does not hide what is durable.
    public func submitAll(
        _ lines: [[UInt8]], firstLine: Int = 1, clock: String? = nil, isDryRun: Bool = false
    ) throws(EngineError) -> Submitted {
        var fixed: Instant?
        if let clock {
            guard let instant = Instant(rfc3339: clock) else {
                throw EngineError(
                    .wrongUse, "--clock: \"\(clock)\" is not an RFC 3339 instant with an offset")
            }
            fixed = instant
        }
        let numbered = lines.enumerated().map {
            Sequencer.Line(bytes: $0.element, number: firstLine + $0.offset)
        }
        return try run(numbered, clock: fixed, isDryRun: isDryRun)
    }

    private func run(
        _ lines: [Sequencer.Line], clock: Instant?, isDryRun: Bool
    ) throws(EngineError) -> Submitted {
        guard !isReadOnly else {
            throw EngineError(.inputOutput, "\(journal.path): opened for reading only")
        }
        let submission = Submission(lines: lines, clock: clock, isDryRun: isDryRun)
        let answer = submissions.answer(submission) { waited, submissions in
            defer { if let head = try? journal.head() { tree.follow(head.position) } }
            return sequencer.withLock { Self.serve(submissions(), with: $0, after: waited) }
        }
        guard let answer else {
            throw EngineError(.inputOutput, "a submission was not served; this is a defect")
        }
        return answer
    }

    /// Runs one command line. Who comes while others are served shares the next commit, and holds no thread
    /// meanwhile.
    public func submit(_ line: String) async throws(EngineError) -> Outcome {
        let result = await withCheckedContinuation { continuation in
            let isFirst = asked.withLock { asked in
                asked.append(Asked(line: Array(line.utf8), answer: continuation))
                return asked.count == 1
            }
            if isFirst { submitter.async { [self] in serveAsked() } }
        }
        return try result.get()
    }

    /// A line whose task waits.
    private struct Asked: Sendable {
        let line: [UInt8]
        let answer: CheckedContinuation<Result<Outcome, EngineError>, Never>
    }

    private func serveAsked() {
        let taken = asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
        let lines = taken.map { Sequencer.Line(bytes: $0.line, number: 1) }
        let submitted: Submitted
        do throws(EngineError) {
            submitted = try run(lines, clock: nil, isDryRun: false)
        } catch {
            submitted = Submitted(outcomes: [], failure: error)
        }
        for (index, each) in taken.enumerated() {
            each.answer.resume(
                returning: index < submitted.outcomes.count
                    ? .success(submitted.outcomes[index]) : .failure(submitted.missing))
        }
    }

    /// Runs the submissions in order; neighbours of the same kind share batches.
    private static func serve(
        _ submissions: [Submission], with sequencer: Sequencer, after waited: Int
    ) -> [Submitted] {
        var answers: [Submitted] = []
        var rest = submissions[...]
        while let first = rest.first {
            let group = rest.prefix { $0.clock == first.clock && $0.isDryRun == first.isDryRun }
            rest = rest.dropFirst(group.count)
            let result = sequencer.run(
                group.flatMap(\.lines), recordedAt: first.clock ?? WallClock.now(),
                isDryRun: first.isDryRun, waitedMilliseconds: waited)
            var offset = 0
            for submission in group {
                let range = offset..<offset + submission.lines.count
                offset = range.upperBound
                var answer = Submitted(
                    outcomes: Array(result.outcomes.dropFirst(range.lowerBound).prefix(range.count))
                )
                if answer.outcomes.count < range.count {
                    answer.failure = result.failure.map(EngineError.wrapping) ?? answer.missing
                }
                answers.append(answer)
            }
        }
        return answers
    }

    /// What went wrong beside what was recorded, such as an erasure that could not be carried out yet: one line
    /// each, said once. `verify` finds the same until it is mended.
    public func takeWarnings() -> [String] { sequencer.withLock { $0.takeWarnings() } }

    // MARK: Asking

    /// A read model's document; `null` for a key that the events know nothing of.
    public func show(
        _ model: String, key: String? = nil, _ request: ShowRequest = ShowRequest()
    ) throws(EngineError) -> Document {
        try read { try $0.show(model, key, request).document }
    }

    /// The read models, by name.
    public func models() throws(EngineError) -> [ModelInfo] {
        try read { try $0.models() }
    }

    /// The keys of a model that have documents, in order of code point; none for one without keys.
    package func keys(of model: String) throws(EngineError) -> [String] {
        try read { try $0.keys(of: model) }
    }

    /// The arguments under which the documents of a key are gone through; one empty set for most models.
    package func samples(of model: String, key: String) throws(EngineError) -> [[String: String]] {
        try read { try $0.samples(of: model, key: key) }
    }

    func read<R: Sendable>(
        _ body: (Reader) throws -> sending R
    ) throws(EngineError) -> R {
        do {
            return try reader.withLock { reader in
                do {
                    return try body(reader)
                } catch let error as JournalError where error.kind == .viewsDamaged {
                    reader.forgetStored()  // a row may turn out damaged as late as in a view
                    return try body(reader)
                } catch {
                    reader.forget()
                    throw error
                }
            }
        } catch {
            throw .wrapping(error)
        }
    }
}

/// What one caller submitted.
private struct Submission: Sendable {
    let lines: [Sequencer.Line]
    let clock: Instant?
    let isDryRun: Bool
}
