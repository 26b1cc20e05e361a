import Core

extension Optional<String> {
    /// Whether both are texts of the same bytes, or neither is one. Texts are kept as given: "é" as
    /// one scalar is another text than "é" as two (R2).
    func isExactly(_ other: String?) -> Bool {
        map { ExactText($0) } == other.map { ExactText($0) }
    }
}
