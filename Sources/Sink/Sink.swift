import Core
import Glibc
public import Engine

/// Read models as tables of a database, for those who ask in SQL (docs/sink.md).
///
/// Every step is one transaction: the rows that say something else, and the position that they stand at. So each is written
/// exactly once, whatever is killed when; a second sink ends the first.
public final class Sink {
    /// Which tables, and what goes into them.
    public struct Options: Sendable {
        /// `postgres://…`, as libpq takes it, or `sqlite:FILE`.
        public var target: String
        /// The schema of a PostgreSQL database.
        public var schema = "sijill"
        /// Read models to keep besides those that the tables have; none means those, or all where there are none.
        public var models: [String] = []
        /// Goes on as others append, and comes back when the database does.
        public var follows = false
        /// How long it waits between two steps.
        public var intervalMilliseconds = 1000
        /// Personal values are written in clear, not null.
        public var takesPersonal = false
        /// Errors quote nothing of the address: others than those who gave it may read them.
        public var hidesAddress = false

        /// What suits a run that ends at the journal's end.
        public init(target: String) {
            self.target = target
        }
    }

    /// What a sink tells while it works.
    public enum Note: Sendable {
        /// The tables stand here.
        case reached(position: Position, rows: Int, isErasure: Bool)
        /// Tables of another version are read of these models from here on.
        case switched([String])
        /// The database is not to be had, or a reader keeps it from clearing up behind an erasure; it is tried again.
        case waiting(String)
    }

    private let engine: EventEngine
    private let options: Options

    private static let longestPause = 10_000

    /// What is said of an address that libpq cannot read, where errors quote nothing of it.
    public static let unreadableAddress = EngineError(
        .wrongUse, "its address is none that libpq can read")

    /// A sink of a journal, which is opened as the options have it: without personal values, unless they are taken.
    public init(_ engine: EventEngine, _ options: Options) {
        self.engine = engine
        self.options = options
    }

    // MARK: Running

    /// Brings the tables to where the journal is, and keeps them there if it follows.
    ///
    /// - Parameters:
    ///   - goesOn: waits so many milliseconds; false ends the run.
    ///   - tell: hears of each step.
    public func run(
        goesOn: (Int) -> Bool, tell: (Note) -> Void
    ) throws(EngineError) {
        var fence: Int?
        var pause = 100
        var held: String?
        while true {
            do throws(SinkFailure) {
                let pass = try SinkPass(
                    engine, open(toRun: true), models: options.models,
                    hidesPersonal: !options.takesPersonal, fence: fence)
                fence = pass.tables.standing.fence
                // What a run before this one was kept from.
                try clearUp(pass, waits: false, &held, tell)
                repeat {
                    if try pass.isBehind() {
                        let step = try pass.step {
                            guard goesOn(0) else { throw Stopped() }
                        }
                        if !step.switched.isEmpty { tell(.switched(step.switched)) }
                        tell(
                            .reached(
                                position: Position(step.position), rows: step.rows,
                                isErasure: step.isErasure))
                    }
                    // Whoever follows tries it again with the next step, and has others to serve meanwhile.
                    try clearUp(pass, waits: !options.follows, &held, tell)
                    pause = 100
                } while options.follows && goesOn(options.intervalMilliseconds)
                throw .other(Stopped())
            } catch {
                switch error {
                case .other(is Stopped): return try Self.end(held)
                case .database(let failure) where failure.mayPass && options.follows:
                    tell(.waiting(failure.message))
                    guard goesOn(pause) else { return try Self.end(held) }
                    pause = min(pause * 2, Self.longestPause)
                default: throw engineError(error)
                }
            }
        }
    }

    /// The run has come to its end, or somebody ended it.
    private struct Stopped: Error {}

    /// Clears up behind erasures, if there is something left to do; `held` is what holds it off.
    private func clearUp(
        _ pass: SinkPass, waits: Bool, _ held: inout String?, _ tell: (Note) -> Void
    ) throws(SinkFailure) {
        let wasHeld = held != nil
        held = try pass.tables.clearUp(waits: waits)
        if options.follows, !wasHeld, let held { tell(.waiting(held)) }
    }

