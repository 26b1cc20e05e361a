import EventLog
import Core
import Projections
import Proofs

extension EventEngine {
    /// Forgets the stored read models and makes them again from the first event.
    ///
    /// A check compares with what was stored and replaces nothing; nor does a read-only engine. Named models limit it to their products: what is stored of others
    /// stays. What `progress` throws ends it; what is stored is as it was, or made again whole.
    public func rebuild(
        _ models: [String] = [], isCheck: Bool = false,
        progress: (Progress) throws -> Void = { _ in }
    ) throws(EngineError) -> RebuildReport {
        try whileOpen {
            let start = Stopwatch()
            var snapshot = try journal.snapshot()
            let models = try described(models)
            let products = registry.products(of: models)
            let replaces = !isCheck && !isReadOnly
            let maker = replaces ? self.maker : self.maker.forgetful(at: snapshot.head.position)
            var stored: [String: String] = [:]
            if isCheck { stored = try digestsOfStored(models, snapshot) }
            let foldStart = Stopwatch()
            let (erasures, fresh) = try concurrently({
                replaces ? Result { try self.carryOutRecorded(again: true) } : .success(())
            }) {
                try Reader.folded(
                    journal, registry, snapshot, Scope(through: snapshot.head.position),
                    of: products, overflow: maker?.overflowing(), observation: observation
                ) {
                    try progress(
                        Progress(
                            done: $0.number, total: snapshot.head.position.number, what: "folding"))
                }
            }
            let foldSeconds = foldStart.elapsed.seconds
            snapshot = try maker?.replaceStored(by: fresh, snapshot) ?? snapshot
            try erasures.get()
            defer { letGo(of: fresh) }
            let answering = Answering(
                session: fresh, snapshot: snapshot,
                scope: Scope(through: snapshot.head.position), maker: self.maker)
            // Who makes documents beside it does so of what is stored now.
            let helpers =
                try maker.map {
                    try self.helpers(snapshot, models, limit: fresh.limit, madeBy: $0)
                } ?? []
            let entries = try digests(models, answering, helpers, progress).map {
                name, digest, keys in
                RebuildReport.Entry(
                    model: name, digest: digest, keys: keys, stored: stored[name])
            }
            return RebuildReport(
                entries: entries,
                digest: SHA256Digest.hex(
                    of: Array(entries.map { "\($0.model) \($0.digest)\n" }.joined().utf8)),
                position: snapshot.head.position, events: snapshot.head.position.number,
                foldedProducts: products.map(\.name), foldSeconds: foldSeconds,
                totalSeconds: start.elapsed.seconds)
        }
    }

    /// Forgets the hashes of the tree that the journal keeps and makes them again from the events.
    public func rebuildTree() throws(EngineError) {
        try whileOpen {
            try journal.dropTree()
            try TreeKeeper(journal, registry, observation).extend()
        }
    }

    /// Mends what a failed write left on the first pages of a journal that nobody has open; answers whether there was
    /// anything to mend.
    public static func repair(at directory: String) throws(EngineError) -> Bool {
        try engineErrors { try Journal.repair(at: directory) }
    }

    /// Opens a journal and checks it; damage that keeps it from being opened, or what is checked first from being read, is a finding.
    ///
    /// Throws what has nothing to do with what is stored.
    public static func verify(
        at directory: String, options: Options, _ trust: Trust = Trust(),
        progress: (Progress) throws -> Void = { _ in }
    ) throws(EngineError) -> VerificationReport {
        do throws(EngineError) {
            return try EventEngine(at: directory, options: options).verify(
                trust, progress: progress)
        } catch {
            guard let damage = error.damage else { throw error }
            return VerificationReport(
                isWhole: false, events: 0, streams: 0, firstDamaged: nil, found: [Finding(damage)],
                warned: [], tree: nil, digest: nil)
        }
    }

