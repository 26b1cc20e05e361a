import CMalloc

/// How much memory a fold may take before it lets go of rows.
package struct MemoryLimit: Hashable, Sendable {
    /// Of the whole process, as far as it was allocated.
    package var bytes: Int
    /// Fewer rows than this are not worth writing, whatever else takes the memory.
    package var leastRows = 1 << 16
    /// Events between two looks.
    package var step: UInt64 = 1 << 16

    package init(bytes: Int) {
        self.bytes = bytes
    }

    /// Looks through the free lists of `malloc`: not to be asked with every event.
    var isExceeded: Bool { Int(clamping: sijill_malloc_used()) > bytes }
}
