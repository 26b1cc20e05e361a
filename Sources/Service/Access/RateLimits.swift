import Core
import HTTPTypes
import Synchronization

/// A token bucket for each identity: as many requests a second, twice as many at once.
final class RateLimits: Sendable {
    private struct Bucket {
        var tokens: Double
        var at: ContinuousClock.Instant
    }

    private struct Key: Hashable {
        let name: String
        /// Of many who have the same name, each has a bucket.
        let actor: Viewer?
        let isSubmission: Bool
    }

    /// Beyond so many, those are forgotten that are full again.
    private static let most = 100_000

    private let buckets = Mutex<[Key: Bucket]>([:])

    /// Takes one; a problem with `Retry-After` where there is none left.
    func take(_ identity: Identity, isSubmission: Bool) throws {
        let rate = isSubmission ? identity.submitRate : identity.readRate
        guard rate < .max else { return }
        let now = ContinuousClock.now
        let isLeft = buckets.withLock { buckets in
            let most = 2 * Double(rate)
            let key = Key(
                name: identity.name, actor: identity.actor, isSubmission: isSubmission)
            var bucket = buckets[key] ?? Bucket(tokens: most, at: now)
            let passed = bucket.at.duration(to: now)
            let (seconds, attoseconds) = passed.components
            bucket.tokens += (Double(seconds) + Double(attoseconds) / 1e18) * Double(rate)
            bucket.tokens = min(bucket.tokens, most)
            bucket.at = now
            let isLeft = bucket.tokens >= 1
            if isLeft { bucket.tokens -= 1 }
            if buckets.count >= Self.most {
                buckets = buckets.filter { $0.value.at.duration(to: now) < .seconds(2) }
            }
            buckets[key] = bucket
            return isLeft
        }
        if isLeft { return }
        var problem = Problem(
            .tooManyRequests, "too-many-requests",
            "more than \(rate) requests a second: wait a second and go on slower")
        problem.headers[.retryAfter] = "1"
        throw problem
    }
}
