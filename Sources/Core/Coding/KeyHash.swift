/// Hashes of the keys that dictionaries of every event are asked with, a third as dear as the standard library's own.
///
/// A key's type gives them in `_rawHashValue(seed:)`, which dictionaries and sets ask; where nobody asked it, `hash(into:)` would
/// be asked and mean the same (ADR 0076). Like those of the library they differ from process to process, so that nobody can choose texts that
/// collide, and like those they never reach an answer.
@usableFromInline
enum KeyHash {
    /// Of this process alone.
    @usableFromInline static let secret = UInt64(
        truncatingIfNeeded: Hasher().finalize())
    /// Odd, and without a pattern: 2^64 over the golden ratio, and a secret of wyhash's.
    @usableFromInline static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
    @usableFromInline static let second: UInt64 = 0xA076_1D64_78BD_642F

    /// Of a number that the journal gave.
    @inlinable @inline(__always)
    static func of(_ number: UInt32, seed: Int) -> Int {
        Int(
            truncatingIfNeeded: folded(
                UInt64(number) ^ UInt64(truncatingIfNeeded: seed), first))
    }

    /// Of bytes that a user may have chosen: two words at a time, multiplied and folded, after wyhash.
    static func of(_ bytes: RawSpan, seed: Int) -> Int {
        let count = bytes.byteCount
        var hash = UInt64(truncatingIfNeeded: seed) ^ secret
        var offset = 0
        while count - offset > 16 {
            hash = folded(
                word(bytes, offset) ^ second, word(bytes, offset + 8) ^ hash)
            offset += 16
        }
        let (low, high) = lastWords(bytes, from: offset)
        return Int(
            truncatingIfNeeded: folded(
                folded(low ^ second, high ^ hash), second ^ UInt64(count)))
    }

    /// Of what is left, at most 16 bytes: from its two ends, which overlap.
    @inline(__always)
    private static func lastWords(
        _ bytes: RawSpan, from offset: Int
    ) -> (low: UInt64, high: UInt64) {
        let end = bytes.byteCount
        switch end - offset {
        case 8...: return (word(bytes, offset), word(bytes, end - 8))
        case 4...: return (UInt64(half(bytes, offset)), UInt64(half(bytes, end - 4)))
        case 1...:
            let middle = (offset + end) / 2
            return (
                UInt64(byte(bytes, offset)) << 8 | UInt64(byte(bytes, middle)),
                UInt64(byte(bytes, end - 1))
            )
        default: return (0, 0)
        }
    }

    @inlinable @inline(__always)
    static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    @inline(__always)
    private static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    @inline(__always)
    private static func half(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }

    @inline(__always)
    private static func byte(_ bytes: RawSpan, _ offset: Int) -> UInt8 {
        unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
