/// XXH64, a fast 64-bit hash against damage (not against forgery):
/// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md, section XXH64.
enum XXH64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// Of a record: its content, with a seed made of where it stands.
    static func of(
        _ domain: Domain, table: UInt16 = 0, key: Span<UInt8>, content: Span<UInt8>
    ) -> UInt64 {
        hash(content, seed: hash(key, seed: UInt64(domain.rawValue) << 16 | UInt64(table)))
    }

    static func hash(_ bytes: Span<UInt8>, seed: UInt64) -> UInt64 {
        unsafe bytes.withUnsafeBytes { unsafe hash($0, seed) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
        let count = bytes.count
        var offset = 0
        var sum: UInt64
        if count >= 32 {
            var first = seed &+ prime1 &+ prime2
            var second = seed &+ prime2
            var third = seed
            var fourth = seed &- prime1
            while offset &+ 32 <= count {
                first = unsafe round(first, lane(bytes, offset))
                second = unsafe round(second, lane(bytes, offset &+ 8))
                third = unsafe round(third, lane(bytes, offset &+ 16))
                fourth = unsafe round(fourth, lane(bytes, offset &+ 24))
                offset &+= 32
            }
            sum =
                rotate(first, 1) &+ rotate(second, 7) &+ rotate(third, 12) &+ rotate(fourth, 18)
            sum = (sum ^ round(0, first)) &* prime1 &+ prime4
            sum = (sum ^ round(0, second)) &* prime1 &+ prime4
            sum = (sum ^ round(0, third)) &* prime1 &+ prime4
            sum = (sum ^ round(0, fourth)) &* prime1 &+ prime4
        } else {
            sum = seed &+ prime5
        }
        sum = sum &+ UInt64(count)
        while offset &+ 8 <= count {
            sum = unsafe rotate(sum ^ round(0, lane(bytes, offset)), 27) &* prime1 &+ prime4
            offset &+= 8
        }
        if offset &+ 4 <= count {
            let lane = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            sum = rotate(sum ^ UInt64(UInt32(littleEndian: lane)) &* prime1, 23) &* prime2
            sum = sum &+ prime3
            offset &+= 4
        }
        while offset < count {
            sum = unsafe rotate(sum ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
            offset &+= 1
        }
        sum = (sum ^ sum &>> 33) &* prime2
        sum = (sum ^ sum &>> 29) &* prime3
        return sum ^ sum &>> 32
    }

    @inline(__always)
    private static func lane(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func round(_ sum: UInt64, _ lane: UInt64) -> UInt64 {
        rotate(sum &+ lane &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value &<< bits | value &>> (64 &- bits)
    }
}
