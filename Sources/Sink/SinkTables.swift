import Core
import Engine

/// The tables of a sink in a database: what they hold of which journal, and who may write to them.
///
/// Everything that is written is written under the fence: who has taken a higher one since ends the one before.
final class SinkTables {
    /// Where the tables stand.
    struct Standing {
        var journal = ""
        var position: UInt64 = 0
        /// The tree's root over the events up to `position`, in hex.
        var root = ""
        var fence = 0
        /// Personal values stand in clear.
        var isPersonal = false
    }

    /// A table of a model's documents.
    struct Table: Hashable {
        enum State: String {
            /// It is being filled beside the one that is read.
            case building
            /// What is read.
            case current
            /// What was read before; dropped as soon as nobody reads it.
            case former
        }

        let model: String
        /// What the documents hang on: another fold, another shape or another sight of persons is another version.
        let version: String

        var name: String { "\(model)@\(version)" }
    }

    static let format = 1

    let database: any Database
    private(set) var standing = Standing()
    var tables: [Table: Table.State] = [:]
    var columns: [String: [TypedColumn]] = [:]
    /// Former tables that something of others' hangs on.
    var kept: Set<Table> = []
    /// What was erased may still be in the database's files.
    private var isClearing = false

    var dialect: Dialect { database.dialect }

    init(_ database: any Database) {
        self.database = database
    }

    func name(_ table: Table) -> String { dialect.name(table.name) }

    // MARK: Opening

    /// Whether a sink was here.
    func exist() throws(SinkFailure) -> Bool {
        try databaseErrors { () throws(DatabaseError) in
            switch dialect {
            case .postgres:
                try database.run("select to_regclass($1)", [dialect.name("sink")]).first?.first
                    != .some(nil)
            case .sqlite:
                try !database.run(
                    "select 1 from sqlite_master where type = 'table' and name = 'sink'"
                ).isEmpty
            }
        }
    }

    /// Makes what is missing.
    func create() throws(SinkFailure) {
        if try exist() { return }
        try database.transaction { () throws(SinkFailure) in
            try databaseErrors { () throws(DatabaseError) in
                if case .postgres(let schema) = dialect {
                    // Two that begin at the same time must not both find nothing.
                    try database.run("select pg_advisory_xact_lock(7307477)")
                    try database.run("create schema if not exists \(Dialect.quoted(schema))")
                }
                for statement in Self.definitions(dialect) { try database.run(statement) }
            }
        }
    }

    private static func definitions(_ dialect: Dialect) -> [String] {
        let sink = dialect.name("sink")
        var statements = [
            """
            create table if not exists \(sink) (one integer primary key check (one = 1),
            format integer not null, journal text not null, position bigint not null,
            root text not null, fence bigint not null, personal integer not null)
            """,
            """
            create table if not exists \(dialect.name("model")) (model text not null,
            version text not null, state text not null, primary key (model, version))
            """,
            """
            create table if not exists \(dialect.name("typed_column")) (model text not null,
            name text not null, path text not null, kind text not null, primary key (model, name))
            """,
            """
            insert into \(sink) (one, format, journal, position, root, fence, personal)
            values (1, \(format), '', 0, '', 0, 0) on conflict (one) do nothing
            """,
        ]
        if case .postgres = dialect {
            // The database takes casts that hang on settings for no generated column; these forms hang on none.
            for (name, type) in [("instant", "timestamptz"), ("day", "date")] {
                statements.append(
                    """
                    create or replace function \(dialect.name(name))(value text) returns \(type)
                    language plpgsql immutable strict as $function$
                    begin return value::\(type); exception when others then return null; end
                    $function$
                    """)
            }
        }
        return statements
    }

    private static let standingColumns = "journal, position, root, fence, format, personal"

    /// Reads where the tables stand.
    func read() throws(SinkFailure) {
        let rows = try databaseErrors { () throws(DatabaseError) in
            try database.run("select \(Self.standingColumns) from \(dialect.name("sink"))")
        }
        try take(rows.first)
        try readTables()
    }

