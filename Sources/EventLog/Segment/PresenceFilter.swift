import Core
import Synchronization

/// Tells of most ids and texts that they are not among the sealed ones, without looking into segments: a
/// Bloom filter over the hashes that the segments list.
///
/// Made in memory once enough look-ups have found nothing for it to pay, it follows what is
/// sealed from there: some 16 bits for each command or name.
final class PresenceFilter: Sendable {
    private struct State {
        var words: [UInt64] = []
        var count = 0
        /// What it knows of: everything sealed up to here.
        var through = Position.zero
        /// Look-ups so far that found nothing.
        var misses = 0
    }

    private let kind: SegmentKind
    private let state = Mutex(State())

    init(_ kind: SegmentKind) {
        self.kind = kind
    }

    /// Entries of the sealed segments for each look-up that makes reading them all worth it.
    private static let entriesPerMiss: UInt64 = 200

    /// False if the filter knows that nothing sealed has this hash.
    func mayHold(
        _ hash: UInt32, _ sealed: Sealed, _ segments: SegmentReading
    ) throws(JournalError) -> Bool {
        try state.withLock { state throws(JournalError) in
            if state.through == .zero {
                state.misses += 1
                let entries = sealed.segments.reduce(0) { $0 + $1.entries }
                guard UInt64(state.misses) * Self.entriesPerMiss > entries else { return true }
            }
            if state.through < sealed.position { try add(sealed, segments, to: &state) }
            return Self.isSet(hash, state.words)
        }
    }

    private func add(
        _ sealed: Sealed, _ segments: SegmentReading, to state: inout State
    ) throws(JournalError) {
        let news = sealed.segments.filter { $0.last > state.through }
        let expected = state.count + Int(clamping: news.reduce(0) { $0 + $1.entries } / 4)
        var sources = news
        if expected * 16 > state.words.count * 64 {
            // Too small: made anew from all of them, with room to grow.
            let words = max(1024, expected * 2 * 16 / 64)
            state.words = [UInt64](repeating: 0, count: words)
            state.count = 0
            // Should reading fail half-way, it knows of nothing.
            state.through = .zero
            sources = sealed.segments
        }
        var words = state.words
        state.words = []
        defer { state.words = words }
        var count = 0
        for segment in sources {
            try segments.forEachEntry(kind, in: segment.number) { entry in
                Self.set(entry.number, &words)
                count += 1
            }
        }
        state.count += count
        state.through = sealed.position
    }

    /// Four bits of one word.
    @inline(__always)
    private static func place(_ hash: UInt32, _ words: Int) -> (word: Int, mask: UInt64) {
        var mixed = UInt64(hash) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed &>> 29
        mixed = mixed &* 0xBF58_476D_1CE4_E5B9
        let word = Int(((mixed &>> 32) &* UInt64(words)) &>> 32)
        let mask =
            1 &<< (mixed & 63) | 1 &<< (mixed &>> 6 & 63) | 1 &<< (mixed &>> 12 & 63)
            | 1 &<< (mixed &>> 18 & 63)
        return (word, mask)
    }

    private static func set(_ hash: UInt32, _ words: inout [UInt64]) {
        let (word, mask) = place(hash, words.count)
        words[word] |= mask
    }

    private static func isSet(_ hash: UInt32, _ words: [UInt64]) -> Bool {
        guard !words.isEmpty else { return false }
        let (word, mask) = place(hash, words.count)
        return words[word] & mask == mask
    }
}

extension SegmentReading {
    /// Visits all entries of a kind in a segment.
    func forEachEntry(
        _ kind: SegmentKind, in segment: UInt32, _ visit: (SegmentEntry) -> Void
    ) throws(JournalError) {
        var cursor = try Cursor(access, database)
        let edge = SegmentKey(kind, segment, SegmentEntry(number: 0, value: 0)).bytes
        var isFound = try cursor.seek(edge.span)
        var next: SegmentEntry?
        while isFound {
            let read = try Self.page(at: cursor) {
                key, content throws(Malformed) -> SegmentEntry? in
                guard key.kind == kind, key.segment == segment else { return nil }
                guard next == nil || key.first == next else { throw Malformed("a page is missing") }
                return try SegmentPage.read(key, content) { entry in
                    visit(entry)
                    return true
                }
            }
            guard let read, read != .end else {
                guard read != nil || next == nil else { throw Self.missing }
                return
            }
            next = read
            isFound = try cursor.next()
        }
        if next != nil { throw Self.missing }
    }
}
