/// The frames of one commit, as `journal.wal` holds them: epoch, length, then each frame behind its length, a hash.
enum LogRecord {
    private static let headerBytes = 12
    private static let hashBytes = 8
    private static let seed: UInt64 = 12
    /// Of one whose commit waits to be put into `journal.mdb`. Nobody was answered for another one that is not in it.
    private static let waitingSeed: UInt64 = 13

    /// What takes a record away.
    static let withdrawn = [UInt8](repeating: 0, count: headerBytes)

    static func bytes(of frames: [[UInt8]], epoch: UInt64, waits: Bool) -> [UInt8] {
        let length = frames.reduce(0) { $0 + 4 + $1.count }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerBytes + length + hashBytes)
        bytes.appendFixed(epoch)
        bytes.appendFixed(UInt32(length))
        for frame in frames {
            bytes.appendFixed(UInt32(frame.count))
            bytes += frame
        }
        bytes.appendFixed(XXH64.hash(bytes.span, seed: waits ? waitingSeed : seed))
        return bytes
    }

    /// The frames of the record that begins at `offset`, which moves behind it, and whether they wait; nil if there is none.
    static func frames(
        in log: Span<UInt8>, at offset: inout Int, epoch: UInt64
    ) -> (frames: [Range<Int>], wait: Bool)? {
        var here = offset
        guard let found = try? log.fixed(8, &here), found == epoch,
            let length = try? log.fixed(4, &here), length > 0,
            let body = try? log.skip(Int(length), &here)
        else { return nil }
        let content = log.extracting(offset..<here)
        guard let hash = try? log.fixed(8, &here) else { return nil }
        let waits = hash == XXH64.hash(content, seed: waitingSeed)
        guard waits || hash == XXH64.hash(content, seed: seed) else { return nil }
        var frames: [Range<Int>] = []
        var at = body.lowerBound
        while at < body.upperBound {
            guard let length = try? log.fixed(4, &at), let frame = try? log.skip(Int(length), &at),
                at <= body.upperBound
            else { return nil }
            frames.append(frame)
        }
        offset = here
        return (frames, waits)
    }
}
