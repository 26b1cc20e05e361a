public import Core
public import Folding

/// What a product with a policy refuses with (shared page, Policies).
public protocol PolicyRejection: RejectionCode {
    /// The policy has no value of that name.
    static var unknownPolicy: Self { get }
    /// The value has the wrong form, or its limits do not allow it.
    static var policyValueInvalid: Self { get }
}

/// The command that adopts values of a product's policy (shared page, Policies).
public protocol PolicyAdoption: ProductCommand
where Product.State: HoldsPolicy, Product.Rejection: PolicyRejection {
    /// The values by name.
    var changes: JSON { get set }
}

extension PolicyAdoption {
    public mutating func fields<C: Coder>(_ coder: inout C) { coder.field("changes", &changes) }

    public func problem(_ names: Names) -> String? {
        changes.members?.isEmpty == false
            ? nil : "expected an object \"changes\" with at least one value"
    }

    public func senders(in state: Product.State) -> Senders { .admin }

    public func decide(in context: DecisionContext<Product>) throws(Product.Rejection) {
        try adopt(in: context) { _ in [] }
    }

    /// - Parameter superseded: those of the adopted names that lose against a later write.
    public func adopt(
        in context: DecisionContext<Product>, superseded: ([String]) -> [String]
    ) throws(Product.Rejection) {
        let adopted = try values(in: context)
        context.record(
            PolicyAdopted<Product>(changes: adopted), on: "\(Product.product)/policy",
            superseded: superseded((adopted.members ?? []).map(\.name)))
    }

    /// The changes in canonical form, or the refusal with the name, the value and what it may be.
    private func values(
        in context: DecisionContext<Product>
    ) throws(Product.Rejection) -> JSON {
        do {
            return try context.state.policies.inForce.adopting(changes.members ?? [])
        } catch {
            switch error {
            case .unknownName(let name):
                throw context.refuse(
                    .unknownPolicy, .words(english: "\"\(name)\"", arabic: "«\(name)»"))
            case .invalidValue(let name, let value, let allowed):
                throw context.refuse(
                    .policyValueInvalid,
                    .value(name: name, value: value.excerpt, allowed: allowed))
            }
        }
    }
}

extension JSON {
    /// Its text with all its decimals, cut where it is long.
    fileprivate var excerpt: String {
        var writer = JSONWriter()
        writer.keepsDecimals = true
        writer.value(self)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        return text.count <= 80 ? text : "\(text.prefix(80))…"
    }
}
