/// The person's key is destroyed: their personal fields read null from here on, past ones included
/// (contract, Personal data). Stream `account/PRODUCT/ID`.
package struct AccountErased: DestroysKey {
    package static let type = "account.erased"
    package static let streams = ["account"]
    package static let sentence = "A person's personal data was erased."
    package static let significance = Significance.erasure

    /// `PRODUCT/ID` of the person.
    package private(set) var subject = Word.empty

    package init() {}

    package init(product: String, id: Symbol, names: Names) {
        subject = Word(names.intern("\(product)/\(names.text(id))"))
    }

    package mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("subject", &subject)
    }

    package static func stream(product: String, id: String) -> String {
        "account/\(product)/\(id)"
    }
}
