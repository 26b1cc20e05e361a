import HTTPTypes

/// Finds what stands for a path: a tree of the words of all paths, in which `{name}` stands for any word and `{name+}` for all
/// the rest.
struct RouteTree<Value: Sendable>: Sendable {
    private struct Node {
        var words: [(word: String, node: Int)] = []
        /// Behind any other word.
        var name: Int?
        /// Whether its words are all the rest of a path.
        var takesRest = false
        var values: [(method: HTTPRequest.Method, value: Value)] = []
    }

    /// The values of a path, and what stands for its names, still percent-encoded.
    struct Found {
        fileprivate let values: [(method: HTTPRequest.Method, value: Value)]
        private(set) var names: [Substring]

        fileprivate init(
            values: [(method: HTTPRequest.Method, value: Value)], names: [Substring]
        ) {
            self.values = values
            self.names = names
        }

        subscript(method: HTTPRequest.Method) -> Value? {
            values.first { $0.method == method }?.value
        }

        var methods: [HTTPRequest.Method] { values.map(\.method) }
    }

    private var nodes = [Node()]

    mutating func add(_ path: String, _ method: HTTPRequest.Method, _ value: Value) {
        var node = 0
        for part in path.split(separator: "/") {
            let isName = part.hasPrefix("{")
            let known =
                isName ? nodes[node].name : nodes[node].words.first { $0.word == part }?.node
            let next = known ?? nodes.count
            if known == nil {
                nodes.append(Node())
                if isName {
                    nodes[node].name = next
                } else {
                    nodes[node].words.append((String(part), next))
                }
            }
            if part.hasSuffix("+}") { nodes[next].takesRest = true }
            node = next
        }
        nodes[node].values.append((method, value))
    }

    /// Nil where no path is like this one. Slashes at its end do not count.
    func find(_ path: Substring) -> Found? {
        var node = 0
        var names: [Substring] = []
        var rest = path
        while true {
            guard rest.utf8.first == UInt8(ascii: "/") else { break }
            rest = rest.dropFirst()
            if rest.utf8.allSatisfy({ $0 == UInt8(ascii: "/") }) {
                rest = rest[rest.endIndex...]
                break
            }
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            let word = rest[..<end]
            if let next = nodes[node].words.first(where: { Self.agree($0.word, word) })?.node {
                node = next
            } else if let next = nodes[node].name, !word.isEmpty {
                node = next
                names.append(nodes[next].takesRest ? rest : word)
                if nodes[next].takesRest {
                    rest = rest[rest.endIndex...]
                    break
                }
            } else {
                return nil
            }
            rest = rest[end...]
        }
        guard rest.isEmpty, !nodes[node].values.isEmpty else { return nil }
        return Found(values: nodes[node].values, names: names)
    }

    private static func agree(_ word: String, _ part: Substring) -> Bool {
        word.utf8.count == part.utf8.count && word.utf8.elementsEqual(part.utf8)
    }
}
