import Core

/// Checks that frames follow one another as they were written: none missing, none in between.
struct FrameJoint {
    private let head: Head
    /// The position that a scan should begin at or before.
    private let first: Position
    /// The position that a reversed scan should begin at or after.
    private let last: Position
    private var before: (checksum: Checksum, previous: Checksum, first: UInt64, end: UInt64)?

    init(head: Head, first: Position, last: Position) {
        self.head = head
        self.first = first
        self.last = last
    }

    /// To be called with every frame of a scan, in its order.
    mutating func check(_ frame: CommitReader, reversed: Bool) throws(JournalError) {
        let here = (
            checksum: frame.chain, previous: frame.previous,
            first: frame.first.number, end: frame.end
        )
        defer { before = here }
        guard let before else {
            if !reversed, here.first > max(first.number, 1) {
                throw .damaged("a frame is missing", at: first)
            }
            if reversed, here.end <= min(last, head.position).number {
                throw .damaged("a frame is missing", at: Position(here.end))
            }
            if reversed, last > head.position, here.checksum != head.chain {
                throw .damaged("the last frame is not the one written last", at: frame.first)
            }
            return
        }
        let (older, newer) = reversed ? (here, before) : (before, here)
        guard older.end == newer.first, older.checksum == newer.previous else {
            throw .damaged("a frame is missing or out of place", at: Position(older.end))
        }
    }

    /// To be called when the scan came to the end (if reversed, the beginning) of all frames.
    func checkEnd(reversed: Bool) throws(JournalError) {
        guard let before else { return }
        if reversed {
            guard before.previous == .zero, before.first == 1 else {
                throw .damaged("a frame is missing", at: Position(1))
            }
        } else {
            guard before.checksum == head.chain, before.end == head.position.number + 1 else {
                throw .damaged("a frame is missing", at: Position(before.end))
            }
        }
    }
}
