/// Making, switching and dropping tables, and the columns of their own that models have.
extension SinkTables {
    // MARK: Building

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

    /// The same of a table that is there, or of which the list alone is left.
    func buildAnew(_ table: Table) throws(SinkFailure) {
        guard try !dropUnlessBuiltOn(table, isEmptied: true) else {
            try build(table)
            return
        }
        // What it was built with may not be what the model has by now.
        try explainingDependents { () throws(DatabaseError) in
            let alter = "alter table \(name(table))"
            for column in columns[table.model] ?? [] {
                let quoted = Dialect.quoted(column.name)
                try database.run("\(alter) drop column if exists \(quoted)")
                try database.run("\(alter) add column \(column.definition(dialect))")
            }
            try setState(.building, of: table)
        }
    }

    func didBuild(_ built: [Table]) {
        for table in built {
            tables[table] = .building
            kept.remove(table)
        }
    }

    private func setState(_ state: Table.State, of table: Table) throws(DatabaseError) {
        try database.run(
            """
            insert into \(dialect.name("model")) (model, version, state) values ($1, $2, $3)
            on conflict (model, version) do update set state = excluded.state
            """, [table.model, table.version, state.rawValue])
    }

    // MARK: Switching

    /// From here on it is what is read of its model.
    func switchOver(to table: Table) throws(SinkFailure) {
        try databaseErrors { () throws(DatabaseError) in
            try database.run(
                "update \(dialect.name("model")) set state = 'former' where model = $1 and state = 'current'",
                [table.model])
            try setState(.current, of: table)
        }
        try showView(of: table)
    }

    /// Whether another one was read before.
    func didSwitch(to table: Table) -> Bool {
        let former = tables.filter { $0.key.model == table.model && $0.value == .current }.keys
        for other in former { tables[other] = .former }
        tables[table] = .current
        return !former.isEmpty
    }

    /// The view that has the model's name.
    func showView(of table: Table) throws(SinkFailure) {
        let view = dialect.name(table.model)
        let wanted =
            ["key", "document", "position", "changed_at"]
            + (columns[table.model] ?? []).map(\.name)
        try explainingDependents { () throws(DatabaseError) in
            var names = wanted
            var create = "create view"
            switch dialect {
            case .sqlite: try database.run("drop view if exists \(view)")
            case .postgres:
                // Replaced, it stays what others built on; that takes away and moves no column, and adds them at the end.
                let present = try viewColumns(table.model)
                if present.allSatisfy({ wanted.contains($0) }) {
                    names = present + wanted.filter { !present.contains($0) }
                    create = "create or replace view"
                } else {
                    try database.run("drop view if exists \(view)")
                }
            }
            let list = names.map { Dialect.quoted($0) }.joined(separator: ", ")
            try database.run("\(create) \(view) as select \(list) from \(name(table))")
        }
    }

    /// Of PostgreSQL; none where there is no view.
    private func viewColumns(_ model: String) throws(DatabaseError) -> [String] {
        let rows = try database.run(
            """
            select attname from pg_attribute where attrelid = to_regclass($1) and attnum > 0
            and not attisdropped order by attnum
            """, [dialect.name(model)])
        return rows.map { ($0.first ?? nil) ?? "" }
    }

    // MARK: Dropping

    func drop(_ table: Table) throws(SinkFailure) {
        try databaseErrors { () throws(DatabaseError) in
            try database.run("drop table if exists \(name(table))")
            try database.run(
                "delete from \(dialect.name("model")) where model = $1 and version = $2",
                [table.model, table.version])
        }
    }

    /// Drops a table in the transaction of `fenced`, unless something of others' hangs on it: that neither goes nor ends the
    /// sink.
    ///
    /// - Parameter isEmptied: a table that stays loses its rows.
    /// - Returns: whether it is gone.
    func dropUnlessBuiltOn(_ table: Table, isEmptied: Bool) throws(SinkFailure) -> Bool {
        // SQLite lets views hang in the air.
        guard case .postgres = dialect else {
            try drop(table)
            return true
        }
        try databaseErrors { () throws(DatabaseError) in
            _ = try database.run("savepoint dropping")
        }
        do throws(SinkFailure) {
            try drop(table)
        } catch {
            guard case .database(let failure) = error, failure.isOfDependents else { throw error }
            try databaseErrors { () throws(DatabaseError) in
                try database.run("rollback to savepoint dropping")
                try database.run("release savepoint dropping")
                if isEmptied { try database.run("delete from \(name(table))") }
            }
            return false
        }
        try databaseErrors { () throws(DatabaseError) in
            _ = try database.run("release savepoint dropping")
        }
        return true
    }

    func didDrop(_ table: Table) { tables[table] = nil }

    /// What an earlier build began to fill, nobody reads.
    func abandon(_ table: Table) throws(SinkFailure) {
        var isGone = true
        try fenced { () throws(SinkFailure) in
            isGone = try dropUnlessBuiltOn(table, isEmptied: true)
            guard !isGone else { return }
            try databaseErrors { () throws(DatabaseError) in try setState(.former, of: table) }
        }
        tables[table] = isGone ? nil : .former
    }

    /// Drops what was read before, if nobody reads it at the moment.
    func dropFormer() throws(SinkFailure) {
        for (table, state) in tables where state == .former && !kept.contains(table) {
            do throws(SinkFailure) {
                var isGone = true
                try fenced { () throws(SinkFailure) in
                    if case .postgres = dialect {
                        try databaseErrors { () throws(DatabaseError) in
                            _ = try database.run("set local lock_timeout = '500ms'")
                        }
                    }
                    isGone = try dropUnlessBuiltOn(table, isEmptied: false)
                }
                // The next run tries it again.
                if isGone { tables[table] = nil } else { kept.insert(table) }
            } catch {
                // Whoever reads it now lets the next step have it.
                if case .database(let error) = error, error.mayPass { continue }
                throw error
            }
        }
    }

    /// A model is kept no longer: its view and its tables go.
    func forget(_ model: String) throws(SinkFailure) {
        try fenced { () throws(SinkFailure) in
            try explainingDependents { () throws(DatabaseError) in
                try database.run("drop view if exists \(dialect.name(model))")
                try database.run(
                    "delete from \(dialect.name("typed_column")) where model = $1", [model])
                for table in tables.keys where table.model == model {
                    try database.run("drop table if exists \(name(table))")
                }
                try database.run(
                    "delete from \(dialect.name("model")) where model = $1", [model])
            }
        }
    }

    /// What the database says of others' views is not what to do about them.
    private func explainingDependents(
        _ body: () throws(DatabaseError) -> Void
    ) throws(SinkFailure) {
        do throws(DatabaseError) {
            try body()
        } catch {
            guard error.isOfDependents else { throw .database(error) }
            throw .database(
                DatabaseError(
                    message: error.message
                        + "; drop what others built on it, and make it again behind this",
                    mayPass: false, state: error.state))
        }
    }

    // MARK: Columns

    /// Puts typed columns in the place of those that a model has.
    func setColumns(_ wanted: [TypedColumn], of model: String) throws(SinkFailure) {
        let present = columns[model] ?? []
        let all = tables.filter { $0.key.model == model && $0.value != .former }
        try fenced { () throws(SinkFailure) in
            try explainingDependents { () throws(DatabaseError) in
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
            }
            for table in all where table.value == .current { try showView(of: table.key) }
        }
    }
}
