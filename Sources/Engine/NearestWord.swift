import Core

extension EventEngine {
    /// The word that was probably meant, for whoever misspelt one of these; nil where none is near.
    public static func nearest(to word: String, of words: [String]) -> String? {
        NearestName.of(word, in: words)
    }
}
