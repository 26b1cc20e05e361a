import Core
import Engine
import Foundation

/// Who may what: a file that the operator writes (docs/service.md, Access).
struct AccessPolicy: Sendable {
    /// Identities by the SHA-256 of their token, in hexadecimal digits: the token itself is nowhere.
    private(set) var tokens: [String: Identity] = [:]
    /// What becomes of who comes without a token; nil: they are refused.
    var anonymous: Identity?

    /// Everybody who reaches the service may do everything: for a service that listens on this machine alone.
    static let local = AccessPolicy(anonymous: .local)

    private init(anonymous: Identity?) { self.anonymous = anonymous }

    init(file path: String) throws(ConfigurationError) {
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ConfigurationError(
                "access.file: \(path) cannot be read: \(error.localizedDescription)")
        }
        do throws(ConfigurationError) {
            try self.init(bytes)
        } catch {
            throw ConfigurationError("access.file: \(path): \(error.message)")
        }
    }

    init(_ bytes: [UInt8]) throws(ConfigurationError) {
        let json: JSON
        do { json = try JSON(parsing: bytes) } catch {
            throw ConfigurationError("not JSON: \(error)")
        }
        var object = try PolicyObject(json, "the policy")
        for (index, item) in try object.array("identities").enumerated() {
            var object = try PolicyObject(item, "identities[\(index)]")
            let identity = try object.identity()
            guard let digest = try object.text("tokenSHA256") else {
                throw ConfigurationError("\(object.path).tokenSHA256: it is missing")
            }
            guard digest.count == 64, Hex.bytes(digest.lowercased()) != nil else {
                throw ConfigurationError(
                    "\(object.path).tokenSHA256: 64 hexadecimal digits, as sha256sum prints them")
            }
            tokens[digest.lowercased()] = identity
            try object.end()
        }
        if let item = object.take("anonymous") {
            var object = try PolicyObject(item, "anonymous")
            anonymous = try object.identity()
            try object.end()
        }
        try object.end()
    }

    /// The identity that a token stands for.
    ///
    /// It is looked up by its digest: how long that takes says nothing about a token that somebody guesses at.
    func identity(token: String) -> Identity? { tokens[SHA256Digest.hex(of: Array(token.utf8))] }
}

/// An object of a configuration, whose members are taken one by one: one that is left over was misspelt.
private struct PolicyObject {
    let path: String
    private var members: [String: JSON]

    init(_ json: JSON, _ path: String) throws(ConfigurationError) {
        guard let members = json.members else {
            throw ConfigurationError("\(path): an object is wanted")
        }
        self.path = path
        self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    mutating func take(_ name: String) -> JSON? { members.removeValue(forKey: name) }

    func end() throws(ConfigurationError) {
        guard let name = members.keys.sorted().first else { return }
        throw ConfigurationError("\(path).\(name): there is no such member")
    }

    mutating func text(_ name: String) throws(ConfigurationError) -> String? {
        guard let value = take(name) else { return nil }
        guard let text = value.string else {
            throw ConfigurationError("\(path).\(name): a text is wanted")
        }
        return text
    }

    mutating func array(_ name: String) throws(ConfigurationError) -> [JSON] {
        guard let value = take(name) else { return [] }
        guard let items = value.array else {
            throw ConfigurationError("\(path).\(name): an array is wanted")
        }
        return items
    }

    mutating func texts(_ name: String) throws(ConfigurationError) -> [String]? {
        guard members[name] != nil else { return nil }
        var texts: [String] = []
        for item in try array(name) {
            guard let text = item.string else {
                throw ConfigurationError("\(path).\(name): texts are wanted")
            }
            texts.append(text)
        }
        return texts
    }

    mutating func number(_ name: String) throws(ConfigurationError) -> Int? {
        guard let value = take(name) else { return nil }
        guard let number = value.wholeNumber, number >= 0 else {
            throw ConfigurationError("\(path).\(name): a whole number from 0 is wanted")
        }
        return Int(number)
    }

    mutating func flag(_ name: String) throws(ConfigurationError) -> Bool {
        guard let value = take(name) else { return false }
        guard let flag = value.bool else {
            throw ConfigurationError("\(path).\(name): true or false is wanted")
        }
        return flag
    }

    /// The members that every identity may have.
    mutating func identity() throws(ConfigurationError) -> Identity {
        guard let name = try text("name"), !name.isEmpty else {
            throw ConfigurationError("\(path).name: it is missing")
        }
        var roles: Set<Role> = []
        for word in try texts("roles") ?? [] {
            guard let role = Role(rawValue: word) else {
                let known = Role.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationError("\(path).roles: \(word) is none of \(known)")
            }
            roles.insert(role)
        }
        if roles.isEmpty { throw ConfigurationError("\(path).roles: name at least one") }
        var identity = Identity(name: name, roles: roles)
        if let actor = try text("actor") {
            guard let viewer = Viewer(actor) else {
                throw ConfigurationError(
                    "\(path).actor: such as student:S-1, service:hall or system: \(actor)")
            }
            identity.actor = viewer
        }
        if identity.actor == nil, !roles.isDisjoint(with: [.submitter, .service, .own]) {
            throw ConfigurationError("\(path).actor: these roles act in somebody's name: give one")
        }
        for word in try texts("onBehalfOf") ?? [] {
            guard let kind = Actor.Kind(rawValue: word) else {
                throw ConfigurationError("\(path).onBehalfOf: \(word) is no kind of actor")
            }
            identity.behalf.insert(kind)
        }
        identity.products = try texts("products").map { Set($0) }
        identity.seesPersonal = try flag("personal")
        identity.ahead = try number("aheadSeconds")
        identity.behind = try number("behindSeconds")
        identity.subscriptions = try texts("subscriptions").map { Set($0) }
        identity.journals = try texts("journals").map { Set($0) }
        identity.submitRate = try number("submitsPerSecond") ?? identity.submitRate
        identity.readRate = try number("readsPerSecond") ?? identity.readRate
        return identity
    }
}
