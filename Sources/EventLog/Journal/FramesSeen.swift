import Core

/// The frames as a reader sees them: those of `journal.mdb` in its transaction, and behind them those that wait in the log.
struct FramesSeen {
    let access: TransactionAccess
    let database: Database
    /// Behind all that the transaction sees.
    let waiting: ArraySlice<LoggedFrame>
    /// The journal's head behind all of them.
    let head: Head
    /// What it was made with, for who begins a transaction of their own.
    let asked: WriteAheadLog.Waiting

    /// - Parameter waiting: asked for before the transaction began. What was put into the file in between is there.
    init(
        _ access: TransactionAccess, _ databases: JournalDatabases,
        _ waiting: WriteAheadLog.Waiting = WriteAheadLog.Waiting()
    ) throws(JournalError) {
        self.access = access
        database = databases.frames
        asked = waiting
        let stored = try HeadRecord.read(access, databases)
        guard let last = waiting.head, last.frameCount > stored.frameCount else {
            head = stored
            self.waiting = []
            return
        }
        head = last
        self.waiting = waiting.frames.suffix(Int(clamping: last.frameCount - stored.frameCount))
    }

    func cursor() throws(JournalError) -> FrameCursor { try FrameCursor(self) }
}

/// A place among them, moved from frame to frame.
struct FrameCursor: ~Copyable {
    private var stored: Cursor
    private let waiting: ArraySlice<LoggedFrame>
    /// Which of those that wait it stands at; nil for a stored one.
    private var place: Int?

    init(_ frames: FramesSeen) throws(JournalError) {
        stored = try Cursor(frames.access, frames.database)
        waiting = frames.waiting
    }

    mutating func first() throws(JournalError) -> Bool {
        place = nil
        return try stored.first() ? true : goOn(at: waiting.startIndex)
    }

    /// Moves to the frame with the least key that is not less than `key`.
    mutating func seek(_ key: FrameKey) throws(JournalError) -> Bool {
        let bytes = key.bytes
        place = nil
        if try stored.seek(bytes.span) { return true }
        let wanted = key.copied
        let found = waiting.firstIndex { !$0.key.lexicographicallyPrecedes(wanted) }
        return goOn(at: found ?? waiting.endIndex)
    }

    /// Moves to the frame with the greatest key that is not greater than `key`.
    mutating func seekBack(_ key: FrameKey) throws(JournalError) -> Bool {
        let wanted = key.copied
        place = waiting.lastIndex { !wanted.lexicographicallyPrecedes($0.key) }
        if place != nil { return true }
        let bytes = key.bytes
        return try stored.seekBack(bytes.span)
    }

    /// From a frame that begins at `first`, back to the first of those that do; else stays.
    mutating func seekOrdinalZero(_ first: Position) throws(JournalError) -> Bool {
        while true {
            let here = try visit { key, _ throws(JournalError) in try? FrameKey(key) }
            guard let here, here.first == first, here.ordinal > 0 else { return true }
            guard try previous() else { return try self.first() }
        }
    }

    mutating func next() throws(JournalError) -> Bool {
        if let place { return goOn(at: place + 1) }
        return try stored.next() ? true : goOn(at: waiting.startIndex)
    }

    mutating func previous() throws(JournalError) -> Bool {
        guard let here = place else { return try stored.previous() }
        place = here > waiting.startIndex ? here - 1 : nil
        return try place != nil ? true : stored.last()
    }

    private mutating func goOn(at index: Int) -> Bool {
        guard waiting.indices.contains(index) else { return false }
        place = index
        return true
    }

    /// The frame here, as long as the transaction lasts.
    var here: FrameSeen {
        if let place { return .waiting(waiting[place]) }
        return unsafe .stored(key: stored.key, value: stored.stored)
    }

    func visit<R, E: Error>(_ body: (Span<UInt8>, Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try here.visit(body)
    }
}

/// A frame where it is: in the pages of a transaction, which nobody writes over while it lasts, or in memory. So it may be read on
/// another thread.
@safe
enum FrameSeen: @unchecked Sendable {
    case stored(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
    case waiting(LoggedFrame)

    /// Its key, and its value.
    func visit<R, E: Error>(_ body: (Span<UInt8>, Span<UInt8>) throws(E) -> R) throws(E) -> R {
        switch self {
        case .waiting(let frame): return try body(frame.key.span, frame.bytes.span)
        case .stored(let key, let value):
            return try unsafe Span.over(key) { key throws(E) in
                try unsafe Span.over(value) { value throws(E) in try body(key, value) }
            }
        }
    }
}
