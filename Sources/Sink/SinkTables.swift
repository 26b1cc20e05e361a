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
    private(set) var tables: [Table: Table.State] = [:]
    private(set) var columns: [String: [TypedColumn]] = [:]

    private var dialect: Dialect { database.dialect }

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

    /// Reads where the tables stand.
    func read() throws(SinkFailure) {
        try databaseErrors { () throws(DatabaseError) in
            let row = try database.run(
                "select journal, position, root, fence, format, personal from \(dialect.name("sink"))"
            ).first?.map { $0 ?? "" }
            guard let row, row.count == 6, row[4] == "\(Self.format)" else {
                throw DatabaseError(
                    message: "the tables are of another form; use the build that made them, or "
                        + "another schema", mayPass: false)
            }
            standing = Standing(
                journal: row[0], position: UInt64(row[1]) ?? 0, root: row[2],
                fence: Int(row[3]) ?? 0, isPersonal: row[5] == "1")
            tables = [:]
            for row in try database.run(
                "select model, version, state from \(dialect.name("model"))")
            {
                guard let state = Table.State(rawValue: row[2] ?? "") else { continue }
                tables[Table(model: row[0] ?? "", version: row[1] ?? "")] = state
            }
            columns = [:]
            for row in try database.run(
                "select model, name, path, kind from \(dialect.name("typed_column")) order by name")
            {
                guard let kind = TypedColumn.Kind(rawValue: row[3] ?? ""),
                    let column = TypedColumn(
                        name: row[1] ?? "", path: row[2] ?? "", kind: kind)
                else { continue }
                columns[row[0] ?? "", default: []].append(column)
            }
        }
    }

    /// Whoever wrote to the tables before does so no more.
    func takeFence() throws(SinkFailure) {
        try databaseErrors { () throws(DatabaseError) in
            let taken = try database.run(
                "update \(dialect.name("sink")) set fence = fence + 1 returning fence")
            standing.fence = taken.first?.first?.flatMap { $0 }.flatMap { Int($0) } ?? 0
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

    /// Makes an empty table beside the one that is read.
    func build(_ table: Table) throws(SinkFailure) {
        try databaseErrors { () throws(DatabaseError) in
            let typed = (columns[table.model] ?? []).map { ", " + $0.definition(dialect) }.joined()
            try database.run(
                """
                create table \(name(table)) (key \(dialect.key) primary key,
                document \(dialect.document) not null, digest text not null,
                position bigint not null, changed_at \(dialect.instant) not null\(typed))
                """)
            try setState(.building, of: table)
        }
    }

    func didBuild(_ built: [Table]) { for table in built { tables[table] = .building } }

    private func setState(_ state: Table.State, of table: Table) throws(DatabaseError) {
        try database.run(
            """
            insert into \(dialect.name("model")) (model, version, state) values ($1, $2, $3)
            on conflict (model, version) do update set state = excluded.state
            """, [table.model, table.version, state.rawValue])
    }

    /// From here on it is what is read of its model.
    func switchOver(to table: Table) throws(SinkFailure) {
        try databaseErrors { () throws(DatabaseError) in
            try database.run(
                "update \(dialect.name("model")) set state = 'former' where model = $1 and state = 'current'",
                [table.model])
            try setState(.current, of: table)
            try showView(of: table)
        }
    }

    /// The view that has the model's name.
    func showView(of table: Table) throws(DatabaseError) {
        let names =
            ["key", "document", "position", "changed_at"]
            + (columns[table.model] ?? []).map(\.name)
        let list = names.map { Dialect.quoted($0) }.joined(separator: ", ")
        let view = dialect.name(table.model)
        if case .sqlite = dialect { try database.run("drop view if exists \(view)") }
        let create = if case .postgres = dialect { "create or replace view" } else { "create view" }
        try database.run("\(create) \(view) as select \(list) from \(name(table))")
    }

    func drop(_ table: Table) throws(SinkFailure) {
        try databaseErrors { () throws(DatabaseError) in
            try database.run("drop table if exists \(name(table))")
            try database.run(
                "delete from \(dialect.name("model")) where model = $1 and version = $2",
                [table.model, table.version])
        }
    }

    /// Drops what was read before, if nobody reads it at the moment.
    func dropFormer() throws(SinkFailure) {
        for (table, state) in tables where state == .former {
            do throws(SinkFailure) {
                try fenced { () throws(SinkFailure) in
                    if case .postgres = dialect {
                        try databaseErrors { () throws(DatabaseError) in
                            _ = try database.run("set local lock_timeout = '500ms'")
                        }
                    }
                    try drop(table)
                }
                tables[table] = nil
            } catch {
                // Whoever reads it now lets the next step have it.
                if case .database(let error) = error, error.mayPass { continue }
                throw error
            }
        }
    }

    // MARK: Asking

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

    // MARK: Columns

    /// Puts typed columns in the place of those that a model has.
    func setColumns(_ wanted: [TypedColumn], of model: String) throws(SinkFailure) {
        let present = columns[model] ?? []
        let all = tables.filter { $0.key.model == model && $0.value != .former }
        try fenced { () throws(SinkFailure) in
            try databaseErrors { () throws(DatabaseError) in
                let gone = present.filter { !wanted.contains($0) }
                if !gone.isEmpty {
                    // Whoever built on it is told by the database, which names them.
                    try database.run("drop view if exists \(dialect.name(model))")
                }
                for table in all.keys {
                    for column in gone {
                        try database.run(
                            "alter table \(name(table)) drop column \(Dialect.quoted(column.name))")
                    }
                    for column in wanted where !present.contains(column) {
                        try database.run(
                            "alter table \(name(table)) add column \(column.definition(dialect))")
                    }
                }
                try database.run(
                    "delete from \(dialect.name("typed_column")) where model = $1", [model])
                for column in wanted {
                    try database.run(
                        "insert into \(dialect.name("typed_column")) (model, name, path, kind) values ($1, $2, $3, $4)",
                        [model, column.name, column.path, column.kind.rawValue])
                }
                columns[model] = wanted.sorted { $0.name < $1.name }
                for table in all where table.value == .current { try showView(of: table.key) }
            }
        }
    }

    /// A model is kept no longer: its view and its tables go.
    func forget(_ model: String) throws(SinkFailure) {
        try fenced { () throws(SinkFailure) in
            try databaseErrors { () throws(DatabaseError) in
                _ = try database.run("drop view if exists \(dialect.name(model))")
                _ = try database.run(
                    "delete from \(dialect.name("typed_column")) where model = $1", [model])
            }
            for table in tables.keys where table.model == model { try drop(table) }
        }
    }

    /// Whether another one was read before.
    func didSwitch(to table: Table) -> Bool {
        let former = tables.filter { $0.key.model == table.model && $0.value == .current }.keys
        for other in former { tables[other] = .former }
        tables[table] = .current
        return !former.isEmpty
    }

    func didDrop(_ table: Table) { tables[table] = nil }
}
