public import Core

/// The key of a table's rows: bytes that sort in the store, a slot number in memory.
public protocol TableKey: Hashable, Sendable {
    /// What finds a key's slot.
    associatedtype Slots: SlotMap where Slots.Key == Self
    /// Appends the stored form, which sorts as bytes.
    func write(to bytes: inout [UInt8])
    /// Reads the stored form; nil for bytes of another.
    init?(bytes: ArraySlice<UInt8>)
    /// Puts slots in the order of their keys' bytes.
    static func sort(_ slots: inout [Int], by keys: [Self])
    /// The greatest symbol number in it; 0 for a key without symbols.
    var newestSymbol: UInt32 { get }
}

extension TableKey {
    @inlinable public var newestSymbol: UInt32 { 0 }

    @inlinable
    public static func sort(_ slots: inout [Int], by keys: [Self]) {
        let written = slots.map { slot in
            var bytes: [UInt8] = []
            keys[slot].write(to: &bytes)
            return (bytes: bytes, slot: slot)
        }
        slots = written.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.slot)
    }
}

/// A key whose bytes are a number's, most significant first: it sorts and is found as that number.
public protocol NumberedKey: TableKey {
    /// The number that the key's bytes spell.
    var number64: UInt64 { get }
}

extension NumberedKey {
    @inlinable
    public static func sort(_ slots: inout [Int], by keys: [Self]) {
        var numbered = slots.map { (number: keys[$0].number64, slot: $0) }
        // Most tables meet their keys in order.
        if zip(numbered, numbered.dropFirst()).allSatisfy({ $0.number < $1.number }) { return }
        numbered.sort { $0.number < $1.number }
        for place in slots.indices { slots[place] = numbered[place].slot }
    }
}

/// Finds the slot of a key.
public protocol SlotMap {
    /// What it finds slots of.
    associatedtype Key
    /// A map without keys.
    init()
    /// Nil for a key that has none; `keys` are those that have one, by slot.
    func slot(of key: Key, in keys: [Key]) -> Int?
    /// Gives a key that has none the next slot, in which it stands already.
    mutating func add(_ key: Key, at slot: Int, in keys: [Key])
}

/// Slots of keys that are dense numbers: pages of an array, so that a fold pays an index and no hash.
public struct PagedSlots<Key: DenseKey>: SlotMap, Sendable {
    @usableFromInline var pages = PagedNumbers()

    @inlinable
    public init() {}

    @inlinable
    public func slot(of key: Key, in keys: [Key]) -> Int? {
        let found = pages[key.denseNumber]
        return found == 0 ? nil : Int(found) - 1
    }

    @inlinable
    public mutating func add(_ key: Key, at slot: Int, in keys: [Key]) {
        pages[key.denseNumber] = UInt32(slot) + 1
    }
}

/// Numbers by number, 0 where none was set: kept in pages, since what is met stands close together.
public struct PagedNumbers: Sendable {
    @usableFromInline var pages: [[UInt32]] = []
    @inlinable static var shift: Int { 10 }

    @inlinable
    public init() {}

    /// The number at a place, 0 where none was set.
    @inlinable
    public subscript(number: Int) -> UInt32 {
        get {
            let page = number >> Self.shift
            guard page < pages.count, !pages[page].isEmpty else { return 0 }
            return pages[page][number & (1 << Self.shift - 1)]
        }
        set {
            let page = number >> Self.shift
            while pages.count <= page { pages.append([]) }
            if pages[page].isEmpty {
                pages[page] = Array(repeating: 0, count: 1 << Self.shift)
            }
            pages[page][number & (1 << Self.shift - 1)] = newValue
        }
    }
}

/// Small numbers, each once.
public struct NumberSet {
    private var members: [UInt32] = []
    private var marks = PagedNumbers()

    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { members.isEmpty }
    /// How many there are.
    public var count: Int { members.count }

    /// Adds a number, unless it is there.
    public mutating func insert(_ number: UInt32) {
        guard marks[Int(number)] == 0 else { return }
        marks[Int(number)] = 1
        members.append(number)
    }

