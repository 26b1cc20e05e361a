import Core

/// When the tail is sealed, and by whom.
package struct Sealing: Hashable, Sendable {
    /// The tail is sealed when it reaches this many events or this many commits.
    package var segmentEvents: Int
    /// Events of a block at which the next one begins.
    package var blockEvents: Int
    /// On a thread of its own while others append; else within the append that makes it due.
    package var isInBackground: Bool
    package var isOff = false
    /// Commands of a block at most.
    var blockCommands = Limits.blockCommands

    package init(segmentEvents: Int, blockEvents: Int, isInBackground: Bool) {
        self.segmentEvents = segmentEvents
        self.blockEvents = blockEvents
        self.isInBackground = isInBackground
    }

    /// Every this many events, at least one; below 1,024 within the append itself.
    package init(each events: Int) {
        self.init(
            segmentEvents: max(1, events), blockEvents: max(1, min(events, 4096)),
            isInBackground: events >= 1024)
    }

    package static let standard = Sealing(each: 8192)

    /// The journal stays as it was written.
    package static let off = {
        var sealing = Sealing.standard
        sealing.isOff = true
        return sealing
    }()

    /// How long the tail is, in events or commits.
    func length(_ head: Head, _ sealed: Sealed) -> Int {
        max(
            Int(head.position.number - sealed.position.number),
            Int(head.frameCount - sealed.frameCount))
    }

    func isDue(_ head: Head, _ sealed: Sealed) -> Bool {
        !isOff && head.position > sealed.position && length(head, sealed) >= segmentEvents
    }

    /// Appends that outrun sealing wait for it.
    func isOverdue(_ head: Head, _ sealed: Sealed) -> Bool {
        isDue(head, sealed) && length(head, sealed) >= segmentEvents * 8
    }
}
