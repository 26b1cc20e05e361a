/// Keys of the small databases.
enum JournalKeys {
    static func symbol(_ number: UInt32) -> [4 of UInt8] {
        [
            UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
            UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
        ]
    }

    /// The symbol number that a key of `symbols` holds.
    static func symbol(in content: Span<UInt8>) -> UInt32? {
        var offset = 0
        guard content.count == 4, let number = try? content.fixed(4, &offset) else { return nil }
        return UInt32(truncatingIfNeeded: number)
    }

    static func type(_ number: UInt16) -> [2 of UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}