    private func take(_ found: [String?]?) throws(SinkFailure) {
        let row = (found ?? []).map { $0 ?? "" }
        guard row.count == 6, row[4] == "\(Self.format)" else {
            throw .database(
                DatabaseError(
                    message: "the tables are of another form; use the build that made them, or "
                        + "another schema", mayPass: false))
        }
        standing = Standing(
            journal: row[0], position: UInt64(row[1]) ?? 0, root: row[2],
            fence: Int(row[3]) ?? 0, isPersonal: row[5] == "1")
    }

    private func readTables() throws(SinkFailure) {
        try databaseErrors { () throws(DatabaseError) in
            tables = [:]
            isClearing = false
            for row in try database.run(
                "select model, version, state from \(dialect.name("model"))")
            {
                if row[2] == Self.clearing { isClearing = true }
                guard let state = Table.State(rawValue: row[2] ?? "") else { continue }
                tables[Table(model: row[0] ?? "", version: row[1] ?? "")] = state
            }
            columns = [:]
            for row in try database.run(
                "select model, name, path, kind from \(dialect.name("typed_column")) "
                    + "order by name \(dialect.byBytes)")
            {
                guard let kind = TypedColumn.Kind(rawValue: row[3] ?? ""),
                    let column = TypedColumn(
                        name: row[1] ?? "", path: row[2] ?? "", kind: kind)
                else { continue }
                columns[row[0] ?? "", default: []].append(column)
            }
        }
    }

    /// Whoever wrote to the tables before does so no more. Where they stand, whose they are and who may write is told by one
    /// statement: a step of another sink is in it or comes too late.
    ///
    /// - Parameters:
    ///   - known: the fence that was taken before and is to be kept; nil takes a new one.
    ///   - accept: what it throws leaves the fence as it was, as does another journal.
    func takeFence(
        _ engine: EventEngine, known: Int?, _ accept: () throws(SinkFailure) -> Void
    ) throws(SinkFailure) {
        try database.transaction { () throws(SinkFailure) in
            let update = "update \(dialect.name("sink")) set fence ="
            let rows = try databaseErrors { () throws(DatabaseError) -> [[String?]] in
                // Of a commit whose answer was lost, this waits for the end.
                if let known {
                    return try database.run(
                        "\(update) fence where fence = $1 returning \(Self.standingColumns)",
                        ["\(known)"])
                }
                return try database.run(
                    "\(update) fence + 1 returning \(Self.standingColumns)")
            }
            if known != nil, rows.isEmpty { throw SinkFailure.fenced(Self.fencedMessage) }
            try take(rows.first)
            try readTables()
            try check(engine)
            try accept()
        }
    }

    /// Another journal, or an earlier state of this one, must not be written over this one's documents.
    func check(_ engine: EventEngine) throws(SinkFailure) {
        guard standing.position > 0 else { return }
        let head = try otherErrors { try engine.position() }
        guard head.number >= standing.position else {
            throw .other(
                EngineError(
                    .checkFailed,
                    "the tables stand at \(standing.position), the journal ends at \(head): it is an earlier "
                        + "state or another one; name the right journal, or another schema"))
        }
        let root = try otherErrors { try engine.root(through: Position(standing.position)) }
        guard root == standing.root else {
            throw .other(
                EngineError(
                    .checkFailed,
                    "the tables hold another journal's documents, or those of other events up to "
                        + "\(standing.position); name the right journal, or another schema"))
        }
    }

    // MARK: Writing

    /// Runs `body` in a transaction that nobody with another fence writes beside.
    func fenced(_ body: () throws(SinkFailure) -> Void) throws(SinkFailure) {
        try database.transaction { () throws(SinkFailure) in
            // The row is held until the end: who takes the fence waits for that.
            let rows = try databaseErrors { () throws(DatabaseError) in
                try database.run(
                    """
                    update \(dialect.name("sink")) set fence = fence
                    where fence = $1 and position = $2 and root = $3 returning fence
                    """, ["\(standing.fence)", "\(standing.position)", standing.root])
            }
            guard rows.count == 1 else { throw SinkFailure.fenced(Self.fencedMessage) }
            try body()
        }
    }

