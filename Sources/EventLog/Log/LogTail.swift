import Core
import Glibc

/// The frames that a log in use holds behind those of `journal.mdb`.
struct LogTail {
    let header: LogHeader
    /// Where the first of their records stands.
    private(set) var start = 0
    private(set) var waiting = WriteAheadLog.Waiting()

    /// Nil where no program uses the log of this journal.
    init?(
        of path: String, identity: [UInt8]?, after head: Head
    ) throws(JournalError) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .failed("opening", at: path, errno: errno)
        }
        defer { close(descriptor) }
        guard let header = try LogHeader.read(descriptor, path), header.isInUse,
            identity == nil || header.identity == identity
        else { return nil }
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
            let place = offset
            guard let record = LogRecord.frames(in: log, at: &offset, epoch: header.epoch) else {
                offset = LogHeader.recordsOffset  // the area is filled round and round
                laps += 1
                continue
            }
            guard Self.follows(record.frames, log, head, reader) else { continue }
            // One that does not wait is on its way into the file: nobody was answered.
            guard record.wait else { return }
            if waiting.head == nil { start = place }
            for frame in record.frames {
                let key = FrameKey(first: head.position + 1, ordinal: head.ordinal).bytes
                try reader.open(key: key.span, stored: log.extracting(frame))
                guard reader.header.previous == head.chain else { return }
                head.follow(reader)
                waiting.add(
                    [LoggedFrame(reader, number: head.frameCount, log.extracting(frame))], head)
            }
        }
    }

    /// Whether the frames of a record follow the head: those of an older one follow another.
    static func follows(
        _ frames: [Range<Int>], _ log: Span<UInt8>, _ head: Head, _ reader: FrameReader
    ) -> Bool {
        guard let first = frames.first else { return false }
        let key = FrameKey(first: head.position + 1, ordinal: head.ordinal).bytes
        return (try? reader.openHeader(key: key.span, stored: log.extracting(first))) != nil
            && reader.header.previous == head.chain
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
