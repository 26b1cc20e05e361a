import Core
import Engine

/// What somebody may do, roughly (docs/service.md, Roles).
enum Role: String, Sendable, CaseIterable {
    /// Submits commands in the name of the one actor that they are.
    case submitter
    /// Submits commands as a service, and for actors of the kinds that it may speak for.
    case service
    /// Asks what their own actor may see.
    case own = "self"
    /// Asks read models and events of the products listed.
    case reader
    /// Works off subscriptions.
    case consumer
    /// Asks everything, proofs and reports with it; changes nothing.
    case auditor
    /// Jobs, subscriptions, checkpoints; no commands, no personal values.
    case `operator`
}

/// What a route asks of who comes.
enum Right: String, Sendable, CaseIterable {
    /// Anybody may.
    case open
    case submit, read, question, consume, audit, operate

    /// The roles that have it.
    var roles: Set<Role> { Self.table[self] ?? [] }

    private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.listed) })

    private var listed: Set<Role> {
        switch self {
        case .open: Set(Role.allCases)
        case .submit: [.submitter, .service]
        case .read: [.submitter, .service, .own, .reader, .auditor]
        case .question: [.reader, .auditor]
        case .consume: [.consumer, .operator]
        case .audit: [.auditor, .operator]
        case .operate: [.operator]
        }
    }
}

/// Who sent a request, and what they may do.
struct Identity: Sendable, Hashable {
    /// For the log; never a person's name.
    var name: String
    var roles: Set<Role>
    /// Stands in the log for the one of many who have the name: of who has a signed token.
    var pseudonym: String?
    /// In whose name they act and see.
    var actor: Viewer?
    /// The kinds of actor that a service may submit for.
    var behalf: Set<Actor.Kind> = []
    /// The products that they have to do with; nil for all.
    var products: Set<String>?
    /// Whether a reader or auditor is shown personal values.
    var seesPersonal = false
    /// How far a command's `at` may lie from the service's clock, in seconds; nil for as far as the journal takes.
    var ahead: Int?
    var behind: Int?
    /// The subscriptions of a consumer; nil for all.
    var subscriptions: Set<String>?
    /// The journals; nil for all.
    var journals: Set<String>?
    /// Requests a second, of submissions and of all others.
    var submitRate = 100
    var readRate = 1_000

    /// Whoever comes where nobody says who they are: on this machine alone, without a policy.
    static let local = Identity(
        name: "local", roles: Set(Role.allCases), actor: Viewer("system"),
        behalf: Set(Actor.Kind.allCases),
        seesPersonal: true, submitRate: .max, readRate: .max)

    func has(_ right: Right) -> Bool { right == .open || !roles.isDisjoint(with: right.roles) }

    /// Whether they have to do with the product of a read model, a command or an event, the word before its first dot, or of a
    /// person, PRODUCT/ID.
    func knows(_ name: String) -> Bool {
        guard let products else { return true }
        let product = String(name.prefix { $0 != "." && $0 != "/" })
        return products.contains(product)
    }

    /// Whether their questions are answered as for one who sees everything, with the personal values or without.
    var seesAll: Bool { !roles.isDisjoint(with: [.reader, .auditor]) }

    /// Whether their questions go to an engine that opens no personal value.
    var isKeptFromPersonal: Bool { seesAll && !seesPersonal }

    /// What they may see of an outcome: no event of another product, nothing personal that is kept from them.
    func seeing(_ outcome: Outcome, of engine: EventEngine) throws(EngineError) -> Outcome {
        try engine.restricted(outcome, toProducts: products, hidesPersonal: isKeptFromPersonal)
    }

    /// Who works off subscriptions is given events as a reader is.
    var asConsumer: Identity {
        var identity = self
        identity.roles = [.reader]
        return identity
    }

    /// In whose name the engine is asked; nil for one who sees all.
    var viewer: Viewer? {
        guard !seesAll, let actor, actor.kind != .system else { return nil }
        return actor
    }
}
