import EventLog
import Core
import Folding
import Projections

/// The folded state of every product, and how far it stands: what decides and what answers.
///
/// Rows come from the stored views as they are touched; what came after is folded on top. Belongs
/// to one thread at a time.
final class Session {
    let journal: Journal
    let names: Names
    private(set) var runtimes: [any ProductRuntime]
    private(set) var types: JournalTypes
    let persons: Persons
    /// Of personal fields.
    let opener: PartOpener
    /// The last event that is folded, in every product.
    private(set) var position: Position
    /// Where each runtime stands, while some are further than `position`: each product is stored by itself.
    private var positions: [Position]?
    /// What the stored views stand at that the rows of each runtime come from.
    var stored: [Position]
    let store: StoredState?
    /// ``StoredState/lastRebuild`` as that was attached.
    var attached = 0
    /// Others stored a later state than its rows come from.
    var isOvertaken = false
    /// How many events were folded since it was opened.
    private(set) var foldedEvents: UInt64 = 0
    private var routes: [Route] = []
    let observation: Observation
    /// Beyond it rows that are stored are let go of between documents; nil where all are kept.
    var limit: MemoryLimit?
    /// Where rows go beyond it while they are folded: its own, and those of the sessions whose runtimes it took over.
    var overflows: [StateOverflow] = []

    private let symbols: JournalSymbols
    /// What the runtimes look names up in that another session folded.
    private var taken: [(names: Names, symbols: JournalSymbols, persons: Persons)] = []

    /// Opens the state as it is stored, or an empty one; `catchUp` brings it to the head.
    ///
    /// - Parameters:
    ///   - needed: Nil is all of them. Of the others come those that are stored not too far behind the head.
    ///   - near: How far that is, in events.
    init(
        journal: Journal, registry: Registry, store: StoredState?, snapshot: JournalSnapshot,
        of products: [Product]? = nil, needing needed: [Product]? = nil,
        orWithin near: UInt64 = 0, observation: Observation = .none
    ) throws {
        self.journal = journal
        self.observation = observation
        self.store = store
        let symbols = JournalSymbols(journal)
        self.symbols = symbols
        let names = Names(source: symbols, stored: snapshot.head.symbolCount)
        self.names = names
        runtimes = (products ?? registry.products).map { $0.makeRuntime(TableSpace(), names) }
        types = try JournalTypes(snapshot.types(), registry)
        persons = Persons(journal)
        opener = PartOpener(keys: persons.keys, names: names)
        let lock = ProductVault.Lock()
        for runtime in runtimes {
            runtime.space.vault = ProductVault(persons.keys, runtime.product, names, lock)
        }
        stored = runtimes.map { _ in .zero }
        position = .zero
        try attach(snapshot)
        if let needed { leaveOut(fartherThan: near, from: snapshot.head.position, except: needed) }
        position = stored.min() ?? .zero
        if stored.contains(where: { $0 > position }) { positions = stored }
        rebuildRoutes()
        _ = try symbols.holdingSnapshot { try persons.catchUp(snapshot, types, names) }
    }

    private func leaveOut(
        fartherThan near: UInt64, from head: Position, except needed: [Product]
    ) {
        let kept = runtimes.indices.filter { index in
            head.number - stored[index].number <= near
                || needed.contains { $0.name == runtimes[index].product }
        }
        (runtimes, stored) = (kept.map { runtimes[$0] }, kept.map { stored[$0] })
    }

    deinit { for runtime in runtimes { runtime.space.dissolve() } }

    /// Takes over the runtimes of a session that folded the same events for other products. The names they
    /// know stay theirs: symbols are the journal's, so that both mean the same by a number.
    func takeOver(_ other: Session) {
        runtimes = types.registry.products.compactMap { product in
            runtime(of: product.name) ?? other.runtime(of: product.name)
        }
        // Neither has anything stored.
        stored = runtimes.map { _ in .zero }
        taken.append((other.names, other.symbols, other.persons))
        overflows += other.overflows
        other.runtimes = []
        other.stored = []
        other.rebuildRoutes()
        rebuildRoutes()
    }

