package import Core

/// What is expected against what came, as `docs/contract/scenarios.py` compares: objects as
/// subsets, arrays element by element, `"*"` matches anything, numbers as numbers.
package enum Matching {
    /// The first difference, or nil.
    package static func difference(
        _ expected: JSON, _ actual: JSON, at place: String = "$"
    ) -> String? {
        switch expected {
        case .string("*"): return nil
        case .object(let members):
            guard case .object(let there) = actual else {
                return "\(place): expected an object, got \(actual)"
            }
            for member in members {
                guard let value = there.value(of: member.name) else {
                    let names = there.map(\.name).joined(separator: ", ")
                    return "\(place).\(member.name): missing (there: \(names))"
                }
                let inner = "\(place).\(member.name)"
                if let found = difference(member.value, value, at: inner) { return found }
            }
            return nil
        case .array(let elements):
            guard case .array(let there) = actual else {
                return "\(place): expected an array, got \(actual)"
            }
            guard elements.count == there.count else {
                let counts = "\(elements.count) elements, got \(there.count)"
                return "\(place): expected \(counts): \(actual)"
            }
            for (index, (left, right)) in zip(elements, there).enumerated() {
                if let found = difference(left, right, at: "\(place)[\(index)]") { return found }
            }
            return nil
        case .number:
            guard case .number = actual, let left = Double(expected.description),
                let right = Double(actual.description), abs(left - right) < 1e-9
            else { return "\(place): expected \(expected), got \(actual)" }
            return nil
        case .null, .bool, .string:
            return expected == actual ? nil : "\(place): expected \(expected), got \(actual)"
        }
    }
}
