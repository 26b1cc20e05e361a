import Engine
import Synchronization

/// How the default journal's head went on in the last half hour: for the overview's sparkline.
final class RecentHeads: Sendable {
    static let interval = Duration.seconds(10)
    private static let most = 180

    private let heads = Mutex<[UInt64]>([])

    var all: [UInt64] { heads.withLock { $0 } }

    /// Looks until the task is cancelled.
    func watch(_ engine: EventEngine) async {
        while !Task.isCancelled {
            if let head = try? engine.head() {
                heads.withLock { heads in
                    if heads.count == Self.most { heads.removeFirst() }
                    heads.append(head.number)
                }
            }
            do { try await Task.sleep(for: Self.interval) } catch { return }
        }
    }
}
