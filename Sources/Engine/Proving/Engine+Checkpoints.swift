import EventLog
import Core
import Projections
import Proofs

/// Whose signatures under checkpoints count, as texts of verifier keys.
public struct Trust: Sendable {
    /// Of the log; those that checkpoints were made with here if empty.
    public var logKeys: [String] = []
    /// Of witnesses.
    public var witnessKeys: [String] = []
    /// How many of the witnesses must have signed; all of them if nil.
    public var threshold: Int?
    /// The origin line to expect; the log key's name if nil.
    public var origin: String?
    /// Files of checkpoints, beside those that are kept with the journal.
    public var checkpoints: [String] = []

    /// Trusts what the journal's own keys signed.
    public init() {}

    func log() throws(EngineError) -> [NoteVerifier] {
        try logKeys.map { text throws(EngineError) in try Self.key(text) }
    }

    func witnesses() throws(EngineError) -> WitnessPolicy {
        let keys = try witnessKeys.map { text throws(EngineError) in try Self.key(text) }
        return try proofErrors { () throws(ProofError) in
            try WitnessPolicy(keys, threshold: threshold)
        }
    }

    private static func key(_ text: String) throws(EngineError) -> NoteVerifier {
        try proofErrors { () throws(ProofError) in try NoteVerifier(text: text) }
    }
}

/// Runs a body whose errors become the engine's.
func proofErrors<R>(_ body: () throws(ProofError) -> R) throws(EngineError) -> R {
    do {
        return try body()
    } catch {
        throw EngineError(error)
    }
}

extension EngineError {
    init(_ error: ProofError) {
        switch error.key {
        case .verifier(let text): self.init(.noVerifierKey(text))
        case .secret: self.init(.noPrivateKey)
        case nil:
            self.init(error.kind == .malformed ? .badInput : .checkFailed, error.description)
        }
    }
}

extension EventEngine {
    /// Signs the head of the tree over all events, and keeps what was signed beside the journal.
    ///
    /// - Parameter key: the text of a private key, as `SigningKey` makes it.
    /// - Parameter origin: the name of the log; the key's name if nil.
    /// - Parameter attesting: also what the read models say at this position, by their digests.
    /// - Parameter keyFile: the file that the key is from: what it signed last is kept beside it, in PATH`.state`, and
    ///   nothing is signed that does not continue that.
    /// - Returns: a signed note (C2SP tlog-checkpoint).
    public func checkpoint(
        key: String, origin: String? = nil, attesting: Bool = false, keyFile: String? = nil,
        progress: (Progress) -> Void = { _ in }
    ) throws(EngineError) -> [UInt8] {
        try whileOpen {
            let signer = try proofErrors { () throws(ProofError) in try NoteSigner(text: key) }
            guard signer.verifier.kind == .signature else {
                throw EngineError(
                    .wrongUse, "the key of \(signer.name) is a witness's; a log signs with its own")
            }
            guard let keyFile else {
                return try sign(signer, origin, attesting, progress).bytes
            }
            return try SigningState.with(keyFile) { state in
                let last = state.last(of: origin ?? signer.name)
                if let last { try refuseFork(from: last, state.path) }
                let signed = try sign(signer, origin, attesting, progress) {
                    try state.keep($0.checkpoint)
                }
                return signed.bytes
            }
        }
    }

    /// "A log MUST NOT sign an inconsistent checkpoint", wherever the earlier one is kept by now.
    private func refuseFork(from last: Checkpoint, _ path: String) throws {
        let tree = try JournalTree(journal, registry, journal.snapshot())
        let signed = "\(path): this key signed \(last.size) events of \(last.origin)"
        let advice = "sign nothing; where events are lost for good, go on under another name"
        guard last.size <= tree.size else {
            throw EngineError(.checkFailed, "\(signed), and there are \(tree.size); \(advice)")
        }
        guard try tree.root(size: last.size) == last.root else {
            throw EngineError(.checkFailed, "\(signed), and these were others; \(advice)")
        }
    }

