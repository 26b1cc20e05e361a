import PostgreSQL

/// A schema of a PostgreSQL database.
final class PostgresDatabase: Database {
    let dialect: Dialect
    private let connection: PostgresConnection

    /// How long a statement may take: one that changes a view waits for those who read it.
    private static let deadlineMilliseconds = 120_000

    init(_ address: String, schema: String) throws(DatabaseError) {
        dialect = .postgres(schema: schema)
        do throws(PostgresError) {
            connection = try PostgresConnection(
                address, application: "sijill sink",
                deadlineMilliseconds: Self.deadlineMilliseconds)
            try connection.run("set time zone 'UTC'")
        } catch {
            throw DatabaseError(error)
        }
    }

    @discardableResult
    func run(_ statement: String, _ values: [String?]) throws(DatabaseError) -> [[String?]] {
        do throws(PostgresError) {
            return try connection.run(
                statement, values.map { $0.map { .text($0) } ?? .null })
        } catch {
            throw DatabaseError(error)
        }
    }

    func put(
        _ rows: [DocumentRow], _ place: DocumentPlace, into table: String
    ) throws(DatabaseError) {
        guard !rows.isEmpty else { return }
        try run(
            """
            insert into \(table) as present (key, document, digest, position, changed_at)
            select name, document::jsonb, digest, $4::bigint, $5::timestamptz
            from unnest($1::text[], $2::text[], $3::text[]) as row (name, document, digest)
            on conflict (key) do update set document = excluded.document, digest = excluded.digest,
            position = excluded.position, changed_at = excluded.changed_at
            """,
            [
                PostgresConnection.array(rows.map(\.name)),
                PostgresConnection.array(rows.map(\.document)),
                PostgresConnection.array(rows.map(\.digest)), place.position, place.at,
            ])
    }

    func remove(_ names: [String], from table: String) throws(DatabaseError) {
        guard !names.isEmpty else { return }
        try run(
            "delete from \(table) where key = any ($1::text[])", [PostgresConnection.array(names)])
    }

    func clearUp(_ tables: [String], waits: Bool) throws(DatabaseError) -> String? {
        for table in tables { try run("vacuum \(table)") }
        return nil
    }
}

extension DatabaseError {
    init(_ error: PostgresError) {
        var state: String?
        if case .refused(let told) = error.kind { state = told }
        self.init(
            message: error.message, mayPass: error.mayPass, state: state,
            isOfAddress: error.kind == .address)
    }
}
