/// What happened, in Arabic, by the types of events: the English sentences are the events' own.
package enum ArabicSentences {
    private static let all = [examRoom, quranFlow, learnable, tafawoq].reduce(into: [:]) {
        $0.merge($1) { one, _ in one }
    }

    /// Nil for a type that nobody has put into words: the English sentence stands for it.
    package static func sentence(of type: String) -> String? { all[type] }
}
