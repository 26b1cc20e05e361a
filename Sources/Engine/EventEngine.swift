import Dispatch
package import EventLog
import Core
import Folding
import Glibc
import Projections
import Synchronization

/// The engine over one journal: commands in and outcomes out, questions and answers.
///
/// One instance serves any number of tasks and threads: concurrent submitters share a commit, readers block neither a
/// writer nor each other. Other processes may read, and submit, beside it.
///
///     let engine = try EventEngine(at: "journal", options: .init(products: .all))
///     let outcome = try await engine.submit(line)
///     print(try await engine.show("examroom.exam", key: "EX-1").text)
///     await engine.close()
///
/// `async` forms hold no thread of the caller's while they wait. Forms without `async` keep the calling thread until they
/// are done: they are for programs that have one to spare, and for what takes long, such as ``verify(_:progress:)``.
///
/// An engine that is let go of without ``close()`` ends what it does on threads of its own at its next step, and waits for
/// nothing. Nothing is lost by that: what was answered is durable.
public final class EventEngine: Sendable {
    /// How an engine is opened.
    public struct Options: Sendable {
        /// What the engine runs. A journal with events of another product is refused.
        public var products: [Product]
        /// Nothing is written, not even stored views.
        public var isReadOnly = false
        /// Personal values read `null`, in events and read models, as if every person were erased. Such an engine is
        /// read-only.
        public var hidesPersonal = false
        /// How long a submission waits for another process that is writing.
        public var writerWaitSeconds = 10
        /// How many questions are answered at the same time at most, from 1 to 64; others wait for their turn.
        ///
        /// Each reader holds a folded state of its own: the rows that it was asked for, and what came since the state was
        /// stored. The next reader is made when all others are busy.
        public var readers = Options.standardReaders
        /// How many bytes of memory a rebuild, or the first question or command to a large journal of which nothing is stored, may
        /// allocate before rows go to the stored views while it still folds, and are read
        /// from there. What lies in the mapped files comes on top, which the system takes back when it needs it.
        public var rebuildMemory: Int {
            get { rebuildLimit.bytes }
            set { rebuildLimit.bytes = newValue }
        }
        /// A directory on a disk, for states that do not fit in memory and may not be stored: those that ``EventEngine/verify(_:progress:)``,
        /// checks and questions about the past fold, and those of a read-only engine. Their files have no names, and are gone with the
        /// engine. Where it is not there, such states are folded in memory.
        public var temporaryDirectory: String {
            get { rebuildLimit.scratchPath }
            set { rebuildLimit.scratchPath = newValue }
        }
        package var rebuildLimit = MemoryLimit(bytes: 512 << 20)
        /// A question opens the state of the products that it asks and of no other: for a program that asks one and ends. One that
        /// stays has them all in one state, which catches up with the journal once.
        package var opensAskedProductsAlone = false
        /// Hears what the engine does and what it fails to do.
        public var observer: (any EngineObserver)?
        /// Where commits are durable before they are in the journal.
        package var log: any FrameLog = LocalLog()
        /// An import or a restore fills it.
        var isDraft = false
        /// At most this many timer events go into one commit.
        package var mostTimerEvents = 8192
        /// When the journal's tail is sealed.
        package var sealing = Sealing.standard

        /// The tail of the journal is sealed when it reaches this many events: on a thread of its own, below 1,024 within the
        /// append.
        public var segmentEvents: Int {
            get { sealing.segmentEvents }
            set { sealing = Sealing(each: newValue) }
        }

        /// As many as there are processors, from 2 to 8.
        private static let standardReaders = max(2, Processors.count)

        /// What suits a service that writes.
        public init(products: [Product]) {
            self.products = products
        }
    }

    package let journal: Journal
    let registry: Registry
    let isReadOnly: Bool
    let observation: Observation
    let tail: TailReader
    /// What followers read is read there.
    let followers = WorkQueues(count: 2, label: "sijill.follow")
    let submitter: Submitter
    let calls = OpenCalls()
    let maker: StateMaker
    let tree: TreeKeeper
    let readers: ReaderPool
    let pasts: KeptPasts
    let instants = InstantIndex()
    let following = Mutex<Following?>(nil)

