import EventLog
import Core
import Folding
import Projections
import Proofs
import Synchronization

/// One state that questions are put to, with the history behind it.
struct Answering {
    let session: Session
    let snapshot: JournalSnapshot
    let scope: Scope
    private let pasts: Pasts

    /// - Parameter maker: What makes pasts that do not fit in memory.
    init(
        session: Session, snapshot: JournalSnapshot, scope: Scope, maker: StateMaker
    ) {
        self.session = session
        self.snapshot = snapshot
        self.scope = scope
        pasts = Pasts(maker, snapshot)
    }

    /// The document of a model; `null` for a key that the events know nothing of.
    func document(
        _ model: String, key: String, _ arguments: [String: String], now: Instant,
        withRoot: Bool = true, notesOrder: Bool = false, looks: Looks? = nil
    ) throws -> Document {
        try asking(
            Asked(model, self), key: key, arguments, now: now, withRoot: withRoot, looks: looks
        ) {
            try Self.document(model, $0, session, root: $1, lead: $2, notesOrder: notesOrder)
        }
    }

    private typealias Root = (Position) -> String?

    /// Who answers for a model.
    private enum Respondent {
        case shared(SharedReadModel)
        case product(any ProductRuntime)
        /// No product of the session has the model.
        case nobody

        init(_ model: String, _ session: Session) {
            if let shared = SharedReadModel.all.first(where: { $0.name == model }) {
                self = .shared(shared)
            } else {
                self = session.runtime(with: model).map { .product($0) } ?? .nobody
            }
        }
    }

    /// A model, and what its documents have in common.
    private struct Asked {
        let model: String
        let respondent: Respondent
        /// What could not be read on the way to a document.
        let faults: TableSpace
        let history: JournalHistory
        let through: Position

        init(_ model: String, _ answering: Answering) {
            self.model = model
            respondent = Respondent(model, answering.session)
            faults = TableSpace()
            history = answering.history(answering.scope, faults)
            through = answering.lastPosition(faults)
        }
    }

    /// Calls `body` with what a model is asked, and with what it may want of the tree: the root, the lead of commands.
    private func asking<R>(
        _ asked: Asked, key: String, _ arguments: [String: String], now: Instant,
        withRoot: Bool, looks: Looks? = nil,
        _ body: (ViewRequest, @escaping Root, Int?) throws -> R
    ) throws -> R {
        try session.lookingUp {
            let faults = asked.faults
            let request = ViewRequest(
                key: key, arguments: arguments, now: now, through: asked.through,
                history: asked.history,
                past: { past(of: asked.model, through: $0, faults) }, looks: looks)
            let result = try body(
                request, { withRoot ? root(through: $0, faults) : nil },
                withRoot ? session.journal.lead.seconds : nil)
            if let fault = faults.fault { throw fault }
            return result
        }
    }

    /// What a model says to a request, whatever history stands behind it.
    static func document(
        _ model: String, _ request: ViewRequest, _ session: Session,
        root: @escaping (Position) -> String?, lead: Int?, notesOrder: Bool = false
    ) throws -> Document {
        var output = JSONOutput(names: session.names)
        if notesOrder { output.json.nameOrder = [] }
        guard
            try write(
                model, Respondent(model, session), request, session, root: root, lead: lead,
                to: &output)
        else { return .null }
        var document = Document(bytes: output.json.bytes)
        document.memberOrder = output.json.nameOrder ?? []
        return document
    }

    /// False when the events know nothing of the key: whatever was written is no document then.
    private static func write(
        _ model: String, _ respondent: Respondent, _ request: ViewRequest, _ session: Session,
        root: @escaping Root, lead: Int?, to output: inout JSONOutput
    ) throws -> Bool {
        let isKnown: Bool
        do throws(WrongArgument) {
            switch respondent {
            case .shared(let shared):
                let timers = (shared.basis == nil ? session.runtimes : []).flatMap { runtime in
                    runtime.timers.pending().map { (product: runtime.product, timer: $0) }
                }
                isKnown = try shared.view(
                    SharedRequest(
                        view: request, timers: timers, types: session.types.registry.payloads,
                        root: root, lead: lead), &output)
            case .product(let runtime): isKnown = try runtime.view(model, request, &output)
            case .nobody: isKnown = false
            }
        } catch {
            throw EngineError(.wrongUse, "\(model): \(error)")
        }
        try session.checkFaults()
        return isKnown
    }