    /// Folds what came since, through a position (default: the head); as one visitor of a scan, if it has folded nothing yet.
    /// - Parameter change: another payload for an event, where it is to be folded otherwise than it came.
    func catchUp(
        _ snapshot: JournalSnapshot, through last: Position? = nil, sharing scan: SharedScan? = nil,
        counting filter: ((EventRecord) -> Bool)? = nil,
        changing change: ((EventRecord, [UInt8]) throws -> EventChanges.Changed?)? = nil,
        progress: (Position) throws -> Void = { _ in }
    ) throws {
        let target = min(last ?? snapshot.head.position, snapshot.head.position)
        names.didLearn(stored: snapshot.head.symbolCount)
        for each in taken { each.names.didLearn(stored: snapshot.head.symbolCount) }
        try learnTypes(snapshot)
        try persons.catchUp(snapshot, types, names)
        if target > position {
            let watch = Stopwatch()
            let before = foldedEvents
            defer { tellFold(foldedEvents - before, through: position, watch) }
            while position < target {
                let (behind, last) = next(target)
                try fold(
                    through: last, into: behind, snapshot, sharing: scan, counting: filter,
                    changing: change, progress: progress)
                didFold(through: last)
            }
        }
        try checkFaults()
    }

    /// Who folds next, and how far: those that stand furthest back, up to the next one.
    private func next(_ target: Position) -> (runtimes: [any ProductRuntime], last: Position) {
        guard let positions else { return (runtimes, target) }
        return (
            zip(runtimes, positions).filter { $1 == position }.map(\.0),
            positions.filter { $0 > position }.reduce(target, min)
        )
    }

    private func didFold(through last: Position) {
        if var positions {
            for index in positions.indices where positions[index] == position {
                positions[index] = last
            }
            self.positions = positions.allSatisfy { $0 == last } ? nil : positions
        }
        position = last
    }

    /// Whether nobody may read what is personal in an event: the person is erased.
    func hides(_ event: EventEnvelope) -> Bool {
        runtimes.contains {
            $0.product == event.type.product && $0.hidesPersonal(of: event.metadata.subject)
        }
    }

    /// Folds the events behind `position` into some of the runtimes.
    ///
    /// - Parameter passesClock: whether timers that were due before an event are spent.
    private func fold(
        through last: Position, into some: [any ProductRuntime], _ snapshot: JournalSnapshot,
        sharing scan: SharedScan? = nil, passesClock: Bool = true,
        counting filter: ((EventRecord) -> Bool)? = nil,
        changing change: ((EventRecord, [UInt8]) throws -> EventChanges.Changed?)? = nil,
        progress: (Position) throws -> Void
    ) throws {
        guard !some.isEmpty else { return }
        let isAll = some.count == runtimes.count
        if !isAll { rebuildRoutes(of: some) }
        defer { if !isAll { rebuildRoutes() } }
        var folding = EventFolding(routes, opener)
        // What is to be changed wants to see every event.
        let wanted = WantedTypes(routes.map { change != nil || $0.isWanted })
        let opening = OpeningAhead(persons.keys, WantedTypes(routes.map(\.opensPersonal)))
        let timers = some.map(\.timers)
        func take(_ passed: PassedOver) {
            foldedEvents += passed.events
            // A timer that was due before a later command, and left no event, was spent (contract, Time).
            guard passesClock, let clock = passed.clock else { return }
            for timers in timers { timers.pass(clock) }
        }
        // What is to be taken back stays in memory.
        let overflows = home == nil ? overflows : []
        let stride = overflows.map(\.limit.step).reduce(Self.progressStep, min)
        var told = position.number / stride
        try lookingUp {
            let rest = try snapshot.forEachEvent(
                from: position + 1, through: last, of: wanted, opening: opening, sharing: scan,
                counting: filter
            ) { event, body, opened, passed in
                take(passed)
                if let changed = try change?(event, body) {
                    try folding.fold(event, body, changed)
                } else {
                    try folding.fold(event, body, opened)
                }
                let step = event.position.number / stride
                if step > told {
                    told = step
                    for overflow in overflows where overflow.isDue(after: foldedEvents) {
                        try overflow.take(checkFaults)
                    }
                    try progress(Position(step * stride))
                }
                return true
            }
            take(rest)
        }
    }

    /// Events between two calls of `progress`, at most.
    private static let progressStep: UInt64 = 4096