    /// Checks the whole journal, its tree against every checkpoint, then the stored read models against a
    /// fresh rebuild. What `progress` throws ends it.
    public func verify(
        _ trust: Trust = Trust(), progress: (Progress) throws -> Void = { _ in }
    ) throws(EngineError) -> VerificationReport {
        try whileOpen {
            let (report, tree) = try verifyRecordsAndTree(progress)
            var findings = report.findings.map { finding in
                let place = finding.position.map { " at position \($0.number)" } ?? ""
                return Finding("\(finding.database)\(place): \(finding.what)")
            }
            var warnings = journal.warnings().map { Finding($0) }
            if let failed = journal.failedWriteWarning() {
                warnings.append(Finding(failed, advice: .repair))
            }
            var digest: String?
            var checkedTree: VerificationReport.Tree?
            if let tree {
                let secrets = try SecretsCheck(journal, registry).settled()
                findings += secrets.problems.map { Finding($0) }
                warnings += secrets.pending.map { Finding($0) }
                if let difference = try tree.difference() { findings.append(difference) }
                let checked = try self.findings(trust, tree, progress)
                findings += checked.findings
                warnings += checked.warnings
                checkedTree = VerificationReport.Tree(
                    size: tree.size, root: try tree.root(size: tree.size).base64,
                    checkpoints: checked.checked, origins: checked.origins)
                do {
                    let rebuilt = try verifyViews(progress)
                    digest = rebuilt.digest
                    findings += rebuilt.differences.map {
                        Finding("views: the stored \($0) is not what the events give; run rebuild")
                    }
                } catch let error as JournalError where error.kind == .viewsDamaged {
                    findings.append(Finding("views: \(error)"))
                } catch let error as JournalError where error.kind == .permission {
                    // Without the master key nothing that hangs on personal fields can be made.
                    findings.append(Finding("read models: \(error)"))
                } catch let error as JournalError where error.isDamage {
                    // Records are whole, and say what nobody can have sealed.
                    findings.append(Finding("read models: \(error)"))
                }
            }
            return VerificationReport(
                isWhole: findings.isEmpty, events: report.events,
                streams: report.streams, firstDamaged: report.firstDamaged, found: findings,
                warned: warnings, tree: checkedTree, digest: digest)
        }
    }

    /// The tree is nil where the records are not whole: events of a damaged journal cannot be read.
    private func verifyRecordsAndTree(
        _ progress: (Progress) throws -> Void
    ) throws -> (VerifyReport, TreeCheck?) {
        if let report = try journal.damagedPages() { return (report, nil) }
        return try TreeCheck.begun(
            journal, registry, progress, while: { try verifyRecords(progress) },
            isWanted: { $0.isWhole })
    }

    private func verifyRecords(_ progress: (Progress) throws -> Void) throws -> VerifyReport {
        var stopped: (any Error)?
        let report = try withoutActuallyEscaping(progress) { progress in
            try journal.verify { done, total in
                do {
                    try progress(
                        Progress(done: done.number, total: total.number, what: "verifying"))
                } catch {
                    stopped = error
                }
                return stopped == nil
            }
        }
        if let stopped { throw stopped }
        return report
    }

    /// Again where somebody was erased meanwhile: what the one side opened before, the other did not behind it.
    private func verifyViews(
        _ progress: (Progress) throws -> Void
    ) throws -> (digest: String, differences: [String]) {
        func erasures() throws -> Position? {
            try PersonKeys(of: journal).applied(journal.snapshot())
        }
        for _ in 0..<8 {
            let before = try erasures()
            let found = try comparedViews(progress)
            if try found.differences.isEmpty || erasures() == before { return found }
        }
        throw EngineError(
            .busy,
            "people are erased all the time that stored views are compared; try again later")
    }

