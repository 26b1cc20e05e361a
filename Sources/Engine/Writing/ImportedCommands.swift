import Core

/// Whether the command lines of an export agree with the events before them (docs/audit.md, The other lines): no command
/// accepts what is another's.
///
/// A command's line stands behind its last event. A merge encloses what it brings: those commands' events name the merge,
/// whose line comes behind theirs.
struct ImportedCommands {
    private struct Accepted {
        let events: Range<UInt64>
        /// The command that the last of the events names.
        let named: ExactText?
    }

    /// Of the frame that is filled: those that no later command has enclosed so far.
    private var accepted: [Accepted] = []

    /// Takes a line.
    ///
    /// - Parameter named: the command that its last event names, and the device of that event.
    /// - Returns: what is wrong with it; nil if nothing is.
    mutating func take(
        _ line: CommandRecord, named: (id: ExactText, device: String?)?
    ) -> String? {
        let (id, first) = (ExactText(line.accepted), line.first.number)
        let othersEvents = "the command accepts events of another one"
        while let range = accepted.last, range.events.lowerBound >= first {
            accepted.removeLast()
            if !range.events.isEmpty, let other = range.named, other != id { return othersEvents }
        }
        if let range = accepted.last, range.events.upperBound > first { return othersEvents }
        accepted.append(
            Accepted(events: first..<first + UInt64(line.events), named: named?.id))
        guard let named, named.id == id else { return nil }
        let isSame = ExactText(named.device ?? "") == ExactText(line.device ?? "")
        return isSame ? nil : "device: expected that of the command's events"
    }

    /// What is filled from here on is another frame: no command reaches from one into the next.
    mutating func beginFrame() { accepted.removeAll(keepingCapacity: true) }
}
