package import EventLog

/// What a node asks of the others, directly. Each call keeps its thread, and comes back after some seconds at most.
package protocol ClusterPeers: Sendable {
    /// Hands keys to nodes, and returns when as many as are wanted have them on disk, or no more will: how many have.
    func give(
        _ keys: [CarriedKey], term: UInt32, to members: [ClusterMember], wanted: Int
    ) -> Int
    /// The keys of slots; nil where the node does not answer.
    func keys(in slots: [UInt32], of member: ClusterMember) -> GivenKeys?
    /// Whether a node decides, and has heard from the log lately; nil where it does not answer.
    func holdsLog(_ member: ClusterMember) -> Bool?
}

/// What a node has of the keys that it was asked for.
package struct GivenKeys: Sendable {
    package var keys: [CarriedKey]
    /// Slots whose keys an erasure has destroyed.
    package var destroyed: [UInt32]

    package init(keys: [CarriedKey], destroyed: [UInt32]) {
        self.keys = keys
        self.destroyed = destroyed
    }
}
