import Core
import Foundation

/// Which node has which journal: a file that every node has (docs/service/placement.md, ADR 0071).
struct Placement: Sendable {
    /// Where a journal is.
    enum Place: Sendable, Equatable {
        case here
        /// At a node that clients reach at this address, which has no slash at its end.
        case elsewhere(address: String)
        /// On its way from one node to another: nobody writes to it.
        case moving
        /// The file does not name it.
        case nowhere
    }

    /// This node's name in the file.
    let node: String
    private var addresses: [String: String] = [:]
    /// Nodes by the names of journals; nil for one that moves.
    private(set) var nodes: [String: String?] = [:]

    init(file path: String, node: String) throws(ConfigurationError) {
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ConfigurationError(
                "placement.file: \(path) cannot be read: \(error.localizedDescription)")
        }
        do throws(ConfigurationError) {
            try self.init(bytes, node: node)
        } catch {
            throw ConfigurationError("placement.file: \(path): \(error.message)")
        }
    }

    private init(_ bytes: [UInt8], node: String) throws(ConfigurationError) {
        self.node = node
        let json: JSON
        do { json = try JSON(parsing: bytes) } catch {
            throw ConfigurationError("not JSON: \(error)")
        }
        var object = try PolicyObject(json, "the table")
        for (name, value) in try Self.members(&object, "nodes") {
            guard let text = value.string, let url = URL(string: text),
                ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false,
                url.path().isEmpty || url.path() == "/"
            else {
                throw ConfigurationError(
                    "nodes.\(name): an address is wanted, such as https://a.school.example:8180")
            }
            addresses[name] = text.hasSuffix("/") ? String(text.dropLast()) : text
        }
        guard addresses[node] != nil else {
            throw ConfigurationError("nodes: \(node), the name in placement.node, is missing")
        }
        for (name, value) in try Self.members(&object, "journals") {
            guard HostedJournals.isName(name) else {
                throw ConfigurationError("journals.\(name): no journal may be called so")
            }
            if value.isNull {
                nodes[name] = .some(nil)
                continue
            }
            guard let node = value.string, addresses[node] != nil else {
                throw ConfigurationError(
                    "journals.\(name): the name of a node is wanted, or null while it moves")
            }
            nodes[name] = node
        }
        try object.end()
    }

    private static func members(
        _ object: inout PolicyObject, _ name: String
    ) throws(ConfigurationError) -> [(name: String, value: JSON)] {
        guard let members = object.take(name)?.members else {
            throw ConfigurationError("\(name): an object is wanted")
        }
        return members.map { ($0.name, $0.value) }
    }

    func place(of journal: String) -> Place {
        guard let node = nodes[journal] else { return .nowhere }
        guard let node else { return .moving }
        if node == self.node { return .here }
        return addresses[node].map { .elsewhere(address: $0) } ?? .nowhere
    }
}
