import Core

/// The records of a log in use, one behind the other, from the state on that its header speaks of.
struct LogChain {
    /// All of the file.
    let bytes: [UInt8]
    let header: LogHeader

    /// Calls `body` with each frame that follows, and with what it was opened by; answers the head behind the last one.
    func visit(
        behind stored: Head, _ body: (Span<UInt8>, FrameReader) throws(JournalError) -> Void
    ) throws(JournalError) -> Head {
        let log = bytes.span
        let reader = FrameReader()
        var head = stored
        var offset = Int(header.start)
        while true {
            var next = offset
            if let frames = LogRecord.frames(in: log, at: &next, epoch: header.epoch)?.frames,
                LogTail.follows(frames, log, head, reader)
            {
                offset = next
                for frame in frames {
                    let stored = log.extracting(frame)
                    let key = FrameKey(first: head.position + 1, ordinal: head.ordinal).bytes
                    try reader.open(key: key.span, stored: stored)
                    guard reader.header.previous == head.chain else {
                        throw .damaged("a logged frame follows another one", at: reader.first)
                    }
                    try body(stored, reader)
                    head.follow(reader)
                }
            } else if offset != LogHeader.recordsOffset {
                offset = LogHeader.recordsOffset  // the area is filled round and round
            } else {
                return head
            }
        }
    }

    /// The head behind the last record. Throws if there are later ones: each was flushed before the next was written, so that one in
    /// between did not fail to become durable, but is damaged.
    func end(behind stored: Head) throws(JournalError) -> Head {
        let head = try visit(behind: stored) { _, _ in }
        let log = bytes.span
        var epoch: [UInt8] = []
        epoch.appendFixed(header.epoch)
        var offset = LogHeader.recordsOffset
        while offset < log.count {
            guard log[offset] == epoch[0],
                let frames = LogRecord.frames(in: log, at: &offset, epoch: header.epoch)?.frames
            else {
                offset += 1
                continue
            }
            if isLater(frames, head) {
                let place = head.position + 1
                throw JournalError(
                    .damaged(place),
                    "the journal is damaged at position \(place.number): a record of journal.wal,"
                        + " which later ones follow",
                    advice: "keep a copy and restore a backup; where no power failed, journal.mdb"
                        + " without journal.wal has all but the last commits")
            }
        }
        return head
    }

    /// Whether a record's frames come later than the head: it holds old ones, too.
    private func isLater(_ frames: [Range<Int>], _ head: Head) -> Bool {
        let log = bytes.span
        guard let frame = frames.first, let found = try? FrameHeader(log.extracting(frame))
        else { return false }
        let next = head.position + 1
        guard found.first == next else { return found.first > next }
        // Frames without events stand before the same event.
        let reader = FrameReader()
        return !(0..<head.ordinal).contains { ordinal in
            let key = FrameKey(first: next, ordinal: ordinal).bytes
            return (try? reader.openHeader(key: key.span, stored: log.extracting(frame))) != nil
        }
    }
}
