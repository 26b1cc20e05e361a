import Core
import Synchronization

/// The digests of read models, made by one thread or by two that share out the models.
///
/// A model's digest does not depend on who makes it, so neither does the result.
final class Digests: Sendable {
    typealias Entry = (name: String, digest: String, keys: Int)

    private let models: [ModelDescription]
    private let now: Instant
    private let state = Mutex(State())

    private struct State {
        var next = 0
        var made: [Int: Entry] = [:]
        var failure: (any Error)?
    }

    init(of models: [ModelDescription], at now: Instant) {
        self.models = models
        self.now = now
    }

    /// - Parameter helper: the same answers from a state of its own, for the second thread.
    func make(
        _ answering: Answering, _ helper: Answering?, _ progress: (Progress) throws -> Void
    ) throws -> [Entry] {
        if let helper, models.count > 1 {
            let handed = UncheckedTransfer(helper)
            _ = try concurrently({ self.work(handed.value) { _ in } }) {
                work(answering, progress)
            }
        } else {
            work(answering, progress)
        }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return models.indices.compactMap { state.made[$0] }
        }
    }

    /// Takes one model after the other until none is left.
    private func work(_ answering: Answering, _ progress: (Progress) throws -> Void) {
        while let index = take() {
            do {
                try progress(
                    Progress(done: UInt64(index), total: UInt64(models.count), what: "digesting"))
                let (digest, keys) = try answering.digest(of: models[index], now: now)
                state.withLock { $0.made[index] = (models[index].name, digest, keys) }
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.failure == nil, state.next < models.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }
}
