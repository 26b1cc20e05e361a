internal import ArgumentParser

/// Arguments of a read model, `--arg NAME=VALUE`.
struct ModelArguments: ParsableArguments {
    @Option(
        name: .customLong("arg"),
        help: ArgumentHelp("An argument of the model; may be repeated.", valueName: "name=value"))
    var texts: [String] = []

    /// By name.
    func values() throws(ValidationError) -> [String: String] {
        var values: [String: String] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ValidationError("--arg \(text) is not of the form name=value")
            }
            guard values.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw ValidationError("--arg \(parts[0])=… is given twice")
            }
        }
        return values
    }
}

/// The words of a question: a model, perhaps a key, perhaps a path.
enum QuestionWords {
    /// A path begins with `$`, which no key does.
    static func split(_ words: [String]) -> (model: String, key: String?, path: String?) {
        let path = words.count > 1 && words[words.count - 1].hasPrefix("$") ? words.last : nil
        let rest = path == nil ? words : words.dropLast()
        return (rest[0], rest.count > 1 ? rest[1] : nil, path)
    }
}
