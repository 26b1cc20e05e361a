import Core
import EventLog
import NATS

/// The stream of one journal, over a connection.
struct LogStream {
    let name: String
    let connection: NATSConnection

    /// What a refusal of ours bears in place of JetStream's code.
    static let fencedCode = 0

    init(_ name: String, _ connection: NATSConnection) {
        self.name = name
        self.connection = connection
    }

    static func fenced(_ message: String) -> NATSError {
        NATSError(.refused(fencedCode), message)
    }

    /// Tries one server after the other, from `turn` on; the next time begins behind the one that is found.
    static func connect(
        _ address: NATSAddress, node: String, milliseconds: Int, _ turn: inout Int
    ) throws(NATSError) -> NATSConnection {
        var failure = NATSError(.lost, "NATS: no server")
        // All of them together have no longer than a request.
        let most = max(1000, milliseconds / address.servers.count)
        for _ in address.servers {
            let server = address.servers[turn % address.servers.count]
            turn = (turn + 1) % address.servers.count
            do throws(NATSError) {
                return try NATSConnection(
                    address, server, application: "sijill \(node)", connectMilliseconds: most,
                    deadlineMilliseconds: milliseconds)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    // MARK: Messages

    /// What the last message says; nil where there is no stream, or nothing in it.
    func end() throws(NATSError) -> LogEnd? {
        do throws(NATSError) {
            guard let last = try connection.lastMessage(in: name, "sijill.\(name).>") else {
                return nil
            }
            guard let end = LogEnd(last) else {
                throw Self.fenced("message \(last.sequence) of the stream cannot be read")
            }
            return end
        } catch {
            if error.kind == .refused(NATSError.noStream) { return nil }
            throw error
        }
    }

    /// Appends a message directly behind the one that `end` has the sequence of; the end as it is then.
    func publish(
        _ kind: EntryKind, _ end: LogEnd, _ frame: LoggedFrame? = nil
    ) throws(NATSError) -> LogEnd {
        var headers = [
            (name: "Nats-Expected-Last-Sequence", value: "\(end.sequence)"),
            (name: LogEnd.header, value: "\(end.json)"),
        ]
        if let frame { headers.append((name: LoggedFrame.header, value: "\(frame.json)")) }
        var next = end
        next.sequence = try connection.publish(
            kind.subject(in: name), headers: headers, frame?.bytes ?? [])
        guard next.sequence == end.sequence + 1 else {
            throw NATSError(.lost, "NATS: a message was stored elsewhere than behind its condition")
        }
        return next
    }

    // MARK: Frames

    /// The first message with a frame from a sequence on.
    func frame(
        from sequence: UInt64
    ) throws(NATSError) -> (frame: LoggedFrame?, sequence: UInt64)? {
        guard
            let message = try connection.nextMessage(
                in: name, from: sequence, EntryKind.frame.subject(in: name))
        else { return nil }
        return (LoggedFrame(message), message.sequence)
    }

    /// What a frame was repaired with last; nil if that cannot be read, or is damaged itself.
    func repair(of number: UInt64) throws(NATSError) -> LoggedFrame? {
        let last = try connection.lastMessage(
            in: name, EntryKind.repair(number).subject(in: name))
        guard let frame = last.flatMap({ LoggedFrame($0) }), frame.number == number, frame.isWhole
        else { return nil }
        return frame
    }

    /// The numbers of the frames that were repaired, in order.
    func repairedFrames() throws(NATSError) -> [UInt64] {
        let prefix = "sijill.\(name).repair."
        let filter = JSON.object([.init(name: "subjects_filter", value: .string(prefix + ">"))])
        let info = try connection.call("STREAM.INFO.\(name)", filter)
        let subjects = info["state"]?["subjects"]?.members ?? []
        return subjects.compactMap { UInt64($0.name.dropFirst(prefix.count)) }.sorted()
    }
}
