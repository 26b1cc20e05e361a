/// Reads what `BinaryWriter` wrote, from a range of a buffer.
///
/// Never traps: a read past the end or a malformed varint sets `failed`, after which every read
/// gives an empty value. The decoder of a record checks `failed` once, at the end.
public struct BinaryReader {
    /// The whole buffer; only the range given at the start is read.
    public let bytes: [UInt8]
    @usableFromInline var place: Int
    @usableFromInline var limit: Int
    @usableFromInline var hasFailed = false
    /// Nil: personal fields read as null.
    @usableFromInline var personal: PersonalFields?
    /// The personal field that is read next.
    @usableFromInline var personalIndex = 0
    /// Where the sealed part of a stored payload ends, which begins where reading ends; 0 for none.
    @usableFromInline var sealedEnd = 0
    /// Opens what rows hold of persons.
    public let vault: (any RowVault)?

    /// Where the sealed part of a stored payload lies.
    public var sealed: Range<Int>? { sealedEnd > 0 ? limit..<sealedEnd : nil }

    /// Where the next read begins, as an offset into `bytes`.
    @inlinable public var offset: Int { place }
    /// Where reading ends, as an offset into `bytes`.
    @inlinable public var end: Int { limit }
    /// Whether a read went past the end or met bytes of another form.
    @inlinable public var failed: Bool { hasFailed }

    /// A range outside the buffer fails at once.
    @inlinable
    public init(_ bytes: [UInt8], range: Range<Int>, vault: (any RowVault)? = nil) {
        let isInside = range.lowerBound >= 0 && range.upperBound <= bytes.count
        self.bytes = bytes
        self.place = isInside ? range.lowerBound : 0
        self.limit = isInside ? range.upperBound : 0
        self.hasFailed = !isInside
        self.vault = vault
    }

    @inlinable
    public init(_ bytes: [UInt8], vault: (any RowVault)? = nil) {
        self.init(bytes, range: 0..<bytes.count, vault: vault)
    }

    /// A payload whose personal fields are at hand in clear.
    public init(_ payload: [UInt8], personal: [UInt8], names: Names) {
        self.init(payload, range: 0..<payload.count)
        if !personal.isEmpty {
            self.personal = PersonalFields(
                PersonalValues(clear: personal), PartOpener(keys: nil, names: names))
        }
    }

    /// A stored payload, its sealed part behind it if the flags say so; without an opener personal
    /// fields read as null. What was opened before is not opened again.
    @inlinable
    public init(
        _ bytes: [UInt8], stored range: Range<Int>, flags: UInt64,
        at sealingPlace: SealingContext, opener: PartOpener?, opened: PersonalValues? = nil
    ) {
        // Each event that is read begins here: made where it is used, it is not copied.
        self.init(bytes, range: range)
        if flags & PersonalPart.flag != 0 { leaveSealedPart(sealingPlace, opener, opened) }
    }

    /// The payload ends where its sealed part begins.
    @usableFromInline
    mutating func leaveSealedPart(
        _ sealingPlace: SealingContext, _ opener: PartOpener?, _ opened: PersonalValues?
    ) {
        let length = varint()
        guard !hasFailed, length <= UInt64(limit - place) else {
            fail()
            return
        }
        sealedEnd = limit
        limit -= Int(length)
        if let opener {
            personal =
                opened.map { PersonalFields($0, opener) }
                ?? PersonalFields(opener, limit..<sealedEnd, sealingPlace)
        }
    }

    /// The same bytes, personal fields read as null.
    public var hidingPersonal: BinaryReader {
        var copy = self
        copy.hidePersonal()
        return copy
    }

    /// Personal fields read as null from here on.
    mutating func hidePersonal() { personal = nil }

    /// Takes the personal part as the journal has it, so that its fields read as null; nil where they are at hand in clear,
    /// or none was given.
    public mutating func takeClosedPart() -> ClosedPart? {
        guard let part = personal?.closed(in: bytes) else { return nil }
        personal = nil
        return part
    }

    @inlinable
    mutating func readPersonal<V: FieldValue>(_ value: inout V?) {
        value = nil
        guard let next = nextPersonal() else { return }
        var input = JSONInput(recorded: next.names)
        value = V.read(next.json, from: &input)
        if input.isRefused { fail() }
    }

