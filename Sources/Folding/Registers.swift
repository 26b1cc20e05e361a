public import Core

/// When and where something really happened: the order in which later writes win (ExamRoom R40).
public struct Stamp: Record {
    /// When the write happened, on whichever device.
    public private(set) var moment = Instant.epoch
    private var device = InternedText.empty

    public init() {}

    public init(_ moment: Instant, _ writer: Symbol) {
        self.moment = moment
        device = InternedText(writer)
    }

    public init(_ metadata: EventMetadata) {
        self.init(metadata.moment, metadata.writer)
    }

    public mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("moment", &moment)
        coder.field("writer", &device)
    }

    /// The device that wrote.
    public var writer: Symbol { device.symbol }

    /// By moment, then writer by code point.
    public func precedes(_ other: Stamp, _ names: Names) -> Bool {
        if moment != other.moment { return moment < other.moment }
        if writer == other.writer { return false }
        return names.text(writer).precedes(names.text(other.writer))
    }
}

/// Who holds the registers of a thing: for each that was ever written, the write that stands (ExamRoom R40).
public struct Holders: Record {
    /// A register with the write that holds it.
    public struct Entry: Record {
        /// The name of the register.
        public var register = ""
        /// When and where its holder was written.
        public var stamp = Stamp()

        public init() {}

        public mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("register", &register)
            coder.field("stamp", &stamp)
        }
    }

    public private(set) var entries: [Entry] = []

    public init() {}

    public mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("entries", &entries)
    }

    /// Whether a merged write takes the register: its stamp is not less than the holder's. What the
    /// thing began with holds at `first`; without one the register has no holder before a write.
    public func yields(
        _ register: String, to stamp: Stamp, first: Stamp?, _ names: Names
    ) -> Bool {
        guard let holder = entries.first(where: { $0.register == register })?.stamp ?? first
        else { return true }
        return !stamp.precedes(holder, names)
    }

    /// Takes the register for a write, if it may: a live one always does.
    public mutating func take(
        _ register: String, by metadata: EventMetadata, first: Stamp?, _ names: Names
    ) -> Bool {
        let stamp = Stamp(metadata)
        guard !metadata.isMerged || yields(register, to: stamp, first: first, names) else {
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