    /// The state that a model reads, as it was at an earlier position.
    private func past(
        of model: String, through position: Position, _ faults: TableSpace
    ) -> PastState? {
        // Whole: what was quoted then was all that the journal held then.
        let earlier = Scope(through: min(position, scope.through))
        do {
            let product = session.runtime(with: model)?.product
            let runtime = try pasts.session(of: product, through: earlier.through)
                .runtime(with: model)
            return runtime.map { PastState(state: $0.folded, history: history(earlier, faults)) }
        } catch {
            faults.recordFault(error)
            return nil
        }
    }

    private func root(through position: Position, _ faults: TableSpace) -> String? {
        do {
            let size = Int(min(position, snapshot.head.position).number)
            return try JournalTree(session.journal, session.types.registry, snapshot).root(
                size: size
            ).base64
        } catch {
            faults.recordFault(error)
            return nil
        }
    }

    private func history(_ scope: Scope, _ faults: TableSpace) -> JournalHistory {
        JournalHistory(
            snapshot: snapshot, types: session.types, keys: session.persons.keys,
            names: session.names, scope: scope, faults: faults)
    }

    /// The last position that counts; zero, and a fault, where the journal cannot be read.
    private func lastPosition(_ faults: TableSpace) -> Position {
        do {
            return scope.isWhole ? scope.through : try last()?.position ?? .zero
        } catch {
            faults.recordFault(error)
            return .zero
        }
    }

    /// The keys of a model that have documents; one empty for a model without keys. Those of the models about people are
    /// looked for in all events that count, and are in order.
    func keys(of model: ModelDescription) throws -> [String] {
        guard model.key != nil else { return [""] }
        if let runtime = session.runtime(with: model.name) { return runtime.keys(of: model.name) }
        return try session.lookingUp {
            let faults = TableSpace()
            var persons = KnownPersons(session.names)
            history(scope, faults).forEach(types: []) { event in
                persons.note(event)
                return true
            }
            if let fault = faults.fault { throw fault }
            return persons.keys
        }
    }

    /// The `at` of the last event that counts: the present that views are asked at by default.
    func lastInstant() throws -> Instant { try last()?.at ?? .epoch }

    private func last() throws -> EventRecord? {
        var through = scope.through
        if scope.happenedBy == nil, let known = scope.knownBy {
            through = try lastPosition(known: known)
        }
        var last: EventRecord?
        try snapshot.forEachEvent(through: through, reversed: true) { event, _ in
            if scope.counts(event) { last = event }
            return last == nil
        }
        return last
    }

    /// The last position up to `scope.through` that the journal had by then: frames say when they
    /// were written without their events being read.
    private func lastPosition(known: Instant) throws -> Position {
        var last = Position.zero
        try snapshot.forEachFrame(through: scope.through, reversed: true) { frame in
            guard frame.eventCount > 0, frame.recordedAt <= known else { return true }
            last = min(frame.first + (Int(frame.eventCount) - 1), scope.through)
            return false
        }
        return last
    }

    // MARK: Digests

    /// Documents between two looks at the memory.
    static let relieving = 1024

    /// SHA-256 over what `sha256sum` says of each document (ADR 0031): a line each, with the digest of the
    /// document as `show` prints it, two blanks and the key with its arguments, keys in order of code point.
    func digest(of model: ModelDescription, now: Instant) throws -> (digest: String, keys: Int) {
        let asked = Asked(model.name, self)
        let documents = DocumentHash(names: session.names)
        func line(_ key: String, _ sample: [String: String]) throws -> (key: String, bytes: [UInt8])
        {
            let name = Self.lineName(key, sample)
            let digest = try lineDigest(
                asked, key: key, Self.lineArguments(model, sample), now: now, documents)
            return (name, Array("\(Hex.text(digest))  \(name)\n".utf8))
        }
        guard model.key != nil else {
            return (SHA256Digest.hex(of: try line("", [:]).bytes), 1)
        }
        let runtime = session.runtime(with: model.name)
        let keys = runtime?.keys(of: model.name) ?? []
        defer { pasts.forget() }
        var lines: [(key: String, bytes: [UInt8])] = []
        try session.lookingUp {
            for (index, key) in keys.enumerated() {
                if index % Self.relieving == 0 { session.relieve() }
                for sample in runtime?.samples(of: model.name, key: key) ?? [] {
                    lines.append(try line(key, sample))
                }
            }
        }
        lines.sort { $0.key.precedes($1.key) }
        var hash = RunningHash()
        for line in lines { hash.add(line.bytes) }
        return (hash.hex, keys.count)
    }

