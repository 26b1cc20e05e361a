/// A node of a cluster as the log has it (docs/cluster.md).
package struct ClusterMember: Sendable, Hashable {
    /// As its certificate says, too.
    package var name: String
    /// Where the other nodes reach it: `host:port`.
    package var address: String
    /// Whether it may take over.
    package var decides: Bool
    /// How many frames its journal has.
    package var frames: UInt64
    /// Up to this position it has carried out all erasures.
    package var erased: UInt64
    /// How many persons' keys it lacks that no erasure destroyed.
    package var missing: Int
    /// The frame of the log that does not continue its journal; 0 if there is none.
    package var broken: UInt64
    /// It has given up deciding: the next one need not wait.
    package var hasResigned: Bool
    /// How long ago it was heard of, by the log's clock.
    package var silentMilliseconds: Int = 0

    package init(name: String, address: String, decides: Bool) {
        self.name = name
        self.address = address
        self.decides = decides
        frames = 0
        erased = 0
        missing = 0
        broken = 0
        hasResigned = false
    }
}
