/// The person's key is destroyed: their personal fields read null from here on, past ones included
/// (contract, Personal data). Stream `account/PRODUCT/ID`.
public struct AccountErased: Payload {
    public static let type = "account.erased"
    public static let streams = ["account"]
    public static let sentence = "A person's personal data was erased."
    public static let significance = Significance.erasure
    public static let destroysKey = true

    /// `PRODUCT/ID` of the person.
    public private(set) var subject = InternedText.empty

    public init() {}

    public init(product: String, id: Symbol, names: Names) {
        subject = InternedText(names.intern("\(product)/\(names.text(id))"))
    }

    public mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("subject", &subject)
    }

    /// Where the erasure of a person stands: `account/PRODUCT/ID`.
    public static func stream(product: String, id: String) -> String {
        "account/\(product)/\(id)"
    }
}
