public import Core
public import Folding

/// What a product may refuse: the stable codes of its page, each with a sentence for people.
public protocol RejectionCode: Error, RawRepresentable, CaseIterable, Sendable
where RawValue == String {
    var message: String { get }
    /// The same in Arabic, where the product speaks it.
    var messageAr: String? { get }
}

extension RejectionCode {
    public var messageAr: String? { nil }
}

/// The rules of one product: the fold they stand on, the codes they refuse with, and what they decide.
public protocol Rules: SendableMetatype {
    associatedtype State: FoldedState
    associatedtype Rejection: RejectionCode
    static var product: String { get }
    static var decisions: [DecisionType<Self>] { get }
    /// The timer's moment has come: records what follows, or nothing if its condition does not hold.
    static func fire(_ timer: Timer, in scene: Scene<State>)
    /// `account.erase`: records the erasure, and what the product lets follow.
    static func erase(_ person: Symbol, in scene: Scene<State>) throws(Rejection)
    /// The command, without its id and instant, that ends a person's key and gives them another, where the
    /// product has one: given again where a backup is from before (docs/backup.md).
    static func renewal(of person: String) -> [JSON.Member]?
    /// The rejection behind a code that every product shares.
    static var clockBehind: Rejection { get }
    /// In Arabic, where the product speaks it, what a code says that is found before the product is asked:
    /// `malformed`, `id-reused`, `clock-behind` and the like.
    static func messageAr(ofShared code: String) -> String?
}

extension Rules {
    public static func renewal(of person: String) -> [JSON.Member]? { nil }

    public static func messageAr(ofShared code: String) -> String? { nil }
}

/// A request to do something: the data of a command, and the rule that decides it.
///
/// `decide` checks in the order of the page's row, then records the facts. It has no clock, no store
/// and no `await`; the same state, command and instant give the same answer for ever.
public protocol Decision: Record {
    associatedtype Product: Rules
    /// The wire name, such as `examroom.exam.create`.
    static var type: String { get }
    /// What makes the data malformed besides the forms of its fields; nil for nothing.
    func problem(_ names: Names) -> String?
    func decide(in scene: Scene<Product.State>) throws(Product.Rejection)
    /// Records the refusal where the page wants that (ExamRoom R5); nothing elsewhere.
    func trace(of rejection: Product.Rejection, in scene: Scene<Product.State>)
}

extension Decision {
    public func problem(_ names: Names) -> String? { nil }

    public func trace(of rejection: Product.Rejection, in scene: Scene<Product.State>) {}
}

/// A command type without its Swift type, for the table that commands are looked up in.
public struct DecisionType<Product: Rules>: Sendable {
    public let name: String
    public let type: any Decision.Type
    /// The decision behind a command's data; nil with the reason in the input.
    public let read: @Sendable (JSON, inout JSONInput) -> PreparedDecision<Product>?

    public init<D: Decision>(_ type: D.Type) where D.Product == Product {
        name = D.type
        self.type = type
        read = { json, input in
            guard let decision = D.read(json, from: &input) else { return nil }
            if let problem = decision.problem(input.names) {
                input.fail(problem)
                return nil
            }
            return PreparedDecision(
                decide: { scene throws(Product.Rejection) in try decision.decide(in: scene) },
                trace: { rejection, scene in decision.trace(of: rejection, in: scene) })
        }
    }
}

/// A command whose data has the right form.
public struct PreparedDecision<Product: Rules> {
    public let decide: (Scene<Product.State>) throws(Product.Rejection) -> Void
    public let trace: (Product.Rejection, Scene<Product.State>) -> Void
}
