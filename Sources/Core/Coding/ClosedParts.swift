/// The personal part of an event as the journal has it: sealed.
public struct ClosedPart {
    let bytes: [UInt8]
    /// What stands behind the payload, as `SealedPart` reads it.
    let sealed: Range<Int>
    let place: SealingContext
    let opener: PartOpener
}

/// Personal parts of events that a row keeps as the journal has them, in their order, and opens when somebody reads them: to open
/// each as it is folded, and to seal it anew where the row is stored, was a quarter of a rebuild (ADR 0078). Whose key is
/// destroyed reads null, as in the event.
///
/// Two of them are the same where they have the same bytes: whoever compares rows compares what is in the parts.
public struct ClosedParts: FieldValue, @unchecked Sendable {
    private var bytes: [UInt8] = []
    /// Those of the last part that was added; nil where none was since they were stored.
    private var circumstances: PartCircumstances?
    private var opener: PartOpener?

    public init() {}

    public static var empty: Self { Self() }
    public static var schema: String { "closed parts" }

    public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    public func write(to writer: inout BinaryWriter) { writer.counted(bytes) }

    public static func read(from reader: inout BinaryReader) -> Self {
        var parts = Self()
        parts.bytes = Array(reader.countedBytes())
        if !parts.bytes.isEmpty, let vault = reader.vault {
            parts.opener = vault.opener
        }
        return parts
    }

    /// As hex digits.
    public func write(to output: inout JSONOutput) { Blob(bytes).write(to: &output) }

    /// Rows are no documents: they are not read from any.
    public static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        input.fail("a sealed part is never given")
        return nil
    }

    /// Adds a part of an event that was folded into the state that the row belongs to.
    public mutating func append(_ part: ClosedPart) {
        if opener == nil { opener = part.opener }
        var writer = BinaryWriter(appendingTo: &bytes)
        let circumstances = PartCircumstances(part.place)
        if self.circumstances == circumstances {
            writer.varint(PartCircumstances.asBefore)
        } else {
            circumstances.write(to: &writer)
            self.circumstances = circumstances
        }
        writer.varint(UInt64(part.sealed.count))
        writer.bytes += part.bytes[part.sealed]
        bytes = writer.bytes
    }

    /// Reads the parts in the order in which they were added.
    public struct Iterator {
        private var reader: BinaryReader
        private var circumstances: PartCircumstances?
        private let opener: PartOpener?

        fileprivate init(_ parts: ClosedParts) {
            reader = BinaryReader(parts.bytes)
            opener = parts.opener
        }

        /// The first field of the next part, which belongs to the event at a position; nil where it is not given or cannot be read
        /// any more, and behind the last one.
        public mutating func next<V: FieldValue>(_ type: V.Type, at position: Position) -> V? {
            guard let opener, let clear = nextClear(at: position) else { return nil }
            var fields = BinaryReader([], personal: clear, names: opener.names)
            var value: V?
            fields.readPersonal(&value)
            return value
        }

        private mutating func nextClear(at position: Position) -> [UInt8]? {
            guard reader.offset < reader.end else { return nil }
            if let found = PartCircumstances(from: &reader) { circumstances = found }
            let length = reader.count()
            let start = reader.offset
            reader.move(to: start + length)
            guard !reader.failed, let circumstances else { return nil }
            return opener?.open(
                reader.bytes, start..<start + length, at: circumstances.place(position))
        }
    }

    /// Reads them from the first one on.
    public func makeIterator() -> Iterator { Iterator(self) }
}

/// What the parts of one frame were sealed with, but for their positions.
private struct PartCircumstances: Equatable {
    /// Stands for those of the part before; types are numbered from 1.
    static let asBefore: UInt64 = 0

    private var place: SealingContext

    init(_ place: SealingContext) {
        self.place = place
        self.place.position = .zero
    }

    /// Nil where they are those of the part before.
    init?(from reader: inout BinaryReader) {
        let type = reader.varint()
        guard type != Self.asBefore else { return nil }
        place = SealingContext(
            position: .zero, recordedAt: .epoch, type: UInt16(truncatingIfNeeded: type))
        place.isFormer = reader.byte() != 0
        place.recordedAt = Instant(milliseconds: reader.zigzag())
        place.term = UInt32(truncatingIfNeeded: reader.varint())
        place.salt = SealingSalt((0..<SealingSalt.byteCount).map { _ in reader.byte() }) ?? .zero
    }

    func write(to writer: inout BinaryWriter) {
        writer.varint(UInt64(place.type))
        writer.byte(place.isFormer ? 1 : 0)
        writer.zigzag(place.recordedAt.milliseconds)
        writer.varint(UInt64(place.term))
        let salt = place.salt.bytes
        for index in salt.indices { writer.byte(salt[index]) }
    }

    func place(_ position: Position) -> SealingContext {
        var place = place
        place.position = position
        return place
    }
}
