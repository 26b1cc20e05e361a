import Testing

@testable import EventLog

@Suite struct `A small file` {
    @Test(arguments: [0, 1, 4095, 4096, 4097, 10_000])
    func `is read whole, or one byte more than the limit`(count: Int) throws {
        let scratch = try Scratch()
        let path = scratch.path + "/file"
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try FileSystem.write(bytes, to: path)
        #expect(try FileSystem.read(path, atMost: 1 << 20) == bytes)
        #expect(try FileSystem.read(path, atMost: count) == bytes)
        for limit in [0, 1, 4095, 5000] where limit < count {
            #expect(try FileSystem.read(path, atMost: limit) == Array(bytes[...limit]))
        }
        #expect(try FileSystem.read(path + "-none", atMost: 10) == nil)
    }
}
