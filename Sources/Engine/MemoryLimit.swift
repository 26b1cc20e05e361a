import CMalloc

/// How much memory a rebuild may take before it lets go of rows.
package struct MemoryLimit: Hashable, Sendable {
    /// On top of what the process had allocated before.
    package var bytes: Int
    /// Fewer rows than this are not worth writing, whatever else takes the memory.
    package var leastRows = 1 << 16
    /// Of a shorter journal, what is not stored is folded in memory by whoever asks.
    package var leastEvents: UInt64 = 1 << 20
    /// Events between two looks.
    package var step: UInt64 = 1 << 16
    /// The directory for rows that may not be stored.
    package var scratchPath = "/tmp"
    private var before = 0

    package init(bytes: Int) {
        self.bytes = bytes
    }

    /// As many as take the limit, by what a row takes of the mix: fewer are not worth fetching again.
    var manyRows: Int { max(leastRows, bytes / 512) }

    /// The same limit, of what is allocated from here on.
    var fromHere: MemoryLimit {
        var limit = self
        limit.before = Self.used
        return limit
    }

    /// Looks through the free lists of `malloc` once the process has enough memory of its own: not to be asked with every event.
    var isExceeded: Bool {
        let own = Int(clamping: sijill_own_memory())
        return own - before > bytes && Self.used - before > bytes
    }

    private static var used: Int { Int(clamping: sijill_malloc_used()) }
}
