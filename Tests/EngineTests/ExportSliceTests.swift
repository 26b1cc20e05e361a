import Engine
import Testing

@Suite struct `An export in slices` {
    /// Frames of many events are cut, too: who takes nothing has the service hold a slice.
    @Test(arguments: [1, 700, 5_000])
    func `says the same, however small they are`(bytes: Int) throws {
        let place = try DiskPlace()
        let engine = try place.open()
        for batch in 0..<3 {
            let lines = (0..<40).map { number in
                Room.register("S-\(batch)-\(number)", at: "2026-02-01T08:00:00Z")
            }
            let outcomes = try engine.submit(lines, clock: fixedClock)
            #expect(outcomes.allSatisfy { $0.status == .accepted })
        }
        for isSealed in [true, false] {
            var whole: [UInt8] = []
            try engine.export(isSealed: isSealed) { whole += $0 }
            var slices = try engine.exportSlices(isSealed: isSealed, sliceBytes: bytes)
            var found: [UInt8] = []
            var longest = 0
            while let slice = try slices.next() {
                #expect(slice.last == UInt8(ascii: "\n"))
                found += slice
                longest = max(longest, slice.count)
            }
            #expect(found == whole)
            // One event, its command and its person's key lie over it.
            #expect(longest < bytes + 3_000)
        }
    }
}