    private func tellFold(_ events: UInt64, through position: Position, _ watch: Stopwatch) {
        guard events > 0 else { return }
        observation.tell(
            .folded(
                EngineActivity.Fold(
                    position: position, events: Int(events), duration: watch.elapsed)))
    }

    /// Folds the events at these ascending positions and no others: a state for one question, whose
    /// basis they are (ADR 0020). Timers are left as they were set, since no such question is about them.
    func fold(
        at positions: [Position], _ snapshot: JournalSnapshot,
        counting filter: (EventRecord) -> Bool
    ) throws {
        let watch = Stopwatch()
        let before = foldedEvents
        defer { tellFold(foldedEvents - before, through: positions.last ?? .zero, watch) }
        var folding = EventFolding(routes, opener)
        try snapshot.forEachEvent(at: positions) { event, body in
            guard filter(event) else { return true }
            foldedEvents += 1
            defer { folding.release() }
            try folding.fold(event, body, nil)
            return true
        }
        try checkFaults()
    }

    // MARK: There and back

    /// Where it goes back to; nil where it stands.
    private var home: Position?

    /// Folds further events, which `goHome` takes back. No timer passes, so that nobody may ask for timers meanwhile.
    func goAside(_ snapshot: JournalSnapshot, through last: Position) throws {
        // What the journal has learnt since: names, types, and whose values nobody may read any more.
        try catchUp(snapshot, through: position)
        home = position
        for runtime in runtimes {
            // What follows from rows is the same before and behind what is taken back.
            runtime.folded.settle()
            runtime.space.keepChanges()
            runtime.space.keepsChanges = true
            runtime.space.undoesAll = true
        }
        guard last > position else { return }
        try fold(
            through: last, into: runtimes, snapshot, passesClock: false, progress: { _ in })
        position = last
        try checkFaults()
    }

    /// Takes back what `goAside` folded.
    func goHome() {
        guard let home else { return }
        for runtime in runtimes {
            runtime.undo()
            runtime.space.keepsChanges = false
            runtime.space.undoesAll = false
        }
        position = home
        self.home = nil
    }

    /// Looks all symbols up in one snapshot meanwhile.
    func lookingUp<R>(_ body: () throws -> R) throws -> R {
        try symbols.holdingSnapshot { try Self.lookingUp(taken.map(\.symbols)[...], body) }
    }

    /// The same from here on, in a snapshot that this thread reads from anyway; nil: in one of its own each time.
    func lookUp(in snapshot: JournalSnapshot?) { symbols.hold(snapshot) }

    private static func lookingUp<R>(
        _ others: ArraySlice<JournalSymbols>, _ body: () throws -> R
    ) throws -> R {
        guard let first = others.first else { return try body() }
        return try first.holdingSnapshot { try lookingUp(others.dropFirst(), body) }
    }

    /// A batch that this session decided is durable: its events are folded already.
    func didAppend(_ snapshot: JournalSnapshot) throws {
        names.didStore()
        persons.keys.didCommit()
        try learnTypes(snapshot)
        persons.carryOut(snapshot, types, names)
        position = snapshot.head.position
    }

    private func learnTypes(_ snapshot: JournalSnapshot) throws {
        guard Int(snapshot.head.typeCount) > types.count else { return }
        for record in try snapshot.types().dropFirst(types.count) { try types.add(record) }
        rebuildRoutes()
    }

    private func rebuildRoutes() { rebuildRoutes(of: runtimes) }

    /// Other runtimes do not look at any event.
    private func rebuildRoutes(of some: [any ProductRuntime]) {
        routes = (0...types.count).map { number in
            guard let entry = types[UInt16(number)] else {
                return Route(product: "", version: 0, folders: [])
            }
            return Route(
                product: entry.payload.product, version: entry.version,
                folders: some.compactMap { $0.folder(of: entry.payload.name) })
        }
    }

    /// What could not be read on the way comes to light here, before anything is answered.
    func checkFaults() throws {
        // No list of all of them: this is asked behind each document.
        if let fault = names.fault { throw fault }
        try persons.checkFault()
        for each in taken {
            if let fault = each.names.fault { throw fault }
            try each.persons.checkFault()
        }
        for runtime in runtimes { if let fault = runtime.space.fault { throw fault } }
    }

    /// The last event that is folded in any product.
    var furthest: Position { positions?.max() ?? position }
}
