import Core
package import EventLog
import PostgreSQL
import Synchronization

/// Frames in a PostgreSQL database: one commit, one row, appended by one conditional statement (ADR 0064).
///
/// Whoever has the highest term may append, behind the last frame and its checksum and nowhere else: another's statement finds no
/// row. The statement returns when the server says that it is durable, on as many standbys as the operator has it wait for.
package final class PostgresFrameLog: SharedFrameLog {
    private struct State {
        var connection: PostgresConnection?
        /// For what need not be durable.
        var hints: PostgresConnection?
        /// It may hold frames that the journal has not.
        var isAhead = true
        /// The log's `held` as this node last raised it: an append that was sent before finds no row, however late it arrives.
        var held: UInt64 = 0
    }

    private let settings: LogSettings
    package let identity: String
    private let state = Mutex(State())

    /// How long a statement may take, and how long what became of it is asked for.
    private static let statementMilliseconds = 3000
    private static let patienceMilliseconds = 10_000
    private static let mostFrames = 64

    package init(_ settings: LogSettings, of identity: String) {
        self.settings = settings
        self.identity = identity
    }

    package var term: UInt32 { settings.term }

    package var isAhead: Bool { state.withLock { $0.isAhead } }

    // MARK: Appending

    package func append(_ frames: [LoggedFrame]) throws(JournalError) {
        for frame in frames {
            try state.withLock { state throws(JournalError) in
                do throws(JournalError) {
                    try append(frame, &state)
                } catch {
                    // It may be there all the same.
                    state.isAhead = true
                    throw error
                }
            }
        }
    }

    private func append(_ frame: LoggedFrame, _ state: inout State) throws(JournalError) {
        let deadline = Monotonic.milliseconds() + Self.patienceMilliseconds
        var isKnown = true
        while true {
            do throws(PostgresError) {
                let connection = try opened(&state)
                if !isKnown, try isThere(frame, connection, &state) { return }
                let rows = try connection.run(
                    LogTables.append,
                    [
                        .text(identity), .number(frame.term), .number(frame.number - 1),
                        .text("\(frame.previous)"), .number(frame.position.number),
                        .text("\(frame.chain)"), .bytes(frame.key), .bytes(frame.bytes),
                        .number(state.held),
                    ])
                if rows.count == 1 { return }
                if try isThere(frame, connection, &state) { return }
                try checkEnd(before: frame, connection)
                // It was `held` alone: another program of this node raised it, or a statement of this one came late.
                guard try confirmHold(connection, &state), Monotonic.milliseconds() < deadline
                else { throw PostgresError(.lost, "others hold the log all the time") }
            } catch {
                state.connection = nil
                if case .refused(let code) = error.kind, code == LogTables.fencedState {
                    throw JournalError(
                        .readOnly, error.message,
                        advice: "submit there, or take over with `replay log take-over`")
                }
                guard error.mayPass, Monotonic.milliseconds() < deadline else {
                    throw Self.unavailable(error)
                }
                isKnown = false
                Monotonic.pause(milliseconds: 100)
            }
        }
    }

    /// Whether this very frame is there, on as many servers as a commit waits for.
    private func isThere(
        _ frame: LoggedFrame, _ connection: PostgresConnection, _ state: inout State
    ) throws(PostgresError) -> Bool {
        let rows = try connection.run(
            "select chain from sijill_log.frame where journal = $1 and number = $2",
            [.text(identity), .number(frame.number)])
        guard rows.first?.first == .some("\(frame.chain)") else { return false }
        // A server that came back shows rows that no standby has yet: what is committed behind them has them, too.
        return try confirmHold(connection, &state)
    }

    /// A commit of nothing, by whoever has this term: an append that was under way before finds no row from here on. False
    /// if somebody else has a higher term.
    private func confirmHold(
        _ connection: PostgresConnection, _ state: inout State
    ) throws(PostgresError) -> Bool {
        let held = try connection.run(
            "update sijill_log.head set held = held + 1 where journal = $1 and term = $2 returning held",
            [.text(identity), .number(settings.term)]
        ).first?.first.flatMap { $0 }.flatMap { UInt64($0) }
        if let held { state.held = held }
        return held != nil
    }

    /// Throws where the log does not end right before a frame of this node's term.
    private func checkEnd(
        before frame: LoggedFrame, _ connection: PostgresConnection
    ) throws(PostgresError) {
        let standing = try LogTables.standing(identity, connection)
        guard standing.term == settings.term else {
            throw LogTables.fenced(
                "\(standing.node) has taken over the log with term \(standing.term)")
        }
        guard standing.frames == frame.number - 1, standing.chain == "\(frame.previous)" else {
            throw LogTables.fenced(
                "the log ends at frame \(standing.frames), the journal at \(frame.number - 1), or by another one"
            )
        }
    }

    package func didCommit(_ head: Head) {
        state.withLock { state in
            do throws(PostgresError) {
                let hints: PostgresConnection
                if let open = state.hints {
                    hints = open
                } else {
                    hints = try connect()
                    try hints.run("set synchronous_commit = off")
                    state.hints = hints
                }
                try hints.run(
                    """
                    update sijill_log.head set confirmed = $2
                    where journal = $1 and term = $3 and confirmed < $2
                    """, [.text(identity), .number(head.frameCount), .number(settings.term)])
            } catch {
                // Followers learn of it with the next frame.
                state.hints = nil
            }
        }
    }

    // MARK: Reading

    package func frames(after number: UInt64) throws(JournalError) -> [LoggedFrame] {
        try asking { connection, state throws(PostgresError) in
            // Only who holds the term may take in what is not confirmed yet.
            guard try self.confirmHold(connection, &state) else {
                throw try self.notHeld(connection)
            }
            return try self.frames(after: number, through: .max, connection)
        }
    }

    package func checkHold() throws(JournalError) {
        try asking { connection throws(PostgresError) in
            let rows = try connection.run(
                "select 1 from sijill_log.head where journal = $1 and term = $2",
                [.text(self.identity), .number(self.settings.term)])
            if rows.isEmpty { throw try self.notHeld(connection) }
        }
    }

    private func notHeld(
        _ connection: PostgresConnection
    ) throws(PostgresError) -> PostgresError {
        let node = try connection.run(
            "select node from sijill_log.head where journal = $1", [.text(identity)]
        ).first?.first.flatMap { $0 }
        return LogTables.fenced(
            node.map { "this node follows; \($0) has the log" } ?? "the log has no such journal")
    }

    package func didNotCommit() { state.withLock { $0.isAhead = true } }

    package func didSettle() { state.withLock { $0.isAhead = false } }

    package func standing() throws(JournalError) -> LogStanding {
        try asking { connection throws(PostgresError) in
            try LogTables.standing(self.identity, connection)
        }
    }

    package func takeOver(from standing: LogStanding) throws(JournalError) -> UInt32? {
        try asking { connection throws(PostgresError) in
            try connection.run(
                """
                update sijill_log.head set term = term + 1, node = $2, confirmed = frames
                where journal = $1 and term = $3 and frames = $4 returning term
                """,
                [
                    .text(self.identity), .text(self.settings.node), .number(standing.term),
                    .number(standing.frames),
                ]
            ).first?.first.flatMap { $0 }.flatMap { UInt32($0) }
        }
    }

    package func frames(
        after number: UInt64, through last: UInt64
    ) throws(JournalError) -> [LoggedFrame] {
        try asking { connection throws(PostgresError) in
            try self.frames(after: number, through: last, connection)
        }
    }

    private func frames(
        after number: UInt64, through last: UInt64, _ connection: PostgresConnection
    ) throws(PostgresError) -> [LoggedFrame] {
        let rows = try connection.run(
            """
            select number, term, position, previous, chain, encode(key, 'hex'), encode(body, 'hex')
            from sijill_log.frame where journal = $1 and number > $2 and number <= $3
            order by number limit \(Self.mostFrames)
            """,
            [.text(identity), .number(number), .number(min(last, UInt64(Int64.max)))])
        return rows.compactMap { row in
            let row = row.map { $0 ?? "" }
            guard row.count == 7, let number = UInt64(row[0]), let term = UInt32(row[1]),
                let position = UInt64(row[2]), let previous = Checksum(description: row[3]),
                let chain = Checksum(description: row[4]), let key = Hex.bytes(row[5]),
                let bytes = Hex.bytes(row[6])
            else { return nil }
            return LoggedFrame(
                number: number, term: term, position: Position(position), previous: previous,
                chain: chain, key: key, bytes: bytes)
        }
    }

    // MARK: Connections

    private func connect() throws(PostgresError) -> PostgresConnection {
        try PostgresConnection(
            settings.address, application: "sijill \(settings.node)",
            deadlineMilliseconds: Self.statementMilliseconds)
    }

    private func opened(_ state: inout State) throws(PostgresError) -> PostgresConnection {
        if let connection = state.connection { return connection }
        let connection = try connect()
        let commit = try connection.run("show synchronous_commit").first?.first
        // Whatever the role's default: an answer means that it is durable.
        if commit == .some("off") || commit == .some("local") {
            try connection.run("set synchronous_commit = on")
        }
        state.connection = connection
        return connection
    }

    func asking<R>(
        _ body: (PostgresConnection) throws(PostgresError) -> R
    ) throws(JournalError) -> R {
        try asking { connection, _ throws(PostgresError) in try body(connection) }
    }

    private func asking<R>(
        _ body: (PostgresConnection, inout State) throws(PostgresError) -> R
    ) throws(JournalError) -> R {
        try state.withLock { state throws(JournalError) in
            do throws(PostgresError) {
                let connection = try opened(&state)
                return try body(connection, &state)
            } catch {
                state.connection = nil
                if case .refused(let code) = error.kind, code == LogTables.fencedState {
                    throw JournalError(
                        .readOnly, error.message,
                        advice: "submit there, or take over with `replay log take-over`")
                }
                throw Self.unavailable(error)
            }
        }
    }

    static func unavailable(_ error: PostgresError) -> JournalError {
        JournalError(
            .inputOutput, "the log is not to be had: \(error.message)",
            advice: "nothing is lost; the same command again, under the same id, once it is back")
    }
}