    private func comparedViews(
        _ progress: (Progress) throws -> Void
    ) throws -> (digest: String, differences: [String]) {
        // Of what is stored first: what another process stores from here on, it does not see.
        let handed = UncheckedTransfer(try journal.snapshot())
        let total = handed.value.head.position
        let models = registry.models
        let forgetful = maker.forgetful(at: total)
        let (stored, fresh) = try concurrently({
            let stored = try self.answeringFromStored(models, handed.value)
            // Those of a large state are read one after the other.
            if forgetful == nil { stored.session.loadRows() }
            return UncheckedTransfer(stored)
        }) {
            let scope = Scope(through: total)
            let snapshot = try journal.snapshot()
            let session = try Reader.folded(
                journal, registry, snapshot, scope, overflow: forgetful?.overflowing(),
                observation: observation
            ) {
                try progress(Progress(done: $0.number, total: total.number, what: "folding"))
            }
            return Answering(session: session, snapshot: snapshot, scope: scope, maker: maker)
        }
        defer { for session in [stored.value.session, fresh.session] { letGo(of: session) } }
        var helpers: [Answering]?
        if let forgetful, fresh.session.hasOverflowed {
            _ = try forgetful.replaceStored(by: fresh.session, handed.value)
            helpers = try self.helpers(
                handed.value, models, limit: fresh.session.limit, madeBy: forgetful)
        }
        // Documents follow from rows and the journal: only where rows differ are they made of what is stored, too.
        let unlike = try fresh.session.products(unlike: stored.value.session)
        let isHelp = unlike.isEmpty && stored.value.session.has(registry.products)
        let entries = try digests(
            models, fresh, helpers ?? (isHelp ? [stored.value] : []), progress)
        let doubtful = models.filter {
            !unlike.isEmpty && ($0.product.isEmpty || unlike.contains($0.product))
                && stored.value.session.has(registry.products(of: [$0]))
        }
        let says = try digests(doubtful, stored.value) { _ in }
        let expected = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.digest) })
        let digest = SHA256Digest.hex(
            of: Array(entries.map { "\($0.name) \($0.digest)\n" }.joined().utf8))
        return (digest, says.filter { expected[$0.name] != $0.digest }.map(\.name))
    }

    /// The digests of the models as they are stored, brought up to the head.
    private func digestsOfStored(
        _ models: [ModelDescription], _ snapshot: JournalSnapshot
    ) throws -> [String: String] {
        let stored = try answeringFromStored(models, snapshot)
        let entries = try digests(
            models.filter { stored.session.has(registry.products(of: [$0])) }, stored
        ) { _ in }
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.digest) })
    }

    /// What is stored of the products of these models, brought up to the head. Of a large journal those alone that something is
    /// stored of: what would have to be folded for it is what it is to be compared with.
    private func answeringFromStored(
        _ models: [ModelDescription], _ snapshot: JournalSnapshot
    ) throws -> Answering {
        let store = observation.attempt(.openViews) {
            try StoredState(
                journal: journal, registry: registry, isReadOnly: true, observation: observation)
        }
        func open(_ products: [Product]) throws -> Session {
            try Session(
                journal: journal, registry: registry, store: store, snapshot: snapshot,
                of: products)
        }
        var session = try open(registry.products(of: models))
        if maker.isLarge(snapshot.head.position) {
            let unstored = session.unstored.map(\.name)
            if !unstored.isEmpty {
                session = try open(session.products.filter { !unstored.contains($0.name) })
            }
        }
        maker.prepareForAll(session, at: snapshot.head.position)
        try session.catchUp(snapshot)
        return Answering(
            session: session, snapshot: snapshot, scope: Scope(through: snapshot.head.position),
            maker: maker)
    }

    /// The read models of these names, or all.
    private func described(_ names: [String]) throws -> [ModelDescription] {
        for name in names where registry.model(name) == nil {
            throw registry.unknownModel(name)
        }
        return names.isEmpty ? registry.models : registry.models.filter { names.contains($0.name) }
    }

    private func digests(
        _ models: [ModelDescription], _ answering: Answering,
        _ helpers: @autoclosure () throws -> [Answering] = [],
        _ progress: (Progress) throws -> Void
    ) throws -> [Digests.Entry] {
        try Digests(of: models, at: answering.lastInstant()).make(
            answering, models.count > 1 ? try helpers() : [], progress)
    }

    /// The same state for each thread more, from what is stored; none if it is not stored. There are no more threads than
    /// products, but for a second one: together they load about as much as is in the state.
    private func helpers(
        _ first: JournalSnapshot, _ models: [ModelDescription], limit: MemoryLimit?,
        madeBy maker: StateMaker
    ) throws -> [Answering] {
        let products = registry.products(of: models)
        let threads = min(Processors.count, max(2, Set(models.map(\.product)).count))
        return try (1..<threads).compactMap { _ in try helper(first, products, limit, maker) }
    }

    private func helper(
        _ first: JournalSnapshot, _ products: [Product], _ limit: MemoryLimit?,
        _ maker: StateMaker
    ) throws -> Answering? {
        let snapshot = try journal.snapshot()
        let session = observation.attempt(.openViews) {
            try Session(
                journal: journal, registry: registry, store: maker.store(isReadOnly: true),
                snapshot: snapshot, of: products)
        }
        guard let session, session.position == first.head.position else { return nil }
        session.limit = limit
        if limit == nil { session.loadWholeTables() }
        return Answering(
            session: session, snapshot: snapshot, scope: Scope(through: first.head.position),
            maker: maker)
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
