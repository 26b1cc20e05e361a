/// What a product is called in wire names: its namespace says so.
public protocol ProductNamespace: SendableMetatype {
    /// `learnable` of `learnable.quiz.answered` and of `learnable/quiz/Q-1`.
    static var product: String { get }
}

/// Values of a product's policy changed; in force from this event's position on. Stream `PRODUCT/policy`.
public struct PolicyAdopted<Product: ProductNamespace>: Payload {
    public static var type: String { "\(Product.product).policy.adopted" }
    public static var streams: [String] { ["policy"] }
    public static var sentence: String { "Policy values were adopted." }
    public static var significance: Significance { .administrative }
    /// An object of the adopted values by name, each in canonical form.
    public private(set) var changes: JSON = .object([])

    public init() {}

    public init(changes: JSON) {
        self.changes = changes
    }

    public mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("changes", &changes)
    }
}
