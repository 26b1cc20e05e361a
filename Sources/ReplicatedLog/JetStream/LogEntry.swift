import Core
import EventLog
import NATS

/// What a message in the stream is; the last part of its subject.
enum EntryKind: Hashable {
    /// A commit; its bytes are the frame's.
    case frame
    /// A node takes the next term, or nobody does: the name is empty then.
    case takeOver
    /// Says that the end is what its sender knows of: whoever appended at the same place before has been refused.
    case hold
    /// A frame that the stream has lost or has otherwise.
    case repair(UInt64)

    func subject(in stream: String) -> String {
        let subject = "sijill.\(stream)."
        return switch self {
        case .frame: subject + "frame"
        case .takeOver: subject + "take-over"
        case .hold: subject + "hold"
        case .repair(let number): subject + "repair.\(number)"
        }
    }
}

/// The log as it stands behind a message: every message says all of it, so that the last one is enough (ADR 0068).
struct LogEnd {
    /// Of the message; what the next one is appended on condition of.
    var sequence: UInt64
    var journal: String
    var lead: Lead
    var term: UInt32
    var node: String
    var frames: UInt64
    var position: UInt64
    var chain: String
    /// How many messages so far were repairs.
    var repairs: UInt64

    static let header = "Sijill-Log"

    var standing: LogStanding {
        LogStanding(
            term: term, node: node, frames: frames, confirmed: frames, position: position,
            chain: chain)
    }

    /// Whether the log was here before it was at `other`.
    func isBefore(_ other: LogEnd) -> Bool {
        sequence < other.sequence || term < other.term || frames < other.frames
    }

    mutating func append(_ frame: LoggedFrame) {
        frames = frame.number
        position = frame.position.number
        chain = "\(frame.chain)"
    }
}

extension LogEnd {
    init?(_ message: StoredMessage) {
        guard let text = message.headers[Self.header], let json = try? JSON(parsing: text),
            let journal = json["journal"]?.string, let node = json["node"]?.string,
            let term = json["term"]?.wholeNumber.flatMap({ UInt32(exactly: $0) }),
            let frames = json["frames"]?.count, let position = json["position"]?.count,
            let repairs = json["repairs"]?.count, let chain = json["chain"]?.string
        else { return nil }
        self.init(
            sequence: message.sequence, journal: journal,
            lead: Lead(milliseconds: json["lead"]?.wholeNumber), term: term, node: node,
            frames: frames, position: position, chain: chain, repairs: repairs)
    }

    var json: JSON {
        var members: [(String, JSON)] = [
            ("journal", .string(journal)), ("term", .integer(Int64(term))), ("node", .string(node)),
            ("frames", .count(frames)), ("position", .count(position)), ("chain", .string(chain)),
            ("repairs", .count(repairs)),
        ]
        if let lead = lead.milliseconds { members.append(("lead", .integer(lead))) }
        return .object(of: members)
    }
}

extension LoggedFrame {
    static let header = "Sijill-Frame"

    /// Nil for a message that is no frame, or says nothing that can be read.
    init?(_ message: StoredMessage) {
        guard let text = message.headers[Self.header], let json = try? JSON(parsing: text),
            let number = json["number"]?.count, let position = json["position"]?.count,
            let term = json["term"]?.wholeNumber.flatMap({ UInt32(exactly: $0) }),
            let previous = json["previous"]?.string.flatMap({ Checksum(description: $0) }),
            let chain = json["chain"]?.string.flatMap({ Checksum(description: $0) }),
            let key = json["key"]?.string.flatMap({ Hex.bytes($0) })
        else { return nil }
        self.init(
            number: number, term: term, position: Position(position), previous: previous,
            chain: chain, key: key, bytes: message.data)
    }

    var json: JSON {
        .object(of: [
            ("number", .count(number)), ("position", .count(position.number)),
            ("term", .integer(Int64(term))), ("previous", .string("\(previous)")),
            ("chain", .string("\(chain)")), ("key", .string(Hex.text(key))),
        ])
    }

    /// Whether its bytes are what its checksum says.
    var isWhole: Bool {
        let alone = [self]
        return (try? Journal.news(in: alone)) != nil
    }
}

extension JSON {
    static func count(_ number: UInt64) -> JSON { .number(JSONNumber(number)) }

    var count: UInt64? { wholeNumber.flatMap { UInt64(exactly: $0) } }
}
