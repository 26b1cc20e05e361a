package import Engine
import EventLog

/// A cluster as its log describes it: for who looks after it, whether or not a node runs.
package struct ClusterView {
    package let node: String
    package let standing: LogStanding
    package let members: [ClusterMember]
    private let log: any SharedFrameLog

    /// After so long a node that was not heard of is taken for stopped.
    private static let silentMilliseconds = 3_000

    /// - Parameter directory: the journal of one of its nodes.
    package init(_ directory: String) throws(EngineError) {
        let files = try NodeFiles(directory)
        node = files.settings.node
        log = files.log
        do throws(JournalError) {
            standing = try log.standing()
            members = try log.members()
        } catch {
            throw .wrapping(error)
        }
    }

    /// The same; nil where the journal stands alone.
    package init?(ofNode directory: String) throws(EngineError) {
        do throws(JournalError) {
            if try LogSettings.read(in: directory) == nil { return nil }
        } catch {
            throw .wrapping(error)
        }
        try self.init(directory)
    }

    /// The nodes besides this one.
    package var others: [ClusterMember] { members.filter { $0.name != node } }

    /// Takes a node out: its keys are waited for no more, nor its erasures, and other nodes answer it nothing. It comes back when
    /// it is started again.
    package func remove(_ name: String) throws(EngineError) {
        guard let member = members.first(where: { $0.name == name }) else {
            throw EngineError(.wrongUse, "\(name) is no node of this cluster")
        }
        guard standing.node != name || member.hasResigned else {
            throw EngineError(
                .checkFailed, "\(name) decides: stop it, and let another node take over first")
        }
        guard member.silentMilliseconds > Self.silentMilliseconds else {
            throw EngineError(.checkFailed, "\(name) still runs: stop it first")
        }
        do throws(JournalError) {
            _ = try log.remove(name)
        } catch {
            throw .wrapping(error)
        }
    }
}
