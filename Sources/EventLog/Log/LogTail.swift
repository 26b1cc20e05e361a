import Core
import Glibc

/// The frames that a log in use holds behind those of `journal.mdb`.
struct LogTail {
    let header: LogHeader
    /// Where the first of their records stands.
    private(set) var start = 0
    private(set) var waiting = WriteAheadLog.Waiting()

    /// Nil where no program uses the log.
    init?(of path: String, after head: Head) throws(JournalError) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .failed("opening", at: path, errno: errno)
        }
        defer { close(descriptor) }
        guard let header = try LogHeader.read(descriptor, path), header.isInUse else { return nil }
        self.header = header
        let log = try FileSystem.read(
            LogHeader.recordsOffset + Int(header.areaBytes), from: descriptor, at: 0, path)
        try read(log.span, behind: head)
        // Nobody is to read what is not durable: the last record may be on its way.
        if waiting.head != nil { try FileSystem.flushData(descriptor, path) }
    }

    private mutating func read(_ log: Span<UInt8>, behind stored: Head) throws(JournalError) {
        let reader = FrameReader()
        var head = stored
        var offset = Int(header.start)
        var laps = 0
        while laps < 2 {
            var next = offset
            guard LogRecord.frames(in: log, at: &next, epoch: header.epoch) != nil else {
                offset = LogHeader.recordsOffset  // the area is filled round and round
                laps += 1
                continue
            }
            var end = offset
            if let frames = Self.record(log, at: &end, header, after: head, reader) {
                if waiting.head == nil { start = offset }
                for frame in frames {
                    let key = FrameKey(first: head.position + 1, ordinal: head.ordinal).bytes
                    try reader.open(key: key.span, stored: log.extracting(frame))
                    // Such a commit does not wait: it was not acknowledged.
                    guard reader.types.isEmpty else { return }
                    head.follow(reader)
                    waiting.frames.append(
                        LoggedFrame(
                            reader, number: head.frameCount, log.extracting(frame)))
                    waiting.head = head
                }
            }
            offset = next
        }
    }

    /// The frames of the record at `offset`, if it follows the head: an older one follows another.
    static func record(
        _ log: Span<UInt8>, at offset: inout Int, _ header: LogHeader, after head: Head,
        _ reader: FrameReader
    ) -> [Range<Int>]? {
        guard let frames = LogRecord.frames(in: log, at: &offset, epoch: header.epoch),
            let first = frames.first
        else { return nil }
        let key = FrameKey(first: head.position + 1, ordinal: head.ordinal).bytes
        guard (try? reader.openHeader(key: key.span, stored: log.extracting(first))) != nil,
            reader.header.previous == head.chain
        else { return nil }
        return frames
    }
}

extension Head {
    /// Goes on behind a frame that is open.
    mutating func follow(_ reader: FrameReader) {
        position = Position(reader.end - 1)
        symbolCount += UInt32(reader.symbols.count)
        typeCount += UInt16(reader.types.count)
        slotCount += UInt32(reader.slots.count)
        clock = reader.header.clock
        term = reader.header.term
        frameCount += 1
        chain = reader.checksum
        ordinal = reader.eventCount == 0 ? ordinal + 1 : 0
    }
}
