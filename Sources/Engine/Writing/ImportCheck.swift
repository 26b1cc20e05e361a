import EventLog
import Events

/// Tags, stream and actor of a line follow from what happened: they must be what the engine would have made
/// of it, or lists and views would tell of other things than the events.
enum ImportCheck {
    /// What is wrong with a line, whose payload is given in its binary form; nil if nothing is.
    static func problem(
        _ line: EventLine, _ payload: PayloadType, _ bytes: [UInt8], hasOrigin: Bool, _ names: Names
    ) -> String? {
        guard Actor(line.by, names: Names()) != nil else {
            return "by: expected student:ID, coach:ID, admin:ID, service:ID or system"
        }
        guard isStream(line.stream) else { return "stream: \(line.stream) is no stream" }
        var seen: Set<ExactText> = []
        for tag in line.tags {
            let parts = tag.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
                seen.insert(ExactText(tag)).inserted
            else { return "tags: expected each once, as KIND:ID" }
        }
        let flags = hasOrigin ? Origin.flag : 0
        var reader = BinaryReader(
            bytes, stored: 0..<bytes.count, flags: flags, at: line.place, opener: nil,
            names: names)
        _ = Origin.read(from: &reader, flags: flags)
        guard let fact = payload.decode(payload.version, &reader) else {
            return "data of another form"
        }
        for tag in payload.tags(fact) {
            let text = "\(tag.kind):\(names.text(tag.id))"
            guard seen.contains(ExactText(text)) else { return "tags: \(text) is missing" }
        }
        return nil
    }

    /// `PRODUCT/NOUN/ID`, or `NOUN/PRODUCT/…` of what all products share.
    private static func isStream(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count >= 2 && parts.allSatisfy { !$0.isEmpty }
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
