import PostgreSQL

/// The tables of the log.
enum LogTables {
    /// What a refusal of ours bears in place of an SQLSTATE.
    static let fencedState = "SIJIL"

    static func fenced(_ message: String) -> PostgresError {
        PostgresError(.refused(fencedState), message)
    }

    static let definitions = [
        "create schema if not exists sijill_log",
        """
        create table if not exists sijill_log.head (journal text primary key, lead bigint,
        term bigint not null, node text not null, frames bigint not null,
        confirmed bigint not null, position bigint not null, chain text not null,
        held bigint not null default 0)
        """,
        """
        create table if not exists sijill_log.frame (journal text not null, number bigint not null,
        term bigint not null, position bigint not null, previous text not null,
        chain text not null, key bytea not null, body bytea not null,
        primary key (journal, number))
        """,
        "alter table sijill_log.frame alter body set storage external",
    ]

    static let append = """
        with moved as (
        update sijill_log.head set frames = frames + 1, position = $5, chain = $6, confirmed = frames
        where journal = $1 and term = $2 and frames = $3 and chain = $4 and held = $9
        returning frames)
        insert into sijill_log.frame (journal, number, term, position, previous, chain, key, body)
        select $1, frames, $2, $5, $4, $6, $7, $8 from moved returning number
        """

    static func standing(
        _ identity: String, _ connection: PostgresConnection
    ) throws(PostgresError) -> LogStanding {
        let row = try connection.run(
            """
            select term, node, frames, confirmed, position, chain from sijill_log.head
            where journal = $1
            """, [.text(identity)]
        ).first?.map { $0 ?? "" }
        guard let row, row.count == 6 else { throw fenced("the log has no such journal") }
        return LogStanding(
            term: UInt32(row[0]) ?? 0, node: row[1], frames: UInt64(row[2]) ?? 0,
            confirmed: UInt64(row[3]) ?? 0, position: UInt64(row[4]) ?? 0, chain: row[5])
    }
}
