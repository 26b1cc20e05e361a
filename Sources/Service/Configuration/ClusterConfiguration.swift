/// How a node of a cluster reaches the others, and when it takes over (docs/cluster.md).
extension ServiceConfiguration {
    package struct Cluster: Sendable {
        /// Where the other nodes reach this one, `host:port`; empty for a service that stands alone.
        package var address = ""
        /// Where it listens for them, `host:port`; where it is reached, if empty.
        package var listen = ""
        /// PEM files.
        package var certificate: String?
        package var privateKey: String?
        /// Who signs the nodes' certificates, and those of nobody else: a PEM file.
        package var authority: String?
        /// Whether it may take over.
        package var decides = true
        /// How many nodes have a new person's key on disk before anything is sealed with it; 0 for a majority.
        package var keyCopies = 0
        /// How many persons' keys may be missing when it takes over by itself.
        package var losing = 0
        package var takeOverSeconds = 3

        /// Whether there are other nodes.
        package var isOn: Bool { !address.isEmpty }

        func check() throws(ConfigurationError) {
            guard isOn else { return }
            guard Place(address) != nil else {
                throw ConfigurationError(
                    "cluster.address: host:port is wanted, such as 10.0.0.1:8190")
            }
            guard listen.isEmpty || Place(listen) != nil else {
                throw ConfigurationError(
                    "cluster.listen: host:port is wanted, such as 0.0.0.0:8190")
            }
            if certificate == nil || privateKey == nil || authority == nil {
                throw ConfigurationError(
                    "cluster.certificate, cluster.key and cluster.authority: all three are wanted, since persons' keys go from node to node"
                )
            }
        }
    }

    static var clusterSettings: [Setting] {
        [
            Setting(
                key: "cluster.address", summary: "where the other nodes reach this one, host:port",
                field: .text(\.cluster.address)),
            Setting(
                key: "cluster.listen", summary: "where it listens for them, if that is elsewhere",
                field: .text(\.cluster.listen)),
            Setting(
                key: "cluster.certificate",
                summary: "PEM file of this node's certificate, which bears its name",
                field: .path(\.cluster.certificate)),
            Setting(
                key: "cluster.key", summary: "PEM file of the private key",
                field: .path(\.cluster.privateKey)),
            Setting(
                key: "cluster.authority",
                summary: "PEM file of who signs the nodes' certificates, and no other",
                field: .path(\.cluster.authority)),
            Setting(
                key: "cluster.decides", summary: "whether this node may take over",
                field: .flag(\.cluster.decides)),
            Setting(
                key: "cluster.keyCopies",
                summary: "nodes that have a new person's key before it is used; 0: a majority",
                field: .number(\.cluster.keyCopies, 0...100)),
            Setting(
                key: "cluster.losing", summary: "keys that may be missing when it takes over",
                field: .number(\.cluster.losing, 0...Int(Int32.max))),
            Setting(
                key: "cluster.takeOverSeconds",
                summary: "how long who decides is silent until another node does",
                field: .number(\.cluster.takeOverSeconds, 1...3_600)),
        ]
    }

    /// `host:port`, or `[address]:port`.
    struct Place: Sendable, Hashable {
        let host: String
        let port: Int

        init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"),
                let port = Int(text[text.index(after: colon)...]),
                (1...65_535).contains(port)
            else { return nil }
            var host = text[..<colon]
            if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
            if host.isEmpty { return nil }
            self.host = String(host)
            self.port = port
        }
    }
}
