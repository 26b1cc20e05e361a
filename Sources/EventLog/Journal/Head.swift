package import Core

/// Where the journal stands after its last commit.
package struct Head: Hashable, Sendable {
    /// Position of the last event; zero in an empty journal.
    package var position: Position
    /// Symbols 1 to this number exist.
    package var symbolCount: UInt32
    /// Event types 1 to this number exist.
    package var typeCount: UInt16
    /// Slots 1 to this number of `keys` are named by frames.
    package var slotCount: UInt32
    package var clock: JournalClock
    /// Of the last frame.
    package var term: UInt32
    /// Frames so far, those without events included.
    package var frameCount: UInt64
    /// Checksum of the last frame, which covers all frames before it.
    package var chain: Checksum
    /// The ordinal that a next frame at `position + 1` gets: the number of frames without events
    /// since the last event.
    var ordinal: UInt32

    static let empty = Head(
        position: .zero, symbolCount: 0, typeCount: 0, slotCount: 0, clock: .beginning,
        term: 0, frameCount: 0, chain: .zero, ordinal: 0)
}
