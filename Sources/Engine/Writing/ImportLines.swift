import Commands
import EventLog
import Core

/// Where a line stands that is imported.
struct LinePlace {
    /// Of a backup; nil for the one export.
    var file: String?
    var number: Int

    var text: String { (file.map { "\($0), " } ?? "") + "line \(number)" }
    var advice: String { file == nil ? "import a file that export wrote" : "use another backup" }
}

/// An event line of an export.
struct EventLine: Record {
    var at = Instant.epoch
    var by = ""
    var cause: Position?
    var command: String?
    var data: JSON = .null
    var device: String?
    var position = Position.zero
    var recordedAt = Instant.epoch
    var revision = 0
    var sealed: SealedMember?
    var stream = ""
    var tags: [String] = []
    var type = ""
    var version = 0

    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("at", &at)
        coder.field("by", &by)
        coder.field("cause", &cause)
        coder.field("command", &command)
        coder.field("data", &data)
        coder.field("device", &device)
        coder.field("position", &position)
        coder.field("recordedAt", &recordedAt)
        coder.field("revision", &revision)
        coder.optional("sealed", &sealed)
        coder.field("stream", &stream)
        coder.field("tags", &tags)
        coder.field("type", &type)
        coder.field("version", &version)
    }
}

extension EventLine {
    var place: SealingContext { SealingContext(position: position, recordedAt: recordedAt) }
}

/// What is sealed of an event.
struct SealedMember: Record {
    var box = ""
    var fields: [String] = []
    var person = ""
    /// Nil: sealed before format 4.
    var term: Int?

    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("box", &box)
        coder.field("fields", &fields)
        coder.field("person", &person)
        coder.optional("term", &term)
    }
}

/// A person's key.
struct KeyRecord: Record {
    var key = ""
    var person = ""

    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("key", &key)
        coder.field("person", &person)
    }
}

/// A command line of an export.
struct CommandRecord: Record {
    var accepted = ""
    var device: String?
    /// Of a command before format 4.
    var digest: String?
    var events = 0
    var first = Position.zero
    var mac: String?
    var recordedAt = Instant.epoch

    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("accepted", &accepted)
        coder.field("device", &device)
        coder.optional("digest", &digest)
        coder.field("events", &events)
        coder.field("first", &first)
        coder.optional("mac", &mac)
        coder.field("recordedAt", &recordedAt)
    }

    /// What is wrong with it; nil if nothing is.
    var problem: String? {
        if let problem = ImportCheck.problem(ofID: accepted) { return "accepted: \(problem)" }
        if let device, let problem = ImportCheck.problem(ofDevice: device) {
            return "device: \(problem)"
        }
        let isWhole = (mac == nil) != (digest == nil)
        return isWhole && digestBytes.count == CommandDigest.storedBytes
            ? nil : "mac: expected 16 lower-case hex digits"
    }

    var digestBytes: [UInt8] { Hex.bytes(mac ?? digest ?? "") ?? [] }
}

extension EventLine {
    /// The payload's own members, and the origin of one that a merge brought: an object. Of another form it
    /// is a field of the payload's own, such as how a subscription came about.
    var splitData: (own: JSON, origin: JSON?) {
        guard let origin = data["origin"], origin.members != nil, let members = data.members else {
            return (data, nil)
        }
        return (.object(members.filter { $0.name != "origin" }), origin)
    }
}