    static let fencedMessage = "another sink writes to these tables; end one of the two"

    /// In the transaction of `fenced`.
    func move(to next: Standing) throws(SinkFailure) {
        try databaseErrors { () throws(DatabaseError) in
            try database.run(
                "update \(dialect.name("sink")) set position = $1, root = $2, journal = $3, personal = $4",
                ["\(next.position)", next.root, next.journal, next.isPersonal ? "1" : "0"])
        }
    }

    /// The transaction of a move went well.
    func didMove(to next: Standing) { standing = next }

    // MARK: Clearing up

    /// The state of a row of the table `model` that names none. It is there from the step that erased until the files are
    /// cleared up, so that a kill in between forgets nothing; builds before this one pass it over.
    private static let clearing = "clearing"

    /// In the transaction of `fenced`: what is overwritten in it is to be cleared up behind it.
    func markClearing() throws(SinkFailure) {
        try databaseErrors { () throws(DatabaseError) in
            _ = try database.run(
                """
                insert into \(dialect.name("model")) (model, version, state) values ('', '', $1)
                on conflict (model, version) do nothing
                """, [Self.clearing])
        }
    }

    func didMarkClearing() { isClearing = true }

    /// Clears up behind what was erased, if that is still to be done; answers what holds it off.
    func clearUp(waits: Bool) throws(SinkFailure) -> String? {
        guard isClearing else { return nil }
        // A kill may have left some that hold it too.
        try dropFormer()
        let names = tables.keys.map { name($0) }
        let held = try databaseErrors { () throws(DatabaseError) in
            try database.clearUp(names, waits: waits)
        }
        if let held { return held }
        try fenced { () throws(SinkFailure) in
            try databaseErrors { () throws(DatabaseError) in
                _ = try database.run(
                    "delete from \(dialect.name("model")) where state = $1", [Self.clearing])
            }
        }
        isClearing = false
        return nil
    }

    // MARK: Asking

    /// The tables and views that are there, whatever the sink's own list says.
    func relations() throws(SinkFailure) -> Set<String> {
        let rows = try databaseErrors { () throws(DatabaseError) -> [[String?]] in
            switch dialect {
            case .postgres(let schema):
                return try database.run(
                    """
                    select relname from pg_class join pg_namespace s on s.oid = relnamespace
                    where nspname = $1 and relkind in ('r', 'p', 'f', 'v', 'm')
                    """, [schema])
            case .sqlite:
                return try database.run(
                    "select name from sqlite_master where type in ('table', 'view')")
            }
        }
        var names: Set<String> = []
        for row in rows { if let name = row.first ?? nil { names.insert(name) } }
        return names
    }

    /// Goes through the rows of a table in order of their names: what `columns` says of each.
    func forEachRow(
        of table: Table, _ columns: String, _ body: ([String?]) throws(SinkFailure) -> Void
    ) throws(SinkFailure) {
        var last: String?
        while true {
            let after = last == nil ? "" : "where key > $1"
            let rows = try databaseErrors { () throws(DatabaseError) in
                try database.run(
                    "select key, \(columns) from \(name(table)) \(after) order by key limit 2000",
                    last.map { [$0] } ?? [])
            }
            for row in rows { try body(row) }
            guard let key = rows.last?.first?.flatMap({ $0 }) else { return }
            last = key
        }
    }

    func count(_ table: Table) throws(SinkFailure) -> Int {
        try databaseErrors { () throws(DatabaseError) in
            Int(
                try database.run("select count(*) from \(name(table))").first?.first.flatMap { $0 }
                    ?? "")
                ?? 0
        }
    }
}
