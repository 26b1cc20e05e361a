public import Core
public import Folding

/// What a product may refuse: the stable codes of its page, each with a sentence for people.
public protocol RejectionCode: Error, RawRepresentable, CaseIterable, Sendable
where RawValue == String {
    var message: String { get }
    /// The same in Arabic, where the product speaks it.
    var messageAr: String? { get }
    /// What every product refuses with (shared page).
    static var forbidden: Self { get }
    static var notFound: Self { get }
    static var alreadyExists: Self { get }
    static var clockBehind: Self { get }
}

extension RejectionCode {
    public var messageAr: String? { nil }
}

/// The rules of one product: the fold they stand on, the codes they refuse with, and what they decide.
public protocol Rules: ProductNamespace {
    /// What the product's events fold into.
    associatedtype State: FoldedState
    /// The codes of the product's page.
    associatedtype Rejection: RejectionCode
    /// Every command of the product; the engine looks them up by their wire names.
    static var commands: [CommandType<Self>] { get }
    /// The timer's moment has come: records what follows, or nothing if its condition does not hold.
    static func fire(_ timer: DueTimer, in context: DecisionContext<Self>)
    /// `account.erase`: records the erasure, and what the product lets follow.
    static func erase(_ person: Symbol, in context: DecisionContext<Self>) throws(Rejection)
    /// Records a refused `account.erase` where the page wants that (ExamRoom R5); nothing elsewhere.
    static func traceErasure(refused rejection: Rejection, in context: DecisionContext<Self>)
    /// The command, without its id and instant, that ends a person's key and gives them another, where the
    /// product has one: given again where a backup is from before (docs/backup.md).
    static func renewal(of person: String) -> [JSON.Member]?
    /// In Arabic, where the product speaks it, what a code says that is found before the product is asked:
    /// `malformed`, `id-reused`, `clock-behind` and the like.
    static func messageAr(ofShared code: String) -> String?
    /// What the product calls a kind of thing or of actor in Arabic, where it speaks it.
    static func nounAr(_ noun: String) -> String?
}

extension Rules {
    /// Where a command of this product is decided.
    public typealias Context = DecisionContext<Self>

    public static func fire(_ timer: DueTimer, in context: DecisionContext<Self>) {}

    public static func traceErasure(
        refused rejection: Rejection, in context: DecisionContext<Self>
    ) {}

    public static func renewal(of person: String) -> [JSON.Member]? { nil }

    public static func messageAr(ofShared code: String) -> String? { nil }

    public static func nounAr(_ noun: String) -> String? { nil }
}

/// A request to do something: the data of a command, who may send it, and the rule that decides it.
///
/// It has no clock, no store and no `await`: the same state, command and instant give the same answer for ever.
public protocol ProductCommand<Product>: Record {
    /// The product whose rules decide it.
    associatedtype Product: Rules
    /// The wire name, such as `examroom.exam.create`.
    static var type: String { get }
    /// What makes the data malformed besides the forms of its fields; nil for nothing.
    func problem(_ names: Names) -> String?
    /// Who may send it (page, Who).
    func senders(in state: Product.State) -> Senders
    /// The kinds of actor that may send it, whatever it names.
    static func kinds(in state: Product.State) -> [Actor.Kind]
    /// The first check: `forbidden`, unless it is one of the senders. A product adds what it asks of every sender.
    func authorize(in context: DecisionContext<Product>) throws(Product.Rejection)
    /// The codes of the page's row in their order, then the events.
    func decide(in context: DecisionContext<Product>) throws(Product.Rejection)
    /// Records the refusal where the page wants that (ExamRoom R5); nothing elsewhere.
    func trace(of rejection: Product.Rejection, in context: DecisionContext<Product>)
}

extension ProductCommand {
    public func problem(_ names: Names) -> String? { nil }

    public static func kinds(in state: Product.State) -> [Actor.Kind] {
        empty.senders(in: state).kinds
    }

    public func authorize(in context: DecisionContext<Product>) throws(Product.Rejection) {
        let senders = senders(in: context.state)
        guard context.admits(senders) else {
            throw context.forbidden(Self.type, for: senders)
        }
    }

    public func trace(of rejection: Product.Rejection, in context: DecisionContext<Product>) {}
}

/// A command type without its Swift type, for the table that commands are looked up in.
public struct CommandType<Product: Rules>: Sendable {
    public let name: String
    public let type: any ProductCommand.Type
    /// The command with these data; nil with the reason in the input.
    public let read: @Sendable (JSON, inout JSONInput) -> (any ProductCommand<Product>)?

    /// The entry of a command type in its product's table.
    public init<C: ProductCommand>(_ type: C.Type) where C.Product == Product {
        name = C.type
        self.type = type
        read = { json, input in
            guard let command = C.read(json, from: &input) else { return nil }
            if let problem = command.problem(input.names) {
                input.fail(problem)
                return nil
            }
            return command
        }
    }
}
