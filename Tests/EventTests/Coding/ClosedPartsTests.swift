import Core
import Testing

/// Opens what names the circumstances that it is opened under, until its key is destroyed.
private final class Keeper: PersonalOpener {
    var destroyed: Set<UInt8> = []

    /// A part with one field, of a person.
    static func sealed(_ value: String, of person: UInt8, at place: SealingContext) -> [UInt8] {
        [person] + stamp(place) + Array(#"["\#(value)"]"#.utf8)
    }

    private static func stamp(_ place: SealingContext) -> [UInt8] {
        let number = UInt8(truncatingIfNeeded: place.position.number)
        return [
            number, UInt8(truncatingIfNeeded: place.recordedAt.milliseconds),
            UInt8(truncatingIfNeeded: place.term), UInt8(truncatingIfNeeded: place.type),
            place.isFormer ? 1 : 0,
        ] + (0..<12).map { place.nonce[$0] }
    }

    func open(_ bytes: [UInt8], _ sealed: Range<Int>, at place: SealingContext) -> [UInt8]? {
        let part = Array(bytes[sealed])
        guard let person = part.first, !destroyed.contains(person) else { return nil }
        let stamp = Self.stamp(place)
        guard Array(part.dropFirst().prefix(stamp.count)) == stamp else { return nil }
        return Array(part.dropFirst(1 + stamp.count))
    }
}

private final class Vault: RowVault, @unchecked Sendable {
    let keeper = Keeper()
    let opener: PartOpener

    init() { opener = PartOpener(keys: keeper, names: Names()) }

    func seal(_ clear: [UInt8], of person: Symbol) -> [UInt8]? { nil }
    func isKeyless(_ person: Symbol) -> Bool { false }
    func open(_ sealed: [UInt8]) -> [UInt8]? { nil }
}

@Suite struct `Closed parts of a row` {
    private let vault = Vault()

    /// Events of three frames: the last one's was recorded by a former program, in another term.
    private static let places = (UInt64(1)...9).map { number in
        SealingContext(
            position: Position(number), recordedAt: Instant(milliseconds: Int64(number / 4)),
            type: number < 8 ? 300 : 2, term: UInt32(number / 8) * 70_000,
            salt: SealingSalt(high: UInt32(number / 4), low: .max - number / 4),
            isFormer: number > 8)
    }

    private func part(_ index: Int) throws -> ClosedPart {
        let place = Self.places[index]
        let sealed = Keeper.sealed("value \(index)", of: UInt8(index % 2), at: place)
        let payload = PersonalPart.join([], sealed: sealed)
        var reader = BinaryReader(
            payload, stored: 0..<payload.count, flags: PersonalPart.flag, at: place,
            opener: vault.opener)
        let part = reader.takeClosedPart()
        #expect(!reader.showsPersonal)
        return try #require(part)
    }

    private func all() throws -> ClosedParts {
        var parts = ClosedParts()
        for index in Self.places.indices { parts.append(try part(index)) }
        return parts
    }

    private func values(_ parts: ClosedParts) -> [String?] {
        var iterator = parts.makeIterator()
        return Self.places.map { iterator.next(String.self, at: $0.position) }
    }

    private func stored(_ parts: ClosedParts) -> ClosedParts {
        var writer = BinaryWriter()
        parts.write(to: &writer)
        var reader = BinaryReader(writer.bytes, vault: vault)
        let found = ClosedParts.read(from: &reader)
        #expect(reader.isComplete)
        return found
    }

    @Test func `open in their order, each under what it was sealed with`() throws {
        let parts = try all()
        let expected: [String?] = Self.places.indices.map { "value \($0)" }
        #expect(values(parts) == expected)
        #expect(values(stored(parts)) == expected)
        var iterator = parts.makeIterator()
        for place in Self.places { _ = iterator.next(String.self, at: place.position) }
        #expect(iterator.next(String.self, at: Position(10)) == nil)
    }

    @Test func `go on behind those that were stored`() throws {
        var parts = ClosedParts()
        for index in Self.places.indices {
            parts.append(try part(index))
            if index % 2 == 1 { parts = stored(parts) }
        }
        #expect(values(parts) == Self.places.indices.map { "value \($0)" })
    }

    @Test func `read null where the key is destroyed, and the others as before`() throws {
        let parts = try all()
        vault.keeper.destroyed = [1]
        #expect(
            values(parts) == Self.places.indices.map { $0 % 2 == 1 ? nil : "value \($0)" })
        #expect(values(stored(parts)) == values(parts))
    }

    @Test func `do not open at another position, and say nothing without keys`() throws {
        let parts = try all()
        var iterator = parts.makeIterator()
        #expect(iterator.next(String.self, at: Position(2)) == nil)
        var writer = BinaryWriter()
        parts.write(to: &writer)
        var reader = BinaryReader(writer.bytes)
        #expect(values(ClosedParts.read(from: &reader)).allSatisfy { $0 == nil })
    }

    @Test func `say once for a frame what its parts were sealed with`() throws {
        var writer = BinaryWriter()
        try all().write(to: &writer)
        let parts = Self.places.indices.map { index in
            Keeper.sealed("value \(index)", of: 0, at: Self.places[index]).count
        }
        // A length and a mark each, and four times two bytes of a type, flag, instant, term and salt.
        let most = parts.reduce(0, +) + 2 * parts.count + 4 * (2 + 1 + 1 + 3 + 12) + 2
        #expect(writer.bytes.count <= most)
    }

    @Test func `cut short, do not trap`() throws {
        var writer = BinaryWriter()
        try all().write(to: &writer)
        for length in writer.bytes.indices {
            var cut = BinaryWriter()
            cut.counted(Array(writer.bytes.dropFirst(2).prefix(length)))
            var reader = BinaryReader(cut.bytes, vault: vault)
            _ = values(ClosedParts.read(from: &reader))
        }
    }

    @Test func `leave the event's fields null, and nothing to take where they are in clear`() throws
    {
        var reader = BinaryReader([], personal: Array(#"["x"]"#.utf8), names: Names())
        let part = reader.takeClosedPart()
        #expect(part == nil)
        #expect(reader.showsPersonal)
    }
}