    /// The next personal field; nil for one that is not given or cannot be read any more.
    @usableFromInline
    mutating func nextPersonal() -> (json: JSON, names: Names)? {
        guard let names = personal?.names, !failed else { return nil }
        defer { personalIndex += 1 }
        personal = personal?.opened(in: bytes)
        guard let json = personal?.json(personalIndex) else {
            fail()
            return nil
        }
        if case .null = json { return nil }
        return (json, names)
    }

    /// All bytes were consumed and none was missing.
    @inlinable
    public var isComplete: Bool { !failed && offset == end }

    /// What was read makes no sense: everything from here on reads as empty.
    @inlinable
    public mutating func fail() {
        hasFailed = true
        place = end
    }
}

extension BinaryReader {
    /// One byte; 0 after a failure.
    @inlinable
    public mutating func byte() -> UInt8 {
        guard place < end else {
            fail()
            return 0
        }
        let value = bytes[place]
        place += 1
        return value
    }

    /// An unsigned number of 1 to 10 bytes (LEB128); 0 after a failure.
    @inlinable @inline(__always)
    public mutating func varint() -> UInt64 {
        guard place < end else { return longVarint() }
        let first = bytes[place]
        if first < 0x80 {
            place += 1
            return UInt64(first)
        }
        if place + 1 < end, bytes[place + 1] < 0x80 {
            place += 2
            return UInt64(first & 0x7F) | UInt64(bytes[place - 1]) &<< 7
        }
        return longVarint()
    }

    @usableFromInline
    mutating func longVarint() -> UInt64 {
        guard let value = Self.varint(in: bytes, from: &place, to: end) else {
            fail()
            return 0
        }
        return value
    }

    /// Nil where it goes past the end or past 10 bytes.
    private static func varint(
        in bytes: [UInt8], from place: inout Int, to end: Int
    ) -> UInt64? {
        let bytes = bytes.span
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while place < end, shift < 64 {
            let next = bytes[place]
            place += 1
            value |= UInt64(next & 0x7F) &<< shift
            if next < 0x80 { return value }
            shift &+= 7
        }
        return nil
    }

    /// A signed number, stored as a zigzag varint; 0 after a failure.
    @inlinable
    public mutating func zigzag() -> Int64 {
        let raw = varint()
        return Int64(bitPattern: (raw >> 1) ^ (0 &- (raw & 1)))
    }

    /// A count of elements that each take at least one byte: larger than what is left is damage.
    @inlinable
    public mutating func count() -> Int {
        let raw = varint()
        guard raw <= UInt64(end - place) else {
            fail()
            return 0
        }
        return Int(raw)
    }

    mutating func skipCounted() {
        let length = count()
        place += length
    }

    /// Bytes behind their count; empty after a failure.
    public mutating func countedBytes() -> ArraySlice<UInt8> {
        let length = count()
        let start = place
        place += length
        return bytes[start..<place]
    }

    /// Goes on elsewhere, within what was already read without a failure.
    @inline(__always)
    mutating func move(to offset: Int) { place = offset }

    /// Writes a text as JSON as it stands.
    mutating func writeText(to json: inout JSONWriter) {
        let length = count()
        let start = place
        place += length
        guard (try? UTF8Span(validating: bytes.span.extracting(start..<place))) != nil else {
            return fail()
        }
        json.stringBytes(bytes.span.extracting(start..<place))
    }

    /// Whether personal fields are read in clear.
    public var showsPersonal: Bool { personal != nil }

    /// Goes past a text, checking it as `countedText` does.
    @usableFromInline
    mutating func skipText() {
        let length = count()
        let start = place
        place += length
        if (try? UTF8Span(validating: bytes.span.extracting(start..<place))) == nil { fail() }
    }

    /// UTF-8 text behind its count of bytes; empty after a failure.
    public mutating func countedText() -> String {
        let length = count()
        let start = place
        place += length
        guard let text = try? UTF8Span(validating: bytes.span.extracting(start..<place)) else {
            fail()
            return ""
        }
        return String(copying: text)
    }
}
