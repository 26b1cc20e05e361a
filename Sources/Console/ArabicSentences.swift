/// What happened, in Arabic, by the types of events.
enum ArabicSentences {
    private static let all: [String: String] = [:]

    /// Nil for a type that nobody has put into words yet: the English sentence stands for it.
    static func sentence(of type: String) -> String? { all[type] }
}