    /// Makes an empty journal; `cannotCreate` if anything is there, which is left as it is.
    ///
    /// A simulated one takes commands whose `at` lies however far ahead; any other refuses what lies more than
    /// 300 seconds ahead of the recorder's clock (`clock-ahead`).
    public static func create(
        at directory: String, isSimulated: Bool = false
    ) throws(EngineError) {
        try engineErrors {
            try Journal.create(at: directory, lead: isSimulated ? .unbounded : .standard)
        }
    }

    /// Opens a journal.
    public init(at directory: String, options: Options) throws(EngineError) {
        let registry = try Registry(options.products)
        self.registry = registry
        let isReadOnly = options.isReadOnly || options.hidesPersonal
        let observation = Observation(observer: options.observer)
        let journal = try engineErrors {
            try Journal(
                at: directory, access: isReadOnly ? .readOnly : .readWrite,
                sealing: options.sealing, isDraft: options.isDraft,
                hidesPersonal: options.hidesPersonal, log: options.log
            ) { observation.hear($0) }
        }
        self.journal = journal
        self.isReadOnly = isReadOnly
        self.observation = observation
        let maker = StateMaker(journal, registry, options.rebuildLimit, observation)
        self.maker = maker
        tree = TreeKeeper(journal, registry, observation)
        tail = TailReader(journal)
        let pasts = KeptPasts()
        self.pasts = pasts
        let opensAskedAlone = options.opensAskedProductsAlone
        @Sendable func reader() throws(EngineError) -> Reader {
            Reader(
                store: try maker.views(isReadOnly: isReadOnly), maker: maker, pasts: pasts,
                opensAskedAlone: opensAskedAlone)
        }
        readers = ReaderPool(try reader(), atMost: min(64, max(1, options.readers)), reader)
        submitter = Submitter(
            Sequencer(
                store: try maker.views(isReadOnly: isReadOnly), maker: maker,
                waitSeconds: options.writerWaitSeconds,
                mostTimerEvents: options.mostTimerEvents),
            tree: tree, tail: tail, readers: readers)
        // Types that this program does not know are refused at once, not at the first question.
        _ = try engineErrors { try JournalTypes(journal.snapshot().types(), registry) }
    }

    // MARK: Closing

    /// Ends the engine: followers end, later calls throw ``EngineError/Kind/closed``, and when this returns no call and
    /// no thread of the engine's is at work on the journal any more.
    ///
    /// Calls that are under way are finished first. Closing twice is closing once. The journal's file is let go of with the
    /// last reference to the engine.
    public func close() async {
        tail.close()
        await calls.close()
        readers.forget()
        pasts.forget()
        submitter.forget()
        await withCheckedContinuation { continuation in
            journal.stopSealing { continuation.resume() }
        }
        await withCheckedContinuation { continuation in
            tree.stop { continuation.resume() }
        }
    }

    deinit {
        tail.close()
        journal.stopSealing()
        tree.stop()
    }

    /// Runs a call that needs the engine to be open.
    func whileOpen<R>(_ body: () throws -> R) throws(EngineError) -> R {
        try calls.enter()
        defer { calls.leave() }
        return try engineErrors(body)
    }

    /// Waits for a call that needs the engine to be open.
    func whileOpen<R: Sendable>(
        _ body: @Sendable () async -> Result<R, EngineError>
    ) async throws(EngineError) -> R {
        try calls.enter()
        let result = await body()
        calls.leave()
        return try result.get()
    }

    /// Frees the rows of a session that is done with on another thread: to free those of a large state takes a tenth of the time of
    /// folding it. Closing waits for that.
    func letGo(of session: Session) {
        do { try calls.enter() } catch { return }
        let rows = UncheckedTransfer(session.runtimes.flatMap { $0.space.takeRows() })
        DispatchQueue(label: "sijill.free", qos: .utility).async { [calls] in
            withExtendedLifetime(rows) {}
            calls.leave()
        }
    }

    // MARK: Reading

    func read<R>(_ body: (Reader) throws -> R) throws(EngineError) -> R {
        try whileOpen { try readers.read(body) }
    }

    func read<R: Sendable>(
        _ body: @escaping @Sendable (Reader) throws -> R
    ) async throws(EngineError) -> R {
        try await whileOpen { await self.readers.read(body) }
    }

    /// How many followers wait for something new: for tests.
    package var waitingFollowers: Int { tail.waitingCount }

    /// Runs `body` while one reader is busy with it: for tests.
    package func holdingReader<R>(_ body: () throws -> R) throws(EngineError) -> R {
        try read { _ in try body() }
    }
}
