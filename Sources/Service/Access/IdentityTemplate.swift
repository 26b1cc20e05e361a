import Core
import Engine

/// An identity as the policy has it: in its `actor` and its `journals`, `{claim}` stands for what a token says.
struct IdentityTemplate: Sendable {
    private var identity: Identity
    private let actor: TextTemplate?
    private let journals: [TextTemplate]?

    /// A hundred years.
    private static let mostSeconds = 3_155_760_000
    private static let mostRequests = 1_000_000

    /// - Parameter hasClaims: whether there is a token whose claims can be named.
    init(_ object: inout PolicyObject, hasClaims: Bool) throws(ConfigurationError) {
        let path = object.path
        guard let name = try object.text("name"), !name.isEmpty else {
            throw ConfigurationError("\(path).name: it is missing")
        }
        var roles: Set<Role> = []
        for word in try object.texts("roles") ?? [] {
            guard let role = Role(rawValue: word) else {
                let known = Role.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationError("\(path).roles: \(word) is none of \(known)")
            }
            roles.insert(role)
        }
        if roles.isEmpty { throw ConfigurationError("\(path).roles: name at least one") }
        identity = Identity(name: name, roles: roles)
        for word in try object.texts("onBehalfOf") ?? [] {
            guard let kind = Actor.Kind(rawValue: word) else {
                throw ConfigurationError("\(path).onBehalfOf: \(word) is no kind of actor")
            }
            identity.behalf.insert(kind)
        }
        identity.products = try object.texts("products").map { Set($0) }
        identity.seesPersonal = try object.flag("personal")
        identity.ahead = try object.number("aheadSeconds", atMost: Self.mostSeconds)
        identity.behind = try object.number("behindSeconds", atMost: Self.mostSeconds)
        identity.subscriptions = try object.texts("subscriptions").map { Set($0) }
        identity.submitRate =
            try object.number("submitsPerSecond", atMost: Self.mostRequests)
            ?? identity.submitRate
        identity.readRate =
            try object.number("readsPerSecond", atMost: Self.mostRequests) ?? identity.readRate

        let actorText = try object.text("actor")
        actor = actorText.map { TextTemplate($0) }
        journals = try object.texts("journals")?.map { TextTemplate($0) }
        if actor == nil, !roles.isDisjoint(with: [.submitter, .service, .own]) {
            throw ConfigurationError("\(path).actor: these roles act in somebody's name: give one")
        }
        // Whatever stands for a claim: an actor must come of it.
        guard filled({ hasClaims && !$0.isEmpty ? "X" : nil }) != nil else {
            throw ConfigurationError(
                "\(path).actor: such as student:S-1, service:hall or system\(hasClaims ? ", or student:{sub} with a claim" : ""): \(actorText ?? "")"
            )
        }
    }

    /// The identity where no claim is named.
    var constant: Identity? { filled { _ in nil } }

    /// The identity of who has these claims; nil where one that is named is missing or is no id.
    func filled(_ claim: (String) -> String?) -> Identity? {
        func id(_ name: String) -> String? {
            guard let text = claim(name), IdentifierForm.accepts(text) else { return nil }
            return text
        }
        var identity = identity
        if let actor {
            guard let viewer = actor.filled(id).flatMap({ Viewer($0) }) else { return nil }
            identity.actor = viewer
        }
        if let journals {
            var names: Set<String> = []
            for journal in journals {
                guard let name = journal.filled(id) else { return nil }
                names.insert(name)
            }
            identity.journals = names
        }
        return identity
    }
}

/// A text in which `{name}` stands for a value.
private struct TextTemplate: Sendable {
    private enum Part {
        case text(Substring)
        case name(String)
    }

    private var parts: [Part] = []

    init(_ text: String) {
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"),
            let close = rest[open...].firstIndex(of: "}")
        {
            parts.append(.text(rest[..<open]))
            parts.append(.name(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        parts.append(.text(rest))
    }

    func filled(_ value: (String) -> String?) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .text(let literal): text += literal
            case .name(let name):
                guard let value = value(name) else { return nil }
                text += value
            }
        }
        return text
    }
}