    /// `keep` is called with what is signed before anything else sees it.
    private func sign(
        _ signer: NoteSigner, _ origin: String?, _ attesting: Bool,
        _ progress: (Progress) -> Void, keep: (SignedCheckpoint) throws -> Void = { _ in }
    ) throws -> SignedCheckpoint {
        // What is signed must be there after a power loss, too.
        _ = try durableHead()
        let snapshot = try journal.snapshot()
        let tree = try JournalTree(journal, registry, snapshot)
        let store = CheckpointStore(journal)
        // Two histories signed under one name are exposed by any holder of the earlier one.
        for kept in try store.all() where kept.checkpoint.checkpoint.size <= tree.size {
            let earlier = kept.checkpoint.checkpoint
            guard try tree.root(size: earlier.size) == earlier.root else {
                throw EngineError(
                    .checkFailed,
                    "the first \(earlier.size) events are not those that \(kept.path) signed; "
                        + "run verify, and sign nothing")
            }
        }
        if let later = try store.all().last, later.checkpoint.checkpoint.size > tree.size {
            throw EngineError(
                .checkFailed,
                "\(later.path) signed \(later.checkpoint.checkpoint.size) events, and there "
                    + "are \(tree.size); run verify, and sign nothing")
        }
        var lines: [String] = []
        if attesting { lines = try attestation(snapshot, progress) }
        let root = try tree.root(size: tree.size)
        let signed = try proofErrors { () throws(ProofError) in
            let checkpoint = try Checkpoint(
                origin: origin ?? signer.name, size: tree.size, root: root, extensions: lines)
            return try SignedCheckpoint(checkpoint, signedBy: signer)
        }
        try keep(signed)
        try store.keep(signed, signer.verifier)
        return signed
    }

    /// The digests of all read models as lines of a checkpoint.
    private func attestation(
        _ snapshot: JournalSnapshot, _ progress: (Progress) -> Void
    ) throws -> [String] {
        try digests(through: snapshot.head.position, snapshot, progress).map {
            "\(Attestation.word) \($0.name) \($0.digest)"
        }
    }

    /// The digests of all read models as they stood at a position, folded anew.
    func digests(
        through position: Position, _ snapshot: JournalSnapshot,
        groups: [[Product]]? = nil, _ progress: (Progress) throws -> Void
    ) throws -> [Digests.Entry] {
        let scope = Scope(through: position)
        let fresh = Answering(
            session: try maker.past(snapshot, scope, groups: groups), snapshot: snapshot,
            scope: scope, maker: maker)
        return try Digests(of: registry.models, at: fresh.lastInstant()).make(
            fresh, [], progress)
    }

    // MARK: Checking

