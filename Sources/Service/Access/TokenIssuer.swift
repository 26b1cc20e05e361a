import Core
import JWTKit
import Logging
import Synchronization

/// The keys of an issuer, asked for again before they are stale, and where a token names one that is not known.
///
/// An issuer that does not answer takes nothing away: what is known stays.
actor TokenIssuer {
    nonisolated let source: KeySource
    private let logger: Logger
    private var keys: TokenKeys?
    private var asking: Task<Duration?, Never>?
    /// When was asked because of a key that was not known.
    private var askedForUnknown: ContinuousClock.Instant?
    private var isFailing = false
    private nonisolated let changes = Atomic<Int>(0)
    private nonisolated let refreshing = Mutex<Task<Void, Never>?>(nil)

    /// How long a token may name unknown keys for nothing: whoever sends such tokens does not send the service to the issuer.
    private static let pause = Duration.seconds(60)

    init(_ source: KeySource, _ logger: Logger) {
        self.source = source
        self.logger = logger
        keys = source.keys
    }

    /// Rises when the keys change: what was verified by others is verified anew.
    nonisolated var generation: Int { changes.load(ordering: .acquiring) }

    nonisolated func start() {
        guard source.keys == nil else { return }
        refreshing.withLock { $0 = Task { await self.refresh() } }
    }

    nonisolated func stop() { refreshing.withLock { $0?.cancel() } }

    private func refresh() async {
        var pause = Duration.seconds(1)
        while !Task.isCancelled {
            let freshness = await ask()
            do { try await Task.sleep(for: freshness ?? pause) } catch { return }
            pause = freshness == nil ? min(pause * 2, Self.pause) : .seconds(1)
        }
    }

    /// What verifies the token's signature; nil where the issuer has no such key.
    func verifier(of token: SignedToken) async throws -> (any JWTAlgorithm)? {
        if let known = keys?.verifier(of: token) { return known }
        if source.keys != nil { return nil }
        if let asking {
            _ = await asking.value
        } else if keys != nil {
            let now = ContinuousClock.now
            if let last = askedForUnknown, last.duration(to: now) < Self.pause { return nil }
            askedForUnknown = now
            _ = await ask()
        }
        guard let keys else {
            throw Problem.unavailable(
                "issuer-unreachable",
                "the keys of the access token's issuer cannot be had now: send the same again",
                retryAfter: 5)
        }
        return keys.verifier(of: token)
    }

    /// Asks, once for all who wait; nil where there was no answer.
    private func ask() async -> Duration? {
        if let asking { return await asking.value }
        let task = Task { await self.load() }
        asking = task
        let freshness = await task.value
        asking = nil
        return freshness
    }

    private func load() async -> Duration? {
        do {
            let fetched = try await source.fetch()
            if fetched.keys.digest != keys?.digest {
                keys = fetched.keys
                changes.wrappingAdd(1, ordering: .acquiringAndReleasing)
                logger.notice(
                    "the issuer's keys are read", metadata: ["issuer": "\(source.issuer)"])
            }
            isFailing = false
            return fetched.freshness
        } catch {
            if !isFailing {
                logger.warning(
                    "the issuer's keys cannot be read; those that are known stay",
                    metadata: ["issuer": "\(source.issuer)", "error": "\(error)"])
            }
            isFailing = true
            return nil
        }
    }
}
