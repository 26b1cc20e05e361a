import Testing

@testable import EventLog

@Suite struct `The hash XXH64` {
    /// Values of the reference implementation (python-xxhash 3).
    @Test(arguments: [
        ([UInt8](), UInt64(0), UInt64(0xEF46_DB37_51D8_E999)),
        ([UInt8]("abc".utf8), 0, 0x44BC_2CF5_AD77_0999),
        ([UInt8]("Nobody inspects the spammish repetition".utf8), 0, 0xFBCE_A83C_8A37_8BF1),
        ([UInt8](0..<101), 0x9E37_79B1, 0xA1C6_D417_4C37_136D),
    ])
    func `is what others make of the same bytes`(bytes: [UInt8], seed: UInt64, hash: UInt64) {
        #expect(XXH64.hash(bytes.span, seed: seed) == hash)
    }
}