    /// Gives them all away, ascending.
    public mutating func removeAll() -> [UInt32] {
        for number in members { marks[Int(number)] = 0 }
        defer { members.removeAll() }
        return members.sorted()
    }
}

/// A key that is a small number.
public protocol DenseKey: NumberedKey {
    /// The number; keys in use lie close together.
    var denseNumber: Int { get }
}

extension DenseKey {
    @inlinable public var number64: UInt64 { UInt64(denseNumber) }
}

/// Where a number's slot is. Not a part of the generic map: lists of it need no look-up of their type.
@usableFromInline
struct NumberedSlot: Sendable {
    @usableFromInline var number: UInt64 = 0
    /// One more than the slot; 0 for a free place.
    @usableFromInline var mark: UInt32 = 0

    @inlinable
    init(number: UInt64 = 0, mark: UInt32 = 0) {
        self.number = number
        self.mark = mark
    }
}

/// Slots of keys that are numbers far apart: open addressing, without a seed, since the order of the
/// slots shows nowhere.
public struct NumberedSlots<Key: NumberedKey>: SlotMap, Sendable {
    @usableFromInline var entries: [NumberedSlot] = []
    @usableFromInline var count = 0

    @inlinable
    public init() {}

    @inlinable
    public func slot(of key: Key, in keys: [Key]) -> Int? {
        guard !entries.isEmpty else { return nil }
        let mark = entries[place(of: key.number64)].mark
        return mark == 0 ? nil : Int(mark) - 1
    }

    @inlinable
    public mutating func add(_ key: Key, at slot: Int, in keys: [Key]) {
        if count * 2 >= entries.count { grow() }
        entries[place(of: key.number64)] = NumberedSlot(
            number: key.number64, mark: UInt32(slot) + 1)
        count += 1
    }

    /// Where the number stands, or would.
    @inlinable @inline(__always)
    func place(of number: UInt64) -> Int {
        let mask = entries.count - 1
        let mixed = (number ^ number >> 32) &* 0x9E37_79B9_7F4A_7C15
        var place = Int(truncatingIfNeeded: mixed >> 32) & mask
        while entries[place].mark != 0, entries[place].number != number {
            place = (place + 1) & mask
        }
        return place
    }

    @inlinable
    mutating func grow() {
        let former = entries
        entries = Array(repeating: NumberedSlot(), count: max(64, former.count * 2))
        for entry in former where entry.mark != 0 { entries[place(of: entry.number)] = entry }
    }
}

/// A key that is found by a number which few others share.
public protocol MixedKey: TableKey {
    /// A hash that is the same in every process.
    var mixed: UInt64 { get }
}

