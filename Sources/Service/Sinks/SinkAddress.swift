/// What anybody may read of a database's address: no user, no password, no options.
enum SinkAddress {
    /// In place of an address of which it cannot be told what is what.
    static let hidden = "postgres://…"

    /// Options whose values are nobody else's business.
    private static let secretOptions: Set<String> = [
        "user", "password", "sslpassword", "passfile", "sslkey", "sslcert",
    ]

    /// An address without its secrets; ``hidden`` where one may stand in what is left.
    static func shown(_ target: String) -> String {
        if target.hasPrefix("sqlite:") { return target }
        return parts(of: target)?.shown ?? hidden
    }

    /// Whether a password stands among the options: what comes behind a `#` may belong to it.
    static func hasPassword(_ target: String) -> Bool {
        !target.hasPrefix("sqlite:") && target.firstRange(of: "password=") != nil
    }

    /// Whether a text has words of the address that are not shown.
    static func isQuoted(_ target: String, in text: String) -> Bool {
        if target.hasPrefix("sqlite:") { return false }
        var secrets = words(target)
        secrets.formUnion(words(decoded(target)))
        if let parts = parts(of: target) {
            secrets = []
            for secret in parts.secrets {
                secrets.formUnion(words(secret))
                secrets.formUnion(words(decoded(secret)))
            }
            secrets.subtract(words(parts.shown))
        }
        return !secrets.isDisjoint(with: words(text))
    }

    /// `SCHEME://USER:PASSWORD@HOST:PORT,…/DATABASE?OPTION=VALUE&…`; nil where it is not certain which is which.
    private static func parts(of target: String) -> (shown: String, secrets: [String])? {
        guard let scheme = target.firstRange(of: "://"),
            target[..<scheme.lowerBound].utf8.allSatisfy({ isWord($0) })
        else { return nil }
        var rest = target[scheme.upperBound...]
        var secrets: [String] = []
        let options = rest.firstIndex(of: "?")
        let user = rest.lastIndex(of: "@")
        // One of them stands in what the other begins or ends.
        if let options, let user, options < user { return nil }
        if let options {
            for option in rest[rest.index(after: options)...].split(separator: "&") {
                let pair = option.split(separator: "=", maxSplits: 1)
                guard let name = pair.first, pair.count == 2 else { continue }
                if secretOptions.contains(String(name)) { secrets.append(String(pair[1])) }
            }
            rest = rest[..<options]
        }
        if let user {
            secrets.append(String(rest[..<user]))
            rest = rest[rest.index(after: user)...]
        }
        guard isPlain(rest) else { return nil }
        return (String(target[..<scheme.upperBound] + rest), secrets)
    }

    /// Whether it is `HOST:PORT,…/DATABASE`, without anything that a password may have brought there.
    private static func isPlain(_ text: Substring) -> Bool {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let hosts = parts.first else { return true }
        return parts.dropFirst().allSatisfy { isName($0) }
            && hosts.split(separator: ",").allSatisfy { isHost($0) }
    }

    private static func isHost(_ text: Substring) -> Bool {
        var name = text
        var port = Substring()
        if text.first == "[", let end = text.lastIndex(of: "]") {
            // A colon is one of the address there.
            name = text[text.index(after: text.startIndex)..<end]
            port = text[text.index(after: end)...]
            guard name.utf8.allSatisfy({ isWord($0) || $0 == UInt8(ascii: ":") }) else {
                return false
            }
        } else {
            if let colon = text.firstIndex(of: ":") {
                name = text[..<colon]
                port = text[colon...]
            }
            guard isName(name) else { return false }
        }
        guard let first = port.first else { return true }
        return first == ":"
            && port.dropFirst().utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    private static func isName(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { isWord($0) || "-.~%".utf8.contains($0) }
    }

    /// Of `[A-Za-z0-9_]`.
    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// What stands between signs; letters beyond ASCII are no signs.
    private static func words(_ text: String) -> Set<String> {
        var words: Set<String> = []
        for word in text.utf8.split(whereSeparator: { !isWord($0) && $0 < 0x80 }) {
            words.insert(String(decoding: word, as: UTF8.self))
        }
        return words
    }

    /// With the bytes that `%` and two digits stand for.
    private static func decoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = UInt8(
                    String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
