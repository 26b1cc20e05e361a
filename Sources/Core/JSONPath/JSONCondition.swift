/// Something that is so of a JSON document or not: a logical expression of JSONPath (RFC 9535, 2.3.5).
///
/// `$.streak < 3`, `$.entries[0].student == "S-1" && $.total > 9`, `!$.deadline`. Where nothing stands at a path, it
/// equals nothing but another nothing; texts are less than texts and numbers less than numbers alone.
public indirect enum JSONCondition: Hashable, Sendable {
    /// Each is so: `&&`.
    case all([JSONCondition])
    /// At least one is so: `||`.
    case any([JSONCondition])
    /// It is not so: `!`.
    case not(JSONCondition)
    /// Something stands at the path, be it null.
    case exists(Query)
    /// Two values compare so.
    case compare(Operand, Comparison, Operand)

    /// A path from the document, or from the value that is looked at.
    public struct Query: Hashable, Sendable {
        let startsAtRoot: Bool
        let path: JSONPath

        func nodes(_ current: JSON, _ root: JSON) -> [JSONPath.Node] {
            path.nodes(from: startsAtRoot ? root : current, root: root)
        }
    }

    /// How two values compare; the raw values are the operators.
    public enum Comparison: String, Hashable, Sendable {
        /// Both are the same value, or both are nothing.
        case equal = "=="
        /// The contrary of `equal`.
        case unequal = "!="
        /// Of two numbers or two texts alone.
        case less = "<"
        /// Less or equal.
        case atMost = "<="
        /// Of two numbers or two texts alone.
        case greater = ">"
        /// Greater or equal.
        case atLeast = ">="
    }

    /// A value that is compared.
    public indirect enum Operand: Hashable, Sendable {
        /// The value that stands in the condition.
        case literal(JSON)
        /// The value at a path that names at most one.
        case value(Query)
        /// The number of a text's characters, an array's items or an object's members.
        case length(Operand)
        /// The number of values at a path.
        case count(Query)
        /// The value at a path that may name several, if it names one.
        case only(Query)
    }

    /// Whether it is so of a document.
    public func holds(for document: JSON) -> Bool { holds(for: document, root: document) }

    func holds(for current: JSON, root: JSON) -> Bool {
        switch self {
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: current, root: root) }
        case .any(let conditions): conditions.contains { $0.holds(for: current, root: root) }
        case .not(let condition): !condition.holds(for: current, root: root)
        case .exists(let query): !query.nodes(current, root).isEmpty
        case .compare(let left, let comparison, let right):
            comparison.holds(left.value(current, root), right.value(current, root))
        }
    }
}

extension JSONCondition.Operand {
    /// Nil where there is nothing.
    fileprivate func value(_ current: JSON, _ root: JSON) -> JSON? {
        switch self {
        case .literal(let value): return value
        case .value(let query): return query.nodes(current, root).first?.value
        case .length(let operand):
            switch operand.value(current, root) {
            case .string(let text): return .integer(Int64(text.unicodeScalars.count))
            case .array(let items): return .integer(Int64(items.count))
            case .object(let members): return .integer(Int64(members.count))
            default: return nil
            }
        case .count(let query): return .integer(Int64(query.nodes(current, root).count))
        case .only(let query):
            let nodes = query.nodes(current, root)
            return nodes.count == 1 ? nodes[0].value : nil
        }
    }
}

extension JSONCondition.Comparison {
    fileprivate func holds(_ left: JSON?, _ right: JSON?) -> Bool {
        switch self {
        case .equal: Self.areEqual(left, right)
        case .unequal: !Self.areEqual(left, right)
        case .less: Self.isLess(left, right)
        case .greater: Self.isLess(right, left)
        case .atMost: Self.isLess(left, right) || Self.areEqual(left, right)
        case .atLeast: Self.isLess(right, left) || Self.areEqual(left, right)
        }
    }

    private static func areEqual(_ left: JSON?, _ right: JSON?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (.number(let left)?, .number(let right)?): left.compare(right) == 0
        case (.array(let left)?, .array(let right)?):
            left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1) }
        case (.object(let left)?, .object(let right)?):
            left.count == right.count
                && zip(left, right).allSatisfy {
                    $0.name.isExactly($1.name) && areEqual($0.value, $1.value)
                }
        case (let left?, let right?): left == right
        default: false
        }
    }

    private static func isLess(_ left: JSON?, _ right: JSON?) -> Bool {
        switch (left, right) {
        case (.number(let left)?, .number(let right)?): left.compare(right) < 0
        case (.string(let left)?, .string(let right)?): left.precedes(right)
        default: false
        }
    }
}
