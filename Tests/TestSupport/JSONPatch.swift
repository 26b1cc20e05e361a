package import Core

/// JSON Patch (RFC 6902), as far as differences use it.
package enum JSONPatch {
    /// An operation that does not apply.
    package struct Failed: Error { package let operation: JSON }

    /// The document after all operations of the patch.
    package static func apply(_ patch: JSON, to document: JSON) throws -> JSON {
        try (patch.array ?? []).reduce(document) { document, operation in
            guard let path = operation["path"]?.string, let name = operation["op"]?.string else {
                throw Failed(operation: operation)
            }
            let steps = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .map(String.init).map {
                    $0.replacing("~1", with: "/").replacing("~0", with: "~")
                }
            return try change(document, steps[...], name, operation)
        }
    }

    private static func change(
        _ value: JSON, _ steps: ArraySlice<String>, _ name: String, _ operation: JSON
    ) throws -> JSON {
        guard let step = steps.first else {
            switch name {
            case "test" where operation["value"] == value: return value
            case "replace": return operation["value"] ?? .null
            default: throw Failed(operation: operation)
            }
        }
        let rest = steps.dropFirst()
        switch value {
        case .object(var members):
            let place = members.firstIndex { $0.name.isExactly(step) }
            if rest.isEmpty, name == "remove", let place {
                members.remove(at: place)
            } else if rest.isEmpty, name == "add", place == nil {
                members.append(JSON.Member(name: step, value: operation["value"] ?? .null))
            } else if let place {
                members[place].value = try change(members[place].value, rest, name, operation)
            } else {
                throw Failed(operation: operation)
            }
            return .object(of: members.map { ($0.name, $0.value) })
        case .array(var items):
            guard let place = Int(step) else { throw Failed(operation: operation) }
            if rest.isEmpty, name == "add", place <= items.count {
                items.insert(operation["value"] ?? .null, at: place)
            } else if rest.isEmpty, name == "remove", items.indices.contains(place) {
                items.remove(at: place)
            } else if items.indices.contains(place) {
                items[place] = try change(items[place], rest, name, operation)
            } else {
                throw Failed(operation: operation)
            }
            return .array(items)
        default: throw Failed(operation: operation)
        }
    }
}
