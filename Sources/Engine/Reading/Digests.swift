import Core
import Synchronization

/// The digests of read models, made by some threads that share out the models.
///
/// A model's digest does not depend on who makes it, so neither does the result. A thread keeps to the products that it began
/// with as long as they have models left: a helper loads their rows, and no others.
final class Digests: Sendable {
    typealias Entry = (name: String, digest: String, keys: Int)

    private let models: [ModelDescription]
    private let now: Instant
    private let state: Mutex<State>

    private struct State {
        /// Places of the models that nobody took yet.
        var waiting: [Int]
        /// Which thread began with a product's models, by number.
        var begun: [String: Int] = [:]
        var made: [Int: Entry] = [:]
        var failure: (any Error)?
    }

    init(of models: [ModelDescription], at now: Instant) {
        self.models = models
        self.now = now
        state = Mutex(State(waiting: Array(models.indices)))
    }

    /// - Parameter helpers: the same answers, each from a state of its own, for a thread more each.
    func make(
        _ answering: Answering, _ helpers: [Answering], _ progress: (Progress) throws -> Void
    ) throws -> [Entry] {
        let others = helpers.enumerated().map { index, helper in
            let handed = UncheckedTransfer(helper)
            return { @Sendable in self.work(handed.value, thread: index + 1) { _ in } }
        }
        _ = try concurrently(others) { work(answering, thread: 0, progress) }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return models.indices.compactMap { state.made[$0] }
        }
    }

    /// Takes one model after the other until none is left.
    private func work(
        _ answering: Answering, thread: Int, _ progress: (Progress) throws -> Void
    ) {
        while let (index, done) = take(thread) {
            do {
                try progress(
                    Progress(done: UInt64(done), total: UInt64(models.count), what: "digesting"))
                let (digest, keys) = try answering.digest(of: models[index], now: now)
                state.withLock { $0.made[index] = (models[index].name, digest, keys) }
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }
    }

    /// The place of the model that a thread makes next, and how many were taken before.
    private func take(_ thread: Int) -> (index: Int, done: Int)? {
        state.withLock { state in
            func first(_ isMeant: (Int?) -> Bool) -> Int? {
                state.waiting.firstIndex { isMeant(state.begun[models[$0].product]) }
            }
            guard state.failure == nil,
                let place = first({ $0 == thread }) ?? first({ $0 == nil }) ?? first({ _ in true })
            else { return nil }
            let done = models.count - state.waiting.count
            let index = state.waiting.remove(at: place)
            let product = models[index].product
            if state.begun[product] == nil { state.begun[product] = thread }
            return (index, done)
        }
    }
}
