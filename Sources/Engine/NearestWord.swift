import Core

extension EventEngine {
    /// The word that was probably meant by a misspelt one; nil where none is near.
    public static func nearest(to word: String, of words: [String]) -> String? {
        NearestName.of(word, in: words)
    }
}