    /// Every document of a model, by the name of its line.
    func documents(
        of model: ModelDescription, now: Instant
    ) throws -> [(name: String, document: Document)] {
        let runtime = session.runtime(with: model.name)
        let keys = model.key == nil ? [""] : runtime?.keys(of: model.name) ?? []
        return try keys.flatMap { key in
            let samples = model.key == nil ? [[:]] : runtime?.samples(of: model.name, key: key)
            return try (samples ?? []).map { sample in
                let document = try document(
                    model.name, key: key, Self.lineArguments(model, sample), now: now,
                    withRoot: false)
                return (Self.lineName(key, sample), document)
            }
        }
    }

    /// ``lineDigest(of:)`` of a document that is not held as a whole, since one may list every event.
    private func lineDigest(
        _ asked: Asked, key: String, _ arguments: [String: String], now: Instant,
        _ hash: DocumentHash
    ) throws -> [UInt8] {
        // The tree's root hangs on the persons' keys, which are random: the same commands give the same
        // digests, in a simulated journal, too. What vouches for it is the checkpoint.
        var isKnown = false
        let digest = try hash.digest { output in
            isKnown = try asking(asked, key: key, arguments, now: now, withRoot: false) {
                try Self.write(
                    asked.model, asked.respondent, $0, session, root: $1, lead: $2, to: &output)
            }
            return isKnown
        }
        if let digest { return digest }
        return Self.lineDigest(
            of: isKnown
                ? try document(asked.model, key: key, arguments, now: now, withRoot: false)
                : .null)
    }

    /// What a line of a digest calls a document: its key, its arguments behind it.
    static func lineName(_ key: String, _ arguments: [String: String]) -> String {
        key
            + arguments.sorted { $0.key.precedes($1.key) }.map { " \($0.key)=\($0.value)" }.joined()
    }

    /// What a document is asked for a line of a digest.
    static func lineArguments(
        _ model: ModelDescription, _ sample: [String: String]
    ) -> [String: String] {
        var arguments = sample
        if model.arguments.contains("page"), model.digestsWholeLists {
            arguments["page"] = Page.all
        }
        return arguments
    }

    /// Of a document as `show` prints it, with its newline.
    static func lineDigest(of document: Document) -> [UInt8] {
        var hash = RunningHash()
        hash.add(document.bytes)
        hash.add([UInt8(ascii: "\n")])
        return hash.digest
    }
}

/// The states at earlier positions that documents are made from: one after the other, folded on while they
/// ascend, of the product alone whose documents they are.
private final class Pasts {
    private let maker: StateMaker
    private let snapshot: JournalSnapshot
    private var last: (product: String?, session: Session)?

    init(_ maker: StateMaker, _ snapshot: JournalSnapshot) {
        self.maker = maker
        self.snapshot = snapshot
    }

    /// A past is as large as the present, and the next model may not ask for any.
    func forget() { last = nil }

    /// Good until the next call.
    func session(of product: String?, through position: Position) throws -> Session {
        if let last, last.product == product, last.session.position <= position {
            try last.session.catchUp(snapshot, through: position)
            return last.session
        }
        // The last one is released before the next is made.
        last = nil
        let session = try maker.past(
            snapshot, Scope(through: position),
            of: maker.registry.products.filter { $0.name == product })
        last = (product, session)
        return session
    }
}

/// Hashes documents piece by piece while they are written, one after the other in the same room.
private final class DocumentHash {
    private var output: JSONOutput
    private let pieces = Pieces()

    /// What was written so far, in pieces of a mebibyte.
    private final class Pieces: Sendable {
        private let hash = Mutex(RunningHash())

        func add(_ piece: Span<UInt8>) {
            hash.withLock { $0.add(piece) }
        }

        func begin() {
            hash.withLock { $0 = RunningHash() }
        }

        /// Of all since the beginning.
        var digest: [UInt8] { hash.withLock { $0.digest } }
    }

    init(names: Names) {
        output = JSONOutput(names: names)
        output.json.sink = JSONWriter.Sink(pieceBytes: 1 << 20) { [pieces] in pieces.add($0) }
    }

    /// Of what `write` writes, with its newline; nil where it answers false, or nothing less than the whole can be hashed.
    func digest(_ write: (inout JSONOutput) throws -> Bool) rethrows -> [UInt8]? {
        pieces.begin()
        output.json.removeAll()
        guard try write(&output), !output.json.isSpoiled else { return nil }
        output.json.newline()
        output.json.finish()
        return pieces.digest
    }
}
