package import EventLog
import NATS
import Synchronization

/// Frames in a NATS JetStream stream: one commit, one message, appended on condition of the last message's sequence (ADR 0068).
///
/// Taking over is a message in the same stream, and so is every other claim: it moves the last sequence, so that whoever knew the
/// stream without it is refused by the server. What can be read has been stored by a majority; all frames are confirmed.
package final class JetStreamFrameLog: SharedFrameLog {
    struct State {
        var connection: NATSConnection?
        /// Which of the servers is tried first.
        var turn = 0
        /// It may hold frames that the journal has not.
        var isAhead = true
        /// The last message, as far as is known here; nil where it has to be asked for.
        var end: LogEnd?
        /// The last message that was seen at all.
        var seen: LogEnd?
        /// Where a frame was found.
        var place = (frame: UInt64(0), sequence: UInt64(0))
        /// Frames that have been repaired, as of so many repairs.
        var repaired = (count: UInt64(0), frames: [UInt64]())
        /// The sequence of what this node said of itself.
        var report: UInt64?
    }

    let settings: LogSettings
    package let identity: String
    private let state = Mutex(State())

    /// How long a request may take, and how long what became of it is asked for.
    static let requestMilliseconds = 3000
    private static let patienceMilliseconds = 10_000
    /// How often in a row the place of an append may be taken by messages that say nothing against it.
    private static let mostTries = 16

    package init(_ settings: LogSettings, of identity: String) {
        self.settings = settings
        self.identity = identity
    }

    package var term: UInt32 { settings.term }

    package var isAhead: Bool { state.withLock { $0.isAhead } }

    package func didSettle() { state.withLock { $0.isAhead = false } }

    /// Whatever is stored is durable.
    package func didCommit(_ head: Head) {}

    package func didNotCommit() { state.withLock { $0.isAhead = true } }

    // MARK: The end

    /// The last message, which is asked for, from whoever leads the stream.
    func readEnd(_ stream: LogStream, _ state: inout State) throws(NATSError) -> LogEnd {
        state.end = nil
        guard let end = try stream.end(), end.journal == identity else {
            throw LogStream.fenced("the log has no such journal")
        }
        var known = end
        if let seen = state.seen, end.isBefore(seen) {
            // It has lost its end, or a leader answers that was deposed: nobody stores a message at its word.
            do throws(NATSError) {
                known = try stream.publish(.hold, end)
            } catch {
                throw NATSError(.lost, "NATS: the stream's leader does not know its end")
            }
            state.place = (0, 0)
            state.repaired = (0, [])
        }
        state.seen = known
        state.end = known
        return known
    }

    /// Appends a message behind the end that `make` has seen, which may refuse, or return nil if there is nothing to append.
    /// Whose place was taken looks again.
    @discardableResult
    func append(
        _ kind: EntryKind, _ frame: LoggedFrame?, _ stream: LogStream, _ state: inout State,
        _ make: (LogEnd) throws(NATSError) -> LogEnd?
    ) throws(NATSError) -> LogEnd? {
        for _ in 0..<Self.mostTries {
            let end = if let end = state.end { end } else { try readEnd(stream, &state) }
            guard let next = try make(end) else { return nil }
            // What becomes of it is not known until it is answered.
            state.end = nil
            do throws(NATSError) {
                let stored = try stream.publish(kind, next, frame)
                state.end = stored
                state.seen = stored
                return stored
            } catch {
                guard error.isWrongSequence else { throw error }
            }
        }
        throw NATSError(.lost, "NATS: others append all the time")
    }

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
        while true {
            do throws(NATSError) {
                let stream = try opened(&state)
                try append(.frame, frame, stream, &state) { end throws(NATSError) in
                    // An attempt before this one had no answer, and is there.
                    if end.term == settings.term, end.frames == frame.number,
                        end.chain == "\(frame.chain)"
                    {
                        return nil
                    }
                    try checkHold(end)
                    guard end.frames == frame.number - 1, end.chain == "\(frame.previous)" else {
                        throw LogStream.fenced(
                            "the log ends at frame \(end.frames), the journal at \(frame.number - 1), or by another one"
                        )
                    }
                    var next = end
                    next.append(frame)
                    return next
                }
                return
            } catch {
                didFail(error, &state)
                guard error.kind == .lost, Monotonic.milliseconds() < deadline else {
                    throw Self.journalError(error)
                }
                Monotonic.pause(milliseconds: 100)
            }
        }
    }

    private func checkHold(_ end: LogEnd) throws(NATSError) {
        guard end.term == settings.term else {
            // After a healing it is nobody.
            let node = end.node.isEmpty ? "nobody" : end.node
            throw LogStream.fenced(
                settings.term == 0
                    ? "this node follows; \(node) has the log"
                    : "\(node) has taken over the log with term \(end.term)")
        }
    }

    package func checkHold() throws(JournalError) {
        try asking { stream, state throws(NATSError) in try self.hold(stream, &state) }
    }

    /// A message of nothing, by whoever has this term: one that was under way before is refused from here on.
    private func hold(_ stream: LogStream, _ state: inout State) throws(NATSError) {
        try append(.hold, nil, stream, &state) { end throws(NATSError) in
            try checkHold(end)
            return end
        }
    }

    package func takeOver(from standing: LogStanding) throws(JournalError) -> UInt32? {
        try asking { stream, state throws(NATSError) in
            try self.append(.takeOver, nil, stream, &state) { end throws(NATSError) in
                guard end.term == standing.term, end.frames == standing.frames else { return nil }
                var next = end
                next.term += 1
                next.node = self.settings.node
                return next
            }?.term
        }
    }

    // MARK: Reading

    package func standing() throws(JournalError) -> LogStanding {
        try asking { stream, state throws(NATSError) in
            try self.readEnd(stream, &state).standing
        }
    }

    package func frames(after number: UInt64) throws(JournalError) -> [LoggedFrame] {
        try asking { stream, state throws(NATSError) in
            try self.hold(stream, &state)
            return try self.frames(after: number, through: .max, stream, &state)
        }
    }

    package func frames(
        after number: UInt64, through last: UInt64
    ) throws(JournalError) -> [LoggedFrame] {
        try asking { stream, state throws(NATSError) in
            // What is known here may be of before.
            if state.end.map({ $0.frames < last }) ?? true { _ = try self.readEnd(stream, &state) }
            return try self.frames(after: number, through: last, stream, &state)
        }
    }

    // MARK: Connections

    private func opened(_ state: inout State) throws(NATSError) -> LogStream {
        let address = try NATSAddress(settings.address)
        if let connection = state.connection { return LogStream(address.stream, connection) }
        let connection = try LogStream.connect(
            address, node: settings.node, milliseconds: Self.requestMilliseconds, &state.turn)
        state.connection = connection
        return LogStream(address.stream, connection)
    }

    private func didFail(_ error: NATSError, _ state: inout State) {
        state.end = nil
        if error.kind == .lost { state.connection = nil }
    }

    func asking<R>(
        _ body: (LogStream, inout State) throws(NATSError) -> R
    ) throws(JournalError) -> R {
        try state.withLock { state throws(JournalError) in
            do throws(NATSError) {
                return try body(opened(&state), &state)
            } catch {
                didFail(error, &state)
                throw Self.journalError(error)
            }
        }
    }

    static func journalError(_ error: NATSError) -> JournalError {
        switch error.kind {
        case .refused(LogStream.fencedCode):
            JournalError(
                .readOnly, error.message,
                advice: "submit there, or take over with `replay log take-over`")
        case .address:
            JournalError(.invalid, error.message, advice: "see docs/log.md")
        case .tooLarge:
            JournalError(
                .tooLarge, error.message,
                advice: "send fewer commands at once, or raise max_payload on all servers")
        case .refused, .lost:
            JournalError(
                .inputOutput, "the log is not to be had: \(error.message)",
                advice:
                    "nothing is lost; the same command again, under the same id, once it is back")
        }
    }
}
