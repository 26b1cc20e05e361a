/// Words as a shell takes them, for lines that somebody copies.
enum ShellWords {
    /// Of words that the shell would read otherwise each is quoted.
    static func line(_ words: [String]) -> String {
        Printable.line(words.map(quoted).joined(separator: " "))
    }

    private static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.unicodeScalars.allSatisfy(isPlain) { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", ":", "/", "=", ",", "@", "+", "%": true
        default: false
        }
    }
}
