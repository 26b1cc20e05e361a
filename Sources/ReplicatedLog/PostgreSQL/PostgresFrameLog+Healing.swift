import Core
package import EventLog
import PostgreSQL

/// Puts back frames in one transaction.
extension PostgresFrameLog {
    package func putBack(
        _ frames: [LoggedFrame], _ standing: LogStanding, _ head: Head
    ) throws(JournalError) {
        try asking { connection throws(PostgresError) in
            try connection.run("begin")
            do throws(PostgresError) {
                try self.putBack(frames, standing, head, connection)
                try connection.run("commit")
            } catch {
                _ = try? connection.run("rollback")
                throw error
            }
        }
    }

    private func putBack(
        _ frames: [LoggedFrame], _ standing: LogStanding, _ head: Head,
        _ connection: PostgresConnection
    ) throws(PostgresError) {
        let isLonger = standing.frames > head.frameCount
        let moved = try connection.run(
            """
            update sijill_log.head set term = term + 1, node = '', frames = $4, confirmed = $4,
            position = $5, chain = $6 where journal = $1 and term = $2 and frames = $3 returning 1
            """,
            [
                .text(identity), .number(standing.term), .number(standing.frames),
                .number(isLonger ? standing.frames : head.frameCount),
                .number(isLonger ? standing.position : head.position.number),
                .text(isLonger ? standing.chain : "\(head.chain)"),
            ])
        guard !moved.isEmpty else {
            throw LogTables.fenced("the log went on while it was healed: try again")
        }
        for frame in frames {
            try connection.run(
                """
                insert into sijill_log.frame (journal, number, term, position, previous, chain, key,
                body) values ($1, $2, $3, $4, $5, $6, $7, $8)
                on conflict (journal, number) do update set term = $3, position = $4,
                previous = $5, chain = $6, key = $7, body = $8
                """,
                [
                    .text(identity), .number(frame.number), .number(frame.term),
                    .number(frame.position.number), .text("\(frame.previous)"),
                    .text("\(frame.chain)"), .bytes(frame.key), .bytes(frame.bytes),
                ])
        }
    }
}
