/// SplitMix64 (Steele, Lea, Flood 2014): the one source of pseudo-randomness that rules and tests share.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Seeded with the first eight bytes, big endian, of the SHA-256 of a text (ExamRoom R13, Learnable R3).
    package init(text: String) {
        state = SHA256Digest.of(text).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Array {
    /// Permutes with a text: Fisher-Yates from the end, `next mod (i+1)` (ExamRoom R13, Learnable R3).
    package func permuted(with text: String) -> [Element] {
        var random = SplitMix64(text: text)
        var elements = self
        for last in stride(from: count - 1, to: 0, by: -1) {
            elements.swapAt(last, Int(random.next() % UInt64(last + 1)))
        }
        return elements
    }
}