    private static func end(_ held: String?) throws(EngineError) {
        guard let held else { return }
        throw EngineError(.busy, "\(held); end it and run again")
    }

    /// Opens the database; a file of SQLite that is not there is made by a run alone.
    private func open(toRun: Bool) throws(SinkFailure) -> any Database {
        let target = options.target
        if target.hasPrefix("postgres://") || target.hasPrefix("postgresql://") {
            guard !options.schema.isEmpty else {
                throw .other(EngineError(.wrongUse, "a schema has a name; give it one"))
            }
            return try databaseErrors { () throws(DatabaseError) in
                try PostgresDatabase(target, schema: options.schema)
            }
        }
        guard target.hasPrefix("sqlite:"), target.utf8.count > 7 else {
            throw .other(
                EngineError(
                    .wrongUse,
                    "\"\(target)\" is no database; write postgres://… or sqlite:FILE"))
        }
        let path = String(target.dropFirst(7))
        guard unsafe toRun || access(path, F_OK) == 0 || errno != ENOENT else { throw noSinkYet }
        return try databaseErrors { () throws(DatabaseError) in
            try SQLiteDatabase(path, toRun: toRun)
        }
    }

    private var noSinkYet: SinkFailure {
        let place = options.hidesAddress ? "" : "\(options.target): "
        return .other(EngineError(.wrongUse, place + "no sink was here yet; run one first"))
    }

    private func engineError(_ failure: SinkFailure) -> EngineError {
        switch failure {
        case .database(let error) where error.isOfAddress:
            options.hidesAddress
                ? Self.unreadableAddress : EngineError(.wrongUse, error.message)
        case .database(let error): EngineError(.inputOutput, error.message)
        case .fenced(let message): EngineError(.busy, message)
        case .other(let error):
            (error as? EngineError) ?? EngineError(.inputOutput, "\(error)")
        }
    }

    private func asking<R>(
        _ body: (SinkTables) throws(SinkFailure) -> R
    ) throws(EngineError) -> R {
        do throws(SinkFailure) {
            let tables = SinkTables(try open(toRun: false))
            // A sink may be at work on them.
            return try tables.database.snapshot { () throws(SinkFailure) -> R in
                guard try tables.exist() else { throw noSinkYet }
                try tables.read()
                return try body(tables)
            }
        } catch {
            throw engineError(error)
        }
    }

    // MARK: Asking

    /// Where the tables stand, and how far behind the journal.
    public func status() throws(EngineError) -> SinkStatus {
        try asking { tables throws(SinkFailure) in
            try tables.check(engine)
            let there = try tables.relations()
            var models: [SinkStatus.Model] = []
            for (table, state) in tables.tables {
                let rows = try there.contains(table.name) ? tables.count(table) : 0
                models.append(
                    SinkStatus.Model(
                        name: table.model, table: table.name, state: state.rawValue,
                        rows: rows,
                        columns: (tables.columns[table.model] ?? []).map(\.name)))
            }
            let standing = tables.standing
            // Behind them, since both go on.
            let head = try otherErrors { try engine.position() }
            return SinkStatus(
                journal: standing.journal, position: standing.position, head: head.number,
                fence: standing.fence, isPersonal: standing.isPersonal,
                models: models.sorted { $0.table.precedes($1.table) })
        }
    }

    /// The same without counting rows, so that no database is busy with it for long.
    public func standing() throws(EngineError) -> SinkStanding {
        try asking { tables throws(SinkFailure) in
            let standing = tables.standing
            let head = try otherErrors { try engine.position() }
            var isOfThisJournal = standing.position <= head.number
            if isOfThisJournal, standing.position > 0 {
                let root = try otherErrors {
                    try engine.root(through: Position(standing.position))
                }
                isOfThisJournal = root == standing.root
            }
            func models(_ state: SinkTables.Table.State) -> [String] {
                tables.tables.filter { $0.value == state }.map(\.key.model)
                    .sorted { $0.precedes($1) }
            }
            return SinkStanding(
                position: standing.position, head: head.number,
                isOfThisJournal: isOfThisJournal, isPersonal: standing.isPersonal,
                models: models(.current), building: models(.building))
        }
    }

