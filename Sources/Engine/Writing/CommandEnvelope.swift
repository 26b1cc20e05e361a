import Commands
import Core

/// One command as it came in: the envelope checked, the data not yet (contract, Commands in).
struct CommandEnvelope {
    let id: String
    let command: String
    /// Nil: now.
    let at: Instant?
    let by: String
    let device: String?
    let data: JSON
    /// Tells this content from other content under the same id: SHA-256.
    let digest: [UInt8]

    /// Why a line is no command.
    struct Malformed: Error {
        let id: String?
        let reason: String
        /// The command's type, if the line tells it.
        var command: String?
    }

    init(_ line: [UInt8]) throws(Malformed) {
        let json: JSON
        do {
            json = try JSON(parsing: line)
        } catch {
            throw Malformed(id: nil, reason: "not JSON: \(error)")
        }
        guard let members = json.members else {
            throw Malformed(id: nil, reason: "expected an object")
        }
        let idText = json["id"]?.string
        func refuse(_ reason: String) -> Malformed {
            Malformed(id: idText, reason: reason, command: json["command"]?.string)
        }
        for member in members where !Self.fields.contains(member.name) {
            throw refuse("unknown field \"\(member.name)\"")
        }
        guard let idText else { throw refuse("expected an \"id\" text") }
        guard Bounds.commandID.contains(idText.unicodeScalars.count) else {
            throw refuse("expected an \"id\" of 1 to 128 characters")
        }
        guard let command = json["command"]?.string else {
            throw refuse("expected a \"command\" text")
        }
        guard let by = json["by"]?.string else { throw refuse("expected a \"by\" text") }
        if !Actor.accepts(by) {
            throw refuse("\"by\": expected student:ID, coach:ID, admin:ID, service:ID or system")
        }
        at = try Self.instant(json["at"], refuse)
        device = try Self.device(json["device"], refuse)
        data = json["data"] ?? .object([])
        if data.members == nil { throw refuse("data: expected an object") }
        id = idText
        self.command = command
        self.by = by
        digest = CommandDigest.of(command, at: at, by: by, data)
    }

    /// Whether its sender is of a kind that the contract lets advance the clock.
    var mayAdvanceClock: Bool {
        let kind = by.prefix { $0 != ":" }
        return CommandInfo.clockAdvancers.kinds.contains { $0.rawValue == kind }
    }

    private static let fields: Set<String> = ["id", "command", "at", "by", "device", "data"]

    private static func instant(
        _ json: JSON?, _ refuse: (String) -> Malformed
    ) throws(Malformed) -> Instant? {
        guard let json else { return nil }
        guard let text = json.string, let instant = Instant(rfc3339: text) else {
            throw refuse(
                "\"at\": expected an RFC 3339 instant with an offset, in the years 1970 to 2199")
        }
        return instant
    }

    private static func device(
        _ json: JSON?, _ refuse: (String) -> Malformed
    ) throws(Malformed) -> String? {
        guard let json, !json.isNull else { return nil }
        guard let text = json.string, IdentifierForm.accepts(text) else {
            throw refuse("\"device\": \(IdentifierForm.expectation)")
        }
        return text
    }
}
