import Core
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
        /// The database is not to be had; it is tried again.
        case waiting(String)
    }

    private let engine: EventEngine
    private let options: Options

    private static let longestPause = 10_000

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
        while true {
            do throws(SinkFailure) {
                let pass = try SinkPass(
                    engine, open(), models: options.models,
                    hidesPersonal: !options.takesPersonal, fence: fence)
                fence = pass.tables.standing.fence
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
                    pause = 100
                } while options.follows && goesOn(options.intervalMilliseconds)
                return
            } catch {
                switch error {
                case .other(is Stopped): return
                case .database(let failure) where failure.mayPass && options.follows:
                    tell(.waiting(failure.message))
                    guard goesOn(pause) else { return }
                    pause = min(pause * 2, Self.longestPause)
                default: throw Self.engineError(error)
                }
            }
        }
    }

    private struct Stopped: Error {}

    private func open(mayMake: Bool = true) throws(SinkFailure) -> any Database {
        let target = options.target
        return try databaseErrors { () throws(DatabaseError) in
            if target.hasPrefix("postgres://") || target.hasPrefix("postgresql://") {
                return try PostgresDatabase(target, schema: options.schema)
            }
            if target.hasPrefix("sqlite:"), target.utf8.count > 7 {
                return try SQLiteDatabase(String(target.dropFirst(7)), mayMake: mayMake)
            }
            throw DatabaseError(
                message: "\"\(target)\" is no database; write postgres://… or sqlite:FILE",
                mayPass: false)
        }
    }

    private static func engineError(_ failure: SinkFailure) -> EngineError {
        switch failure {
        case .database(let error): EngineError(.inputOutput, error.message)
        case .fenced(let message): EngineError(.busy, message)
        case .other(let error):
            (error as? EngineError) ?? EngineError(.inputOutput, "\(error)")
        }
    }

    private func asking<R>(
        mayMake: Bool = true, _ body: (SinkTables) throws(SinkFailure) -> R
    ) throws(EngineError) -> R {
        do throws(SinkFailure) {
            let tables = SinkTables(try open(mayMake: mayMake))
            guard try tables.exist() else {
                throw .other(
                    EngineError(
                        .wrongUse, "\(options.target): no sink was here yet; run one first"))
            }
            try tables.read()
            return try body(tables)
        } catch {
            throw Self.engineError(error)
        }
    }

    // MARK: Asking

    /// Where the tables stand, and how far behind the journal.
    public func status() throws(EngineError) -> SinkStatus {
        let head = try engine.position()
        return try asking { tables throws(SinkFailure) in
            var models: [SinkStatus.Model] = []
            for (table, state) in tables.tables {
                models.append(
                    SinkStatus.Model(
                        name: table.model, table: table.name, state: state.rawValue,
                        rows: try tables.count(table),
                        columns: (tables.columns[table.model] ?? []).map(\.name)))
            }
            let standing = tables.standing
            return SinkStatus(
                journal: standing.journal, position: standing.position, head: head.number,
                fence: standing.fence, isPersonal: standing.isPersonal,
                models: models.sorted { $0.table.precedes($1.table) })
        }
    }

    /// The same without counting rows, so that no database is busy with it for long; nor is a file made where there is none.
    public func standing() throws(EngineError) -> SinkStanding {
        let head = try engine.position()
        return try asking(mayMake: false) { tables throws(SinkFailure) in
            let standing = tables.standing
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
                try tables.forEachRow(of: table, "document, digest") { row throws(SinkFailure) in
                    let name = row[0] ?? ""
                    comparison.rows += 1
                    let said = Self.digest(of: row[1] ?? "")
                    let wanted = missing.removeValue(forKey: name)
                    if said != wanted?.stored || row[2] != wanted?.digest {
                        comparison.differing.append(name)
                    }
                }
                comparison.differing += missing.keys
                comparison.differing.sort { $0.precedes($1) }
                return comparison
            }
        }
    }

    /// Of a document as the database gives it back, in its canonical form.
    private static func digest(of text: String) -> String? {
        guard let document = try? JSON(parsing: Array(text.utf8)) else { return nil }
        return SHA256Digest.hex(of: document.canonical + [10])
    }

    // MARK: Changing

    /// Gives a model's tables these typed columns and no others.
    public func setColumns(
        _ columns: [TypedColumn], of model: String
    ) throws(EngineError) {
        try asking { tables throws(SinkFailure) in
            try Self.checkKept(model, tables)
            try tables.takeFence()
            try tables.setColumns(columns, of: model)
        }
    }

    /// Drops the tables of a model.
    public func forget(_ model: String) throws(EngineError) {
        try asking { tables throws(SinkFailure) in
            try Self.checkKept(model, tables)
            try tables.takeFence()
            try tables.forget(model)
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

/// Where the tables of a sink stand.
public struct SinkStatus: Sendable {
    /// A table of a model.
    public struct Model: Sendable {
        /// The model.
        public let name: String
        /// The table.
        public let table: String
        /// `current`, `building` or `former`.
        public let state: String
        /// How many documents it holds.
        public let rows: Int
        /// Its typed columns.
        public let columns: [String]
    }

    /// The journal's identity.
    public let journal: String
    /// What the tables take in.
    public let position: UInt64
    /// The journal's last event.
    public let head: UInt64
    /// Counted up by each sink that begins.
    public let fence: Int
    /// Personal values stand in clear.
    public let isPersonal: Bool
    /// By table.
    public let models: [Model]

    /// How many events the tables do not take in yet.
    public var lag: UInt64 { head > position ? head - position : 0 }
}

/// Where a sink's tables stand, as far as that can be told at once.
public struct SinkStanding: Sendable {
    /// What the tables take in.
    public let position: UInt64
    /// The journal's last event.
    public let head: UInt64
    /// Whether what they take in is this journal's beginning.
    public let isOfThisJournal: Bool
    /// Personal values stand in clear.
    public let isPersonal: Bool
    /// The models that are read.
    public let models: [String]
    /// The models of which another version is being filled.
    public let building: [String]

    /// How many events the tables do not take in yet.
    public var lag: UInt64 { head > position ? head - position : 0 }
}

/// What a model's table and this build's documents have otherwise.
public struct SinkComparison: Sendable {
    /// The model.
    public let model: String
    /// How many rows the table has.
    public internal(set) var rows = 0
    /// The keys of the documents that differ, or that one of the two lacks, in order.
    public internal(set) var differing: [String] = []
}
