import Core
import Engine
import Synchronization

/// Tokens that are being renewed: once for a session, however many of its requests find that its token ends.
final class SessionRenewals: Sendable {
    /// A token is renewed so long before it ends.
    private static let margin: Int64 = 30

    private let underWay = Mutex<[String: Task<Void, Never>]>([:])

    /// Whether a token ends soon, or has ended.
    static func isDue(_ token: String) -> Bool {
        guard let ends = SignedToken(token)?.claims.expires else { return false }
        return Instant.now.milliseconds / 1_000 >= ends - margin
    }

    /// Returns when the session's token was renewed, by this or by who came before.
    func renew(_ cookie: String, _ body: @escaping @Sendable () async -> Void) async {
        let task = underWay.withLock { underWay in
            if let task = underWay[cookie] { return task }
            let task = Task {
                await body()
                self.underWay.withLock { $0[cookie] = nil }
            }
            underWay[cookie] = task
            return task
        }
        await task.value
    }
}