    /// Compares every row with what this build says at the position of the tables: what a run of it would change, but for what
    /// happened since.
    public func check() throws(EngineError) -> [SinkComparison] {
        try asking { tables throws(SinkFailure) in
            guard tables.standing.isPersonal == options.takesPersonal else {
                throw .other(
                    EngineError(
                        .wrongUse,
                        tables.standing.isPersonal
                            ? "the tables hold personal values in clear; compare them so"
                            : "the tables hold no personal values; compare them so"))
            }
            try tables.check(engine)
            let there = try tables.relations()
            let current = tables.tables.filter { $0.value == .current }.map(\.key)
                .sorted { $0.model.precedes($1.model) }
            let dialect = tables.database.dialect
            let expected = try otherErrors {
                try engine.documents(
                    of: current.map(\.model), through: Position(tables.standing.position)
                ) { document in
                    (
                        digest: EventEngine.lineDigest(of: document),
                        stored: Self.digest(of: dialect.stored(document.text))
                    )
                }
            }
            return try current.map { table throws(SinkFailure) in
                var missing = expected[table.model] ?? [:]
                var comparison = SinkComparison(model: table.model)
                if there.contains(table.name) {
                    try tables.forEachRow(
                        of: table, "document, digest"
                    ) { row throws(SinkFailure) in
                        let name = row[0] ?? ""
                        comparison.rows += 1
                        let said = Self.digest(of: row[1] ?? "")
                        let wanted = missing.removeValue(forKey: name)
                        if said != wanted?.stored || row[2] != wanted?.digest {
                            comparison.differing.append(name)
                        }
                    }
                }
                comparison.differing += missing.keys
                comparison.differing.sort { $0.precedes($1) }
                return comparison
            }
        }
    }

    /// Of a document as the database gives it back, in its canonical form.
    static func digest(of text: String) -> String? {
        guard let document = try? JSON(parsing: Array(text.utf8)) else { return nil }
        return SHA256Digest.hex(of: document.canonical + [10])
    }

    // MARK: Changing

    /// Gives a model's tables these typed columns and no others.
    public func setColumns(
        _ columns: [TypedColumn], of model: String
    ) throws(EngineError) {
        var names: Set<String> = []
        for column in columns where !names.insert(column.name).inserted {
            throw EngineError(
                .wrongUse, "\(column.name) is the name of two columns; give each its own")
        }
        try changing(model) { tables throws(SinkFailure) in
            try tables.setColumns(columns, of: model)
        }
    }

    /// Drops the tables of a model.
    public func forget(_ model: String) throws(EngineError) {
        try changing(model) { tables throws(SinkFailure) in try tables.forget(model) }
    }

    private func changing(
        _ model: String, _ body: (SinkTables) throws(SinkFailure) -> Void
    ) throws(EngineError) {
        do throws(SinkFailure) {
            let tables = SinkTables(try open(toRun: false))
            guard try tables.exist() else { throw noSinkYet }
            try tables.takeFence(engine, known: nil) { () throws(SinkFailure) in
                try Self.checkKept(model, tables)
            }
            try body(tables)
        } catch {
            throw engineError(error)
        }
    }

    private static func checkKept(_ model: String, _ tables: SinkTables) throws(SinkFailure) {
        guard !tables.tables.keys.contains(where: { $0.model == model }) else { return }
        let names = Set(tables.tables.keys.map(\.model)).sorted { $0.precedes($1) }
        let nearest = EventEngine.nearest(to: model, of: names).map { "; did you mean \($0)?" }
        throw .other(
            EngineError(.wrongUse, "there is no table of \(model)" + (nearest ?? "")))
    }
}
