/// Where a stream is: `nats://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…]/STREAM[?PARAMETER=VALUE&…]`.
///
/// Parameters are called as libpq calls them where it has the same: `sslmode` (`disable`, or `verify-full`, which any of the next
/// three implies), `sslrootcert`, `sslcert`, `sslkey`; besides `creds`, a file of credentials, and `replicas`, how many servers
/// have the stream when it is made. What is neither letter, digit nor one of `-._~` is percent-encoded (RFC 3986, 2.1).
package struct NATSAddress: Sendable, Hashable {
    package struct Server: Sendable, Hashable {
        package let host: String
        package let port: Int
    }

    package enum Login: Sendable, Hashable {
        case user(String, password: String)
        case token(String)
    }

    package struct TLS: Sendable, Hashable {
        /// Files in PEM form; nil for the system's authorities.
        package var authority: String?
        package var certificate: String?
        package var key: String?
    }

    /// In the order in which they are named; one at least.
    package private(set) var servers: [Server] = []
    /// Letters, digits, `-` and `_`.
    package private(set) var stream = ""
    package private(set) var login: Login?
    package private(set) var tls: TLS?
    package private(set) var credentials: String?
    /// 1 to 5.
    package private(set) var replicas: Int

    /// Throws ``NATSError/Kind/address`` with a message that shows no password.
    package init(_ text: String) throws(NATSError) {
        guard text.hasPrefix("nats://") else { throw Self.wrong("it begins with nats://") }
        let parts = text.dropFirst("nats://".count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let places = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard places.count == 2, Self.isName(places[1]) else {
            throw Self.wrong("a stream's name is wanted behind the hosts: nats://host:4222/EXAMS")
        }
        stream = String(places[1])
        replicas = 1
        var hosts = places[0]
        if let at = hosts.lastIndex(of: "@") {
            login = try Self.login(hosts[..<at])
            hosts = hosts[hosts.index(after: at)...]
        }
        for host in hosts.split(separator: ",", omittingEmptySubsequences: false) {
            servers.append(try Self.server(host))
        }
        if servers.count > 2 { replicas = 3 }
        for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, let value = Self.decoded(words[1]) else {
                throw Self.wrong("a parameter is written name=value")
            }
            try set(String(words[0]), value)
        }
        if tls?.key != nil && tls?.certificate == nil || tls?.certificate != nil && tls?.key == nil
        {
            throw Self.wrong("sslcert and sslkey go together")
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(NATSError) {
        switch (name, value) {
        case ("sslmode", "disable") where tls == nil: break
        case ("sslmode", "verify-full"): tls = tls ?? TLS()
        case ("sslrootcert", _): tls = changed { $0.authority = value }
        case ("sslcert", _): tls = changed { $0.certificate = value }
        case ("sslkey", _): tls = changed { $0.key = value }
        case ("creds", _): credentials = value
        case ("replicas", _):
            guard let count = Int(value), (1...5).contains(count) else {
                throw Self.wrong("replicas are 1 to 5")
            }
            replicas = count
        case ("sslmode", _): throw Self.wrong("sslmode is disable, or verify-full")
        default: throw Self.wrong("there is no parameter \(name)")
        }
    }

    private func changed(_ body: (inout TLS) -> Void) -> TLS {
        var tls = self.tls ?? TLS()
        body(&tls)
        return tls
    }

    private static func wrong(_ message: String) -> NATSError {
        NATSError(.address, "the address of a NATS log: \(message)")
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { isWord($0) }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func login(_ text: Substring) throws(NATSError) -> Login {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = decoded(words[0]), let last = decoded(words[words.count - 1]) else {
            throw wrong("a user or a password is not percent-encoded")
        }
        return words.count == 1 ? .token(first) : .user(first, password: last)
    }

    private static func server(_ text: Substring) throws(NATSError) -> Server {
        var host = text
        var port: Substring?
        // An IPv6 address has brackets, since it has colons.
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        let number = port.map { Int($0) ?? 0 } ?? 4222
        guard !host.isEmpty, (1...65_535).contains(number),
            host.utf8.allSatisfy({ isWord($0) || ".:[]".utf8.contains($0) })
        else { throw wrong("a server is written host:port") }
        return Server(host: String(host), port: number)
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(Substring(digits), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}