extension String {
    /// A number made of all of its bytes (FNV-1a).
    public var mixed: UInt64 {
        utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// Where the slot of a key is that is found by a hash.
@usableFromInline
struct HintedSlot: Sendable {
    /// The upper half of what the key is mixed to.
    @usableFromInline var hint: UInt32 = 0
    /// One more than the slot; 0 for a free place.
    @usableFromInline var mark: UInt32 = 0

    @inlinable
    init(hint: UInt32 = 0, mark: UInt32 = 0) {
        self.hint = hint
        self.mark = mark
    }
}

/// Slots of keys that hold texts.
public struct MixedSlots<Key: MixedKey>: SlotMap, Sendable {
    @usableFromInline var entries: [HintedSlot] = []
    @usableFromInline var count = 0

    @inlinable
    public init() {}

    @inlinable
    public func slot(of key: Key, in keys: [Key]) -> Int? {
        guard !entries.isEmpty else { return nil }
        let number = Self.number(of: key)
        let hint = UInt32(truncatingIfNeeded: number >> 32)
        var place = Int(truncatingIfNeeded: number) & (entries.count - 1)
        while entries[place].mark != 0 {
            let slot = Int(entries[place].mark) - 1
            if entries[place].hint == hint, keys[slot] == key { return slot }
            place = (place + 1) & (entries.count - 1)
        }
        return nil
    }

    @inlinable
    public mutating func add(_ key: Key, at slot: Int, in keys: [Key]) {
        if count * 2 >= entries.count {
            entries = Array(repeating: HintedSlot(), count: max(64, entries.count * 2))
            for former in 0..<slot { put(keys[former], former) }
        }
        put(key, slot)
        count += 1
    }

    @inlinable
    mutating func put(_ key: Key, _ slot: Int) {
        let number = Self.number(of: key)
        var place = Int(truncatingIfNeeded: number) & (entries.count - 1)
        while entries[place].mark != 0 { place = (place + 1) & (entries.count - 1) }
        entries[place] = HintedSlot(
            hint: UInt32(truncatingIfNeeded: number >> 32), mark: UInt32(slot) + 1)
    }

    @inlinable
    static func number(of key: Key) -> UInt64 {
        let number = key.mixed &* 0x9E37_79B9_7F4A_7C15
        return number ^ number >> 32
    }
}

extension Identifier: TableKey, DenseKey {
    /// How slots are found by key.
    public typealias Slots = PagedSlots<Self>

    @inlinable public var denseNumber: Int { Int(symbol.number) }
    @inlinable public var newestSymbol: UInt32 { symbol.number }

    @inlinable
    public func write(to bytes: inout [UInt8]) { BigEndian.append(symbol.number, to: &bytes) }

    public init?(bytes: ArraySlice<UInt8>) {
        guard let number = BigEndian.number(bytes, width: 4) else { return nil }
        self.init(Symbol(number: UInt32(number)))
    }
}

/// A key of two parts: a seat is an exam and a student.
public struct Pair<First: DenseKey, Second: DenseKey>: NumberedKey {
    /// How slots are found by key.
    public typealias Slots = NumberedSlots<Self>

    /// The part that sorts first.
    public let first: First
    /// The part that sorts second.
    public let second: Second

    @inlinable
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    @inlinable public var number64: UInt64 { first.number64 << 32 | second.number64 }
    @inlinable public var newestSymbol: UInt32 { max(first.newestSymbol, second.newestSymbol) }

    @inlinable
    public func write(to bytes: inout [UInt8]) {
        first.write(to: &bytes)
        second.write(to: &bytes)
    }

    public init?(bytes: ArraySlice<UInt8>) {
        // Both parts are four bytes wide.
        guard bytes.count == 8, let first = First(bytes: bytes.prefix(4)),
            let second = Second(bytes: bytes.suffix(4))
        else { return nil }
        self.init(first, second)
    }
}

/// A number as a key, such as the place in somebody's list.
public struct Ordinal: TableKey, DenseKey {
    /// How slots are found by key.
    public typealias Slots = PagedSlots<Self>

    public let number: UInt32

    @inlinable
    public init(_ number: Int) {
        self.number = UInt32(clamping: number)
    }

    @inlinable public var denseNumber: Int { Int(number) }

    @inlinable
    public func write(to bytes: inout [UInt8]) { BigEndian.append(number, to: &bytes) }

    public init?(bytes: ArraySlice<UInt8>) {
        guard let number = BigEndian.number(bytes, width: 4) else { return nil }
        self.number = UInt32(number)
    }
}

extension Ordinal {
    /// The key of a table that has one row.
    public static let only = Ordinal(0)
}

extension Ordinal: FieldValue {
    public static var empty: Ordinal { Ordinal(0) }
    public static var schema: String { "ordinal" }

    public func write(to writer: inout BinaryWriter) { writer.varint(UInt64(number)) }

    public static func read(from reader: inout BinaryReader) -> Ordinal {
        Ordinal(Int(clamping: reader.varint()))
    }

    public func write(to output: inout JSONOutput) { output.json.integer(Int64(number)) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Ordinal? {
        Int.read(json, from: &input).map { Ordinal($0) }
    }
}

/// Numbers as keys sort: most significant byte first.
public enum BigEndian: Sendable {
    /// Appends a number, most significant byte first.
    @inlinable
    public static func append(
        _ number: some FixedWidthInteger & UnsignedInteger, to bytes: inout [UInt8]
    ) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    public static func number(_ bytes: ArraySlice<UInt8>, width: Int) -> UInt64? {
        guard bytes.count == width else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
