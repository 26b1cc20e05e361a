import Core
package import EventLog
import PostgreSQL

/// Journals in the tables of a log.
extension PostgresFrameLog {
    package static func create(
        at address: String, node: String, journal identity: String, lead: Lead
    ) throws(JournalError) -> Bool {
        try asking(address, node) { connection throws(PostgresError) in
            for statement in LogTables.definitions { try connection.run(statement) }
            return try connection.run(
                """
                insert into sijill_log.head (journal, lead, term, node, frames, confirmed,
                position, chain) values ($1, $2, 1, $3, 0, 0, 0, $4)
                on conflict (journal) do nothing returning term
                """,
                [
                    .text(identity), lead.milliseconds.map { .number($0) } ?? .null, .text(node),
                    .text("\(Checksum.zero)"),
                ]
            ).count == 1
        }
    }

    package static func journals(
        at address: String, node: String, identity: String?
    ) throws(JournalError) -> [LoggedJournal] {
        try asking(address, node) { connection throws(PostgresError) in
            try connection.run(
                "select journal, lead from sijill_log.head where $1::text is null or journal = $1",
                [identity.map { .text($0) } ?? .null]
            ).compactMap { row in
                guard row.count == 2, let identity = row[0] else { return nil }
                return LoggedJournal(
                    identity: identity,
                    lead: Lead(milliseconds: row[1].flatMap { Int64($0) }))
            }
        }
    }

    private static func asking<R>(
        _ address: String, _ node: String, _ body: (PostgresConnection) throws(PostgresError) -> R
    ) throws(JournalError) -> R {
        do throws(PostgresError) {
            return try body(
                PostgresConnection(
                    address, application: "sijill \(node)", deadlineMilliseconds: 10_000))
        } catch {
            if error.kind == .address {
                throw JournalError(.invalid, error.message, advice: "see docs/log.md")
            }
            throw unavailable(error)
        }
    }
}
