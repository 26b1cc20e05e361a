package import Events

/// The key of a table's rows: fixed-width big-endian bytes in the store, a slot number in memory.
package protocol TableKey: Hashable, Sendable {
    associatedtype Slots: SlotMap where Slots.Key == Self
    func write(to bytes: inout [UInt8])
    init?(bytes: ArraySlice<UInt8>)
}

/// Finds the slot of a key.
package protocol SlotMap {
    associatedtype Key
    init()
    /// Nil for a key that has none.
    subscript(key: Key) -> Int? { get set }
}

/// Slots of keys that are dense numbers: pages of an array, so that a fold pays an index and no hash.
package struct PagedSlots<Key: DenseKey>: SlotMap {
    var pages: [[UInt32]] = []
    static var shift: Int { 10 }

    package init() {}

    package subscript(key: Key) -> Int? {
        get {
            let number = key.denseNumber
            let page = number >> Self.shift
            guard page < pages.count, !pages[page].isEmpty else { return nil }
            let slot = pages[page][number & (1 << Self.shift - 1)]
            return slot == 0 ? nil : Int(slot) - 1
        }
        set {
            let number = key.denseNumber
            let page = number >> Self.shift
            while pages.count <= page { pages.append([]) }
            if pages[page].isEmpty {
                pages[page] = Array(repeating: 0, count: 1 << Self.shift)
            }
            pages[page][number & (1 << Self.shift - 1)] = newValue.map { UInt32($0) + 1 } ?? 0
        }
    }
}

package protocol DenseKey {
    var denseNumber: Int { get }
}

/// Slots of any keys.
package struct HashedSlots<Key: Hashable>: SlotMap {
    var slots: [Key: Int] = [:]

    package init() {}

    package subscript(key: Key) -> Int? {
        get { slots[key] }
        set { slots[key] = newValue }
    }
}

extension Identifier: TableKey, DenseKey {
    package typealias Slots = PagedSlots<Self>

    package var denseNumber: Int { Int(symbol.number) }

    package func write(to bytes: inout [UInt8]) { BigEndian.append(symbol.number, to: &bytes) }

    package init?(bytes: ArraySlice<UInt8>) {
        guard let number = BigEndian.number(bytes, width: 4) else { return nil }
        self.init(Symbol(number: UInt32(number)))
    }
}

/// A key of two parts: a seat is an exam and a student.
package struct Pair<First: TableKey, Second: TableKey>: TableKey {
    package typealias Slots = HashedSlots<Self>

    package let first: First
    package let second: Second

    package init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    package func write(to bytes: inout [UInt8]) {
        first.write(to: &bytes)
        second.write(to: &bytes)
    }

    package init?(bytes: ArraySlice<UInt8>) {
        // Both parts are four bytes wide.
        guard bytes.count == 8, let first = First(bytes: bytes.prefix(4)),
            let second = Second(bytes: bytes.suffix(4))
        else { return nil }
        self.init(first, second)
    }
}

/// A number as a key, such as the place in somebody's list.
package struct Ordinal: TableKey, DenseKey {
    package typealias Slots = PagedSlots<Self>

    package let number: UInt32

    package init(_ number: Int) {
        self.number = UInt32(clamping: number)
    }

    package var denseNumber: Int { Int(number) }

    package func write(to bytes: inout [UInt8]) { BigEndian.append(number, to: &bytes) }

    package init?(bytes: ArraySlice<UInt8>) {
        guard let number = BigEndian.number(bytes, width: 4) else { return nil }
        self.number = UInt32(number)
    }
}

/// Numbers as keys sort: most significant byte first.
package enum BigEndian {
    package static func append(
        _ number: some FixedWidthInteger & UnsignedInteger, to bytes: inout [UInt8]
    ) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    package static func number(_ bytes: ArraySlice<UInt8>, width: Int) -> UInt64? {
        guard bytes.count == width else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
