import Core
import Cryptography
import Synchronization

/// Who has signed in to the console: a browser has a name that says nothing, the token stays here.
final class ConsoleSessions: Sendable {
    struct Session: Sendable {
        let token: String
        /// What the issuer takes for another token; nil for one that was typed.
        let refresh: String?
        /// For the page's head; never a person's name.
        let name: String
        /// The same for as long as one is signed in, whatever the token.
        let life: SessionLife
    }

    /// Beyond so many, those go that were used longest ago.
    private static let most = 4_096

    private let sessions = Mutex<[String: Session]>([:])
    private let secret = SecretKey(randomByteCount: 32)

    /// Nil where nobody has signed in by the cookie, or not for long.
    func session(_ cookie: String?) -> Session? {
        guard let cookie else { return nil }
        return sessions.withLock { sessions in
            guard let session = sessions[cookie] else { return nil }
            guard session.life.use() else {
                sessions[cookie] = nil
                return nil
            }
            return session
        }
    }

    /// A new session under a new cookie: one that somebody may have planted counts for nothing.
    func begin(token: String, refresh: String?, name: String) -> String {
        let cookie = Self.random()
        sessions.withLock { sessions in
            if sessions.count >= Self.most {
                sessions = sessions.filter { !$0.value.life.isOver }
                let used = sessions.map { (cookie: $0.key, at: $0.value.life.used) }
                for (cookie, _) in used.sorted(by: { $0.at < $1.at })
                    .prefix(max(0, sessions.count - Self.most + 1))
                {
                    sessions.removeValue(forKey: cookie)?.life.end()
                }
            }
            sessions[cookie] = Session(
                token: token, refresh: refresh, name: name, life: SessionLife())
        }
        return cookie
    }

    /// The session goes on with another token, unless it has ended.
    func renew(_ cookie: String, token: String, refresh: String?) {
        sessions.withLock { sessions in
            guard let session = sessions[cookie] else { return }
            sessions[cookie] = Session(
                token: token, refresh: refresh, name: session.name, life: session.life)
        }
    }

    func end(_ cookie: String?) {
        guard let cookie else { return }
        sessions.withLock { $0.removeValue(forKey: cookie) }?.life.end()
    }

    /// What a form of the browser with this cookie must send back (a synchroniser token): another site cannot know it.
    func formToken(_ cookie: String) -> String {
        let code = HMAC.code(of: Array(cookie.utf8).span, with: secret)
        var bytes: [UInt8] = []
        for index in code.indices { bytes.append(code[index]) }
        return Hex.text(bytes)
    }

    func isFormToken(_ token: String?, of cookie: String) -> Bool {
        ConstantTime.areEqual(Array((token ?? "").utf8), Array(formToken(cookie).utf8))
    }

    /// 32 hexadecimal digits of 128 bits that nobody can guess.
    static func random() -> String {
        // The system's generator is one for secrets.
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Hex.text(bytes)
    }
}
