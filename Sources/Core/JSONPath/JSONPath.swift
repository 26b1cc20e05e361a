/// A query for values in a JSON document: JSONPath (RFC 9535), with the functions `length`, `count` and `value`.
///
/// `match` and `search` are refused: their regular expressions (RFC 9485) are not spoken here.
public struct JSONPath: Hashable, Sendable {
    let segments: [Segment]

    /// One step from nodes to nodes.
    struct Segment: Hashable, Sendable {
        /// Whether it looks at all that lies beneath, too (`..`).
        var isDescendant = false
        var selectors: [Selector]
    }

    enum Selector: Hashable, Sendable {
        case name(String)
        case wildcard
        /// From the end if negative.
        case index(Int)
        case slice(start: Int?, end: Int?, step: Int)
        case filter(JSONCondition)
    }

    /// A value, and where it stands in the document.
    public struct Node: Hashable, Sendable {
        /// From the root to the value.
        public let location: [Step]
        /// The value found there.
        public let value: JSON
    }

    /// A member's name, or an item's index from 0.
    public enum Step: Hashable, Sendable {
        /// A member of an object.
        case name(String)
        /// An item of an array.
        case index(Int)
    }

    /// Whether it names at most one value: names and indexes alone.
    public var isSingular: Bool {
        segments.allSatisfy { segment in
            guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
            switch segment.selectors[0] {
            case .name, .index: return true
            case .wildcard, .slice, .filter: return false
            }
        }
    }

    /// The values it names in a document, in the order of RFC 9535; members in that of their names.
    public func nodes(in document: JSON) -> [Node] {
        nodes(from: document, root: document)
    }

    func nodes(from start: JSON, root: JSON) -> [Node] {
        var nodes = [Node(location: [], value: start)]
        for segment in segments {
            nodes = nodes.flatMap { node in
                let origins = segment.isDescendant ? node.withDescendants : [node]
                return origins.flatMap { origin in
                    segment.selectors.flatMap { $0.select(from: origin, root: root) }
                }
            }
        }
        return nodes
    }
}

extension JSONPath.Node {
    fileprivate var children: [JSONPath.Node] {
        switch value {
        case .array(let items):
            items.enumerated().map { child(.index($0.offset), $0.element) }
        case .object(let members): members.map { child(.name($0.name), $0.value) }
        default: []
        }
    }

    fileprivate func child(_ step: JSONPath.Step, _ value: JSON) -> JSONPath.Node {
        JSONPath.Node(location: location + [step], value: value)
    }

    /// The node, then what lies beneath each child in turn.
    fileprivate var withDescendants: [JSONPath.Node] {
        [self] + children.flatMap(\.withDescendants)
    }
}

extension JSONPath.Selector {
    fileprivate func select(from node: JSONPath.Node, root: JSON) -> [JSONPath.Node] {
        switch self {
        case .name(let name):
            return node.value[name].map { [node.child(.name(name), $0)] } ?? []
        case .wildcard: return node.children
        case .index(let index):
            guard case .array(let items) = node.value else { return [] }
            let place = index < 0 ? items.count + index : index
            guard items.indices.contains(place) else { return [] }
            return [node.child(.index(place), items[place])]
        case .slice(let start, let end, let step):
            guard case .array(let items) = node.value else { return [] }
            return Self.indices(of: items.count, from: start, to: end, by: step).map {
                node.child(.index($0), items[$0])
            }
        case .filter(let condition):
            return node.children.filter { condition.holds(for: $0.value, root: root) }
        }
    }

    /// The indices of a slice (RFC 9535, 2.3.4.2.2).
    private static func indices(of count: Int, from start: Int?, to end: Int?, by step: Int)
        -> [Int]
    {
        func place(_ index: Int) -> Int { index >= 0 ? index : count + index }
        if step > 0 {
            let lower = min(max(place(start ?? 0), 0), count)
            let upper = min(max(place(end ?? count), 0), count)
            return lower < upper ? Array(stride(from: lower, to: upper, by: step)) : []
        }
        guard step < 0 else { return [] }
        let upper = min(max(start.map(place) ?? count - 1, -1), count - 1)
        let lower = min(max(end.map(place) ?? -1, -1), count - 1)
        return upper > lower ? Array(stride(from: upper, to: lower, by: step)) : []
    }
}

extension [JSONPath.Step] {
    /// As a normalized path (RFC 9535, 2.7), with a name written `.name` where that is one.
    public var pathText: String {
        reduce(into: "$") { text, step in
            switch step {
            case .index(let index): text += "[\(index)]"
            case .name(let name) where JSONPathParser.isShorthand(name): text += ".\(name)"
            case .name(let name): text += "[\(name.quoted(by: "'"))]"
            }
        }
    }

    /// As a JSON Pointer (RFC 6901).
    public var pointer: String {
        map { step in
            switch step {
            case .index(let index): "/\(index)"
            case .name(let name):
                "/"
                    + name.unicodeScalars.reduce(into: "") { text, scalar in
                        switch scalar {
                        case "~": text += "~0"
                        case "/": text += "~1"
                        default: text.unicodeScalars.append(scalar)
                        }
                    }
            }
        }.joined()
    }
}
