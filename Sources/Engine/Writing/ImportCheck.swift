import EventLog
import Core

/// Tags, stream and actor of a line follow from what happened: they must be what the engine would have made
/// of it, or lists and views would tell of other things than the events.
enum ImportCheck {
    /// What is wrong with a line, whose payload is given in its binary form; nil if nothing is.
    static func problem(
        _ line: EventLine, _ payload: PayloadType, _ bytes: [UInt8], hasOrigin: Bool, _ names: Names
    ) -> String? {
        if let command = line.command, let problem = Self.problem(ofID: command) {
            return "command: \(problem)"
        }
        if let device = line.device, let problem = Self.problem(ofDevice: device) {
            return "device: \(problem)"
        }
        if let cause = line.cause, cause == .zero || cause >= line.position {
            return "cause: expected a position before its own"
        }
        guard Actor.accepts(line.by) else {
            return "by: expected student:ID, coach:ID, admin:ID, service:ID or system"
        }
        guard line.tags.count <= Limits.tagsPerEvent else {
            return "tags: expected at most \(Limits.tagsPerEvent)"
        }
        var seen: Set<ExactText> = []
        for tag in line.tags {
            let parts = tag.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
                seen.insert(ExactText(tag)).inserted
            else { return "tags: expected each once, as KIND:ID" }
        }
        let flags = hasOrigin ? Origin.flag : 0
        var reader = BinaryReader(
            bytes, stored: 0..<bytes.count, flags: flags, at: line.place, opener: nil)
        _ = Origin.read(from: &reader, flags: flags)
        guard let fact = payload.decode(payload.version, &reader) else {
            return "data of another form"
        }
        let tags = payload.tags(fact).map { (kind: $0.kind, id: names.text($0.id)) }
        for tag in tags {
            let text = "\(tag.kind):\(tag.id)"
            guard seen.contains(ExactText(text)) else { return "tags: \(text) is missing" }
        }
        if let erasure = fact as? AccountErased {
            let stream = "account/" + names.text(erasure.subject.symbol)
            return line.stream.isExactly(stream) ? nil : "stream: expected \(stream)"
        }
        return isStream(line.stream, of: payload, tags)
            ? nil : "stream: \(line.stream) is not where such an event stands"
    }

    /// What is wrong with the id of a command; nil if nothing is.
    static func problem(ofID id: String) -> String? {
        Bounds.commandID.contains(id.unicodeScalars.count) ? nil : "expected 1 to 128 characters"
    }

    /// What is wrong with the name of a device; nil if nothing is.
    static func problem(ofDevice name: String) -> String? {
        IdentifierForm.accepts(name) ? nil : IdentifierForm.expectation
    }

    /// `PRODUCT/NOUN/ID`, or `PRODUCT/NOUN` where there is one alone. A tag of the same noun says the id.
    private static func isStream(
        _ text: String, of payload: PayloadType, _ tags: [(kind: String, id: String)]
    ) -> Bool {
        let parts = text.split(
            separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == payload.product,
            payload.streams.contains(String(parts[1])), parts.last != "",
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return false }
        let ids = tags.filter { $0.kind == parts[1] }.map(\.id)
        return ids.isEmpty || parts.count == 3 && ids.contains { $0.isExactly(String(parts[2])) }
    }
}
