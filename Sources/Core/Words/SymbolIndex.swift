/// Symbols by the bytes that they stand for: a table with linear probing over one run of bytes. A dictionary of strings
/// touches an object, and counts a reference to it, for each key that it compares.
///
/// Looked at several times with each event: accesses are not checked for overlaps. Nothing that is lent leaves a call, and
/// no call calls back.
@safe
final class SymbolIndex {
    private struct Slot {
        /// None where the slot is free.
        var symbol = Symbol.none
        /// The lower half; its place follows from it.
        var hash: UInt32 = 0
        var start: UInt32 = 0
        var length: UInt32 = 0

        var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
    }

    private struct Content {
        /// A power of two, at most three quarters in use.
        var slots = Array(repeating: Slot(), count: 1 << 6)
        var count = 0
        var arena: [UInt8] = []
        /// Beyond them it is to be cleared, so that memory stays bounded.
        var mostSymbols = 1 << 20
        var mostBytes = 1 << 26
    }

    @exclusivity(unchecked) private var stored = Content()

    private var content: Content {
        @inline(__always) _read { yield unsafe stored }
        @inline(__always) _modify { yield unsafe &stored }
    }

    var isFull: Bool {
        content.count > content.mostSymbols || content.arena.count > content.mostBytes
    }

    func symbol(of bytes: Span<UInt8>) -> Symbol? {
        let slot = content.slots[find(bytes, Self.hash(bytes))]
        return slot.symbol.isNone ? nil : slot.symbol
    }

    func add(_ bytes: Span<UInt8>, _ symbol: Symbol) {
        if (content.count + 1) * 4 > content.slots.count * 3 { grow() }
        let hash = Self.hash(bytes)
        let place = find(bytes, hash)
        guard content.slots[place].symbol.isNone else { return }
        content.slots[place] = Slot(
            symbol: symbol, hash: hash, start: UInt32(content.arena.count),
            length: UInt32(bytes.count))
        content.arena.append(bytes)
        content.count += 1
    }

    /// Nothing where they have another one.
    func remove(_ bytes: Span<UInt8>, of symbol: Symbol) {
        var free = find(bytes, Self.hash(bytes))
        let removed = content.slots[free]
        guard removed.symbol == symbol else { return }
        if removed.range.upperBound == content.arena.count {
            content.arena.removeLast(Int(removed.length))
        }
        content.count -= 1
        // What stands behind it, and found its own place taken, moves up.
        let mask = content.slots.count - 1
        var place = (free + 1) & mask
        while !content.slots[place].symbol.isNone {
            let home = Int(content.slots[place].hash) & mask
            if (place - home) & mask >= (place - free) & mask {
                content.slots[free] = content.slots[place]
                free = place
            }
            place = (place + 1) & mask
        }
        content.slots[free] = Slot()
    }

    /// Clears it but for the symbols behind the first so many. Where those alone are many, it is full at twice as many.
    func removeAll(through stored: UInt32, keeping fresh: [[UInt8]]) {
        content = Content()
        for (index, bytes) in fresh.enumerated() {
            add(bytes.span, Symbol(number: stored + UInt32(index) + 1))
        }
        content.mostSymbols = max(content.mostSymbols, 2 * content.count)
        content.mostBytes = max(content.mostBytes, 2 * content.arena.count)
    }

    /// The slot of these bytes, or the free one where they belong.
    private func find(_ bytes: Span<UInt8>, _ hash: UInt32) -> Int {
        let mask = content.slots.count - 1
        var place = Int(hash) & mask
        while true {
            let slot = content.slots[place]
            if slot.symbol.isNone { return place }
            if slot.hash == hash, slot.length == bytes.count,
                unsafe content.arena.span.extracting(slot.range).bytes.isSame(as: bytes.bytes)
            {
                return place
            }
            place = (place + 1) & mask
        }
    }

    private func grow() {
        let former = content.slots
        content.slots = Array(repeating: Slot(), count: former.count * 2)
        let mask = content.slots.count - 1
        for slot in former where !slot.symbol.isNone {
            var place = Int(slot.hash) & mask
            while !content.slots[place].symbol.isNone { place = (place + 1) & mask }
            content.slots[place] = slot
        }
    }

    private static func hash(_ bytes: Span<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: unsafe KeyHash.of(bytes.bytes, seed: 0))
    }
}
