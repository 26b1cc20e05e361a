import Core
import Synchronization

/// The frames that were opened last, for reading events here and there.
final class FrameCache: @unchecked Sendable {
    private static let size = 8

    /// The one used last comes first.
    private var frames: [CommitReader] = []

    func frame(holding position: Position) -> CommitReader? {
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
    func vacant(_ store: DictionaryStore) -> CommitReader {
        let frame = frames.count < Self.size ? CommitReader(store) : frames.removeLast()
        frames.insert(frame, at: 0)
        return frame
    }
}

/// Opened frames and blocks for the next reader; each set belongs to one reader at a time.
final class FramePool: Sendable {
    let store: DictionaryStore
    private let caches = Mutex<[FrameCache]>([])

    init(_ store: DictionaryStore) {
        self.store = store
    }

    func take() -> FrameCache { caches.withLock { $0.popLast() } ?? FrameCache() }

    func put(_ cache: FrameCache) {
        caches.withLock { if $0.count < 4 { $0.append(cache) } }
    }
}
