import Core

/// An object of a configuration, whose members are taken one by one: one that is left over was misspelt.
struct PolicyObject {
    let path: String
    private var members: [String: JSON]

    init(_ json: JSON, _ path: String) throws(ConfigurationError) {
        guard let members = json.members else {
            throw ConfigurationError("\(path): an object is wanted")
        }
        self.path = path
        self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    mutating func take(_ name: String) -> JSON? { members.removeValue(forKey: name) }

    func end() throws(ConfigurationError) {
        guard let name = members.keys.sorted().first else { return }
        throw ConfigurationError("\(path).\(name): there is no such member")
    }

    mutating func text(_ name: String) throws(ConfigurationError) -> String? {
        guard let value = take(name) else { return nil }
        guard let text = value.string else {
            throw ConfigurationError("\(path).\(name): a text is wanted")
        }
        return text
    }

    mutating func array(_ name: String) throws(ConfigurationError) -> [JSON] {
        guard let value = take(name) else { return [] }
        guard let items = value.array else {
            throw ConfigurationError("\(path).\(name): an array is wanted")
        }
        return items
    }

    mutating func texts(_ name: String) throws(ConfigurationError) -> [String]? {
        guard members[name] != nil else { return nil }
        var texts: [String] = []
        for item in try array(name) {
            guard let text = item.string else {
                throw ConfigurationError("\(path).\(name): texts are wanted")
            }
            texts.append(text)
        }
        return texts
    }

    /// A text, or several.
    mutating func textOrTexts(_ name: String) throws(ConfigurationError) -> [String] {
        if let text = members[name]?.string {
            members.removeValue(forKey: name)
            return [text]
        }
        return try texts(name) ?? []
    }

    /// No number is taken that could be too large for what is reckoned with it.
    mutating func number(
        _ name: String, atMost most: Int
    ) throws(ConfigurationError) -> Int? {
        guard let value = take(name) else { return nil }
        guard let number = value.wholeNumber, number >= 0, number <= Int64(most) else {
            throw ConfigurationError("\(path).\(name): a whole number from 0 to \(most) is wanted")
        }
        return Int(number)
    }

    mutating func flag(_ name: String) throws(ConfigurationError) -> Bool {
        guard let value = take(name) else { return false }
        guard let flag = value.bool else {
            throw ConfigurationError("\(path).\(name): true or false is wanted")
        }
        return flag
    }
}
