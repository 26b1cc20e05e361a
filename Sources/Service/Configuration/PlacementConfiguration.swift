/// Where the journals beside the default one are (docs/service/placement.md).
extension ServiceConfiguration {
    package struct Placed: Sendable {
        /// The table of nodes and journals; nil where all journals are here.
        package var file: String?
        /// What the table calls this node.
        package var node = ""
    }

    static var placementSettings: [Setting] {
        [
            Setting(
                key: "placement.file",
                summary: "JSON file that says which node has which journal",
                field: .path(\.placement.file)),
            Setting(
                key: "placement.node", summary: "what that file calls this node",
                field: .text(\.placement.node)),
        ]
    }

    func checkPlacement() throws(ConfigurationError) {
        guard placement.file != nil else { return }
        if placement.node.isEmpty || journals == nil {
            throw ConfigurationError(
                "placement.file: placement.node and journals are wanted with it")
        }
    }

    /// The table as its file has it now; nil where there is none.
    func readPlacement() throws(ConfigurationError) -> Placement? {
        guard let file = placement.file else { return nil }
        return try Placement(file: file, node: placement.node)
    }
}
