import Testing

@testable import EventLog

@Suite struct `Numbers in bytes` {
    @Test(arguments: [
        0, 1, 127, 128, 255, 16_383, 16_384, UInt64(UInt32.max), UInt64(Int64.max), .max,
    ])
    func `come back as they were written, and cut short they do not`(number: UInt64) throws {
        var bytes: [UInt8] = []
        bytes.appendVarint(number)
        bytes.appendZigzag(Int64(bitPattern: number))
        bytes.appendFixed(number)
        var offset = 0
        #expect(try bytes.span.varint(&offset) == number)
        let end = offset
        #expect(try bytes.span.zigzag(&offset) == Int64(bitPattern: number))
        #expect(try bytes.span.fixed(8, &offset) == number)
        #expect(offset == bytes.count)
        for length in 0..<end {
            let cut = Array(bytes[..<length])
            var offset = 0
            #expect(throws: Malformed.self) { _ = try cut.span.varint(&offset) }
        }
    }

    @Test(
        arguments: [
            [0x80, 0x00], [0x81, 0x80, 0x00], [UInt8](repeating: 0xFF, count: 10),
            [UInt8](repeating: 0x80, count: 9) + [0x02], [UInt8](repeating: 0x80, count: 20),
        ] as [[UInt8]])
    func `in a longer form or beyond 64 bits are refused`(bytes: [UInt8]) {
        var offset = 0
        #expect(throws: Malformed.self) { _ = try bytes.span.varint(&offset) }
    }

    @Test func `a length beyond the bytes is refused`() {
        let bytes: [UInt8] = [5, 1, 2, 3, 4]
        var offset = 0
        #expect(throws: Malformed.self) { _ = try bytes.span.block(&offset) }
    }
}
