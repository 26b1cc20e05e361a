import Events

/// The frames that were opened last, for reading events here and there.
struct FrameCache {
    private static let size = 8

    /// The one used last comes first.
    private var frames: [CommitReader] = []

    mutating func frame(holding position: Position) -> CommitReader? {
        for index in frames.indices {
            let frame = frames[index]
            guard frame.first <= position, position.number < frame.end else { continue }
            if index > 0 {
                frames.remove(at: index)
                frames.insert(frame, at: 0)
            }
            return frame
        }
        return nil
    }

    /// A reader to open the next frame with: a new one, or the one not used for longest.
    mutating func vacant() -> CommitReader {
        let frame = frames.count < Self.size ? CommitReader() : frames.removeLast()
        frames.insert(frame, at: 0)
        return frame
    }
}