    /// Compares the journal with every checkpoint that is kept or given: one line for each that does not
    /// hold. What read models said is made anew for each checkpoint that somebody named, and the newest other, that attests it; a
    /// warning says where that cannot be done any more.
    ///
    /// - Parameter others: Checkpoints that are kept elsewhere, as those beside a backup are.
    func findings(
        _ trust: Trust, _ check: TreeCheck, withReadModels: Bool = true,
        keptWith others: [CheckpointStore.Kept] = [], _ progress: (Progress) throws -> Void
    ) throws -> (checked: Int, origins: [String], findings: [Finding], warnings: [Finding]) {
        let store = CheckpointStore(journal)
        var findings: [Finding] = []
        func note(_ unreadable: EngineError) { findings.append(Finding(unreadable.message)) }
        let logs = trust.logKeys.isEmpty ? try store.keys(unreadable: note) : try trust.log()
        let witnesses = try trust.witnesses()
        let given = try trust.checkpoints.map {
            CheckpointStore.Kept(path: $0, checkpoint: try CheckpointStore.read($0, isNamed: true))
        }
        let kept = try CheckpointStore.sorted(store.all(unreadable: note) + others)
        let all = kept + given
        let snapshot = try journal.snapshot()
        let size = Int(snapshot.head.position.number)
        // One that was signed since the check began covers more than it does.
        let isBehind = all.map(\.checkpoint.checkpoint.size).contains {
            $0 > check.size && $0 <= size
        }
        let check = isBehind ? try TreeCheck(journal, registry, progress) : check
        // Witnesses are asked for the newest, whichever was named last.
        let newest = all.indices.max { left, right in
            let size = all[left].checkpoint.checkpoint.size
            let other = all[right].checkpoint.checkpoint.size
            return size == other ? left < right : size < other
        }
        var attested: [(place: String, size: Int, says: Attestation)] = []
        for (index, each) in all.enumerated() {
            let checkpoint = each.checkpoint.checkpoint
            let place = "checkpoint \(each.path)"
            let policy = index == newest ? witnesses : .none
            if let refusal = Self.refusal(each.checkpoint, logs, trust.origin, policy) {
                findings.append(Finding("\(place): \(refusal.what)", advice: refusal.advice))
            } else if checkpoint.size > size {
                findings.append(
                    Finding(
                        "\(place): it covers \(checkpoint.size) events, the journal ends at position "
                            + "\(size): its end was cut off, or an old copy was put back"))
            } else if try check.root(size: checkpoint.size) != checkpoint.root {
                findings.append(
                    Finding(
                        "\(place): the first \(checkpoint.size) events are not those that were "
                            + "signed: one was changed, added, taken out or moved, or this is another "
                            + "journal"))
            } else if case let says = Attestation(checkpoint), !says.digests.isEmpty {
                // Of those that nobody named, which come first, the newest alone.
                if index < kept.count { attested.removeAll() }
                attested.append((place, checkpoint.size, says))
            }
        }
        var warnings: [Finding] = []
        if withReadModels {
            /// An auditor may name what lies beside the journal, too.
            var made: [Int: [Digests.Entry]] = [:]
            for (place, size, says) in attested {
                let position = Position(UInt64(size))
                if let reason = try lossOfDocuments(since: position, snapshot) {
                    warnings.append(
                        Finding("\(place): what it says of read models was not compared: \(reason)")
                    )
                    continue
                }
                let digests = try made[size] ?? digests(through: position, snapshot, progress)
                made[size] = digests
                findings += says.differences(digests).map { Finding("\(place): \($0)") }
            }
        }
        let origins = Set(all.map(\.checkpoint.checkpoint.origin)).sorted { $0.precedes($1) }
        return (all.count, origins, findings, warnings)
    }

    /// Why documents cannot be made as they were at a position: what read models said of a person can only be compared where it
    /// can be read as it could be then. Nil where they can.
    private func lossOfDocuments(
        since position: Position, _ snapshot: JournalSnapshot
    ) throws -> String? {
        if try PersonKeys(of: journal).lackSome(snapshot) { return "keys of persons are missing" }
        let log = try OpenLog(journal, registry)
        let ends = try KeyEnd.all(
            log.snapshot, from: position + 1, log.history.types, log.history.names)
        return ends.first.map {
            "the event at position \($0.position.number) erased a person since"
        }
    }

    /// Why the signatures do not count; nil if they do.
    static func refusal(
        _ checkpoint: SignedCheckpoint, _ logs: [NoteVerifier], _ origin: String?,
        _ witnesses: WitnessPolicy
    ) -> Finding? {
        var reason = Finding(
            "no key is known to check its signature with", advice: .nameLogKey)
        for log in logs {
            do throws(ProofError) {
                // The name of a log need not be that of its key.
                let origin = origin ?? checkpoint.checkpoint.origin
                try checkpoint.check(log: log, origin: origin, witnesses: witnesses)
                return nil
            } catch {
                reason = Finding(error.description)
            }
        }
        return reason
    }
}

/// What a checkpoint says of read models: lines `read-model NAME DIGEST`.
struct Attestation {
    static let word = "read-model"

    let digests: [String: String]

    init(_ checkpoint: Checkpoint) {
        var digests: [String: String] = [:]
        for line in checkpoint.extensions {
            let words = line.split(separator: " ")
            if words.count == 3, words[0] == Self.word {
                digests[String(words[1])] = String(words[2])
            }
        }
        self.digests = digests
    }

    func differences(_ present: [Digests.Entry]) -> [String] {
        let found = Dictionary(uniqueKeysWithValues: present.map { ($0.name, $0.digest) })
        return digests.keys.sorted { $0.precedes($1) }.compactMap { name in
            found[name] == digests[name]
                ? nil : "the read model \(name) is not what was signed: its rules were changed"
        }
    }
}
