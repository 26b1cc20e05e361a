package import Events

/// When and where something really happened: the order in which later writes win (ExamRoom R40).
package struct Stamp: Record {
    package private(set) var moment = Instant.epoch
    private var device = Word.empty

    package init() {}

    package init(_ moment: Instant, _ writer: Symbol) {
        self.moment = moment
        device = Word(writer)
    }

    package init(_ event: Circumstances) {
        self.init(event.moment, event.writer)
    }

    package mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("moment", &moment)
        coder.field("writer", &device)
    }

    package var writer: Symbol { device.symbol }

    /// By moment, then writer by code point.
    package func precedes(_ other: Stamp, _ names: Names) -> Bool {
        if moment != other.moment { return moment < other.moment }
        if writer == other.writer { return false }
        return names.text(writer).precedes(names.text(other.writer))
    }
}

/// Who holds the registers of a thing: for each that was ever written, the write that stands (ExamRoom R40).
package struct Holders: Record {
    package struct Entry: Record {
        package var register = ""
        package var stamp = Stamp()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("register", &register)
            coder.field("stamp", &stamp)
        }
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    package mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("entries", &entries)
    }

    /// Whether a merged write takes the register: its stamp is not less than the holder's. What the
    /// thing began with holds at `first`; without one the register has no holder before a write.
    package func yields(
        _ register: String, to stamp: Stamp, first: Stamp?, _ names: Names
    ) -> Bool {
        guard let holder = entries.first(where: { $0.register == register })?.stamp ?? first
        else { return true }
        return !stamp.precedes(holder, names)
    }

    /// Takes the register for a write, if it may: a live one always does.
    package mutating func take(
        _ register: String, by event: Circumstances, first: Stamp?, _ names: Names
    ) -> Bool {
        let stamp = Stamp(event)
        guard !event.isMerged || yields(register, to: stamp, first: first, names) else {
            return false
        }
        if let place = entries.firstIndex(where: { $0.register == register }) {
            entries[place].stamp = stamp
        } else {
            var entry = Entry()
            entry.register = register
            entry.stamp = stamp
            entries.append(entry)
        }
        return true
    }
}
