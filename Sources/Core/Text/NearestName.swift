/// The name that was probably meant by a misspelt one.
public enum NearestName {
    /// The one of the names that takes the fewest changes (a sign more, less, another, or two exchanged); of equals the first
    /// by code point. Nil where none is near: more than a third of the signs would change.
    public static func of(_ text: String, in names: some Sequence<String>) -> String? {
        let signs = Array(text.utf8.prefix(128))
        let most = max(1, signs.count / 3)
        var best: (name: String, changes: Int)?
        for name in names {
            let changes = changes(from: signs, to: Array(name.utf8), atMost: best?.changes ?? most)
            guard let changes else { continue }
            if let best,
                best.changes < changes || best.changes == changes && best.name.precedes(name)
            {
                continue
            }
            best = (name, changes)
        }
        return best?.name
    }

    /// The distance of Damerau and Levenshtein, of neighbours exchanged once; nil where it is more than `most`.
    private static func changes(from left: [UInt8], to right: [UInt8], atMost most: Int) -> Int? {
        guard abs(left.count - right.count) <= most else { return nil }
        var before: [Int] = []
        var last = Array(0...right.count)
        for (row, sign) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var fewest = min(
                    last[column] + (sign == other ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, sign == right[column - 1], left[row - 1] == other {
                    fewest = min(fewest, before[column - 1] + 1)
                }
                next.append(fewest)
            }
            before = last
            last = next
        }
        return last[right.count] <= most ? last[right.count] : nil
    }
}
