package import EventLog
import Synchronization

/// The log of a journal whose node takes turns with others: it appends while the node decides, and refuses while it follows.
package final class ClusterLog: FrameLog {
    /// What the node does.
    package enum Role: Sendable {
        case follows
        case decides(any SharedFrameLog)
        /// The log and the journal do not continue each other: nothing is written until somebody has looked.
        case stopped(String)
    }

    private struct State {
        var role = Role.follows
        var decider = ""
        var members: [ClusterMember] = []
    }

    private let node: String
    private let peers: any ClusterPeers
    /// How many nodes have a key, this one among them, before something is sealed with it; 0 for a majority.
    private let keyCopies: Int
    private let state = Mutex(State())

    private static let silentMilliseconds = 2_000

    package init(node: String, peers: any ClusterPeers, keyCopies: Int) {
        self.node = node
        self.peers = peers
        self.keyCopies = keyCopies
    }

    package var role: Role { state.withLock { $0.role } }

    func become(_ role: Role) { state.withLock { $0.role = role } }

    func know(_ members: [ClusterMember], decider: String) {
        state.withLock { state in
            state.members = members
            state.decider = decider
        }
    }

    // MARK: FrameLog

    package var term: UInt32 {
        if case .decides(let log) = role { return log.term }
        return 0
    }

    package var isAhead: Bool {
        if case .decides(let log) = role { return log.isAhead }
        return true
    }

    private func deciding<R>(
        _ body: (any SharedFrameLog) throws(JournalError) -> R
    ) throws(JournalError) -> R {
        let (role, decider) = state.withLock { ($0.role, $0.decider) }
        switch role {
        case .decides(let log):
            do throws(JournalError) {
                return try body(log)
            } catch {
                if error.kind == .readOnly { didLose(log) }
                throw error
            }
        case .follows:
            throw JournalError(
                .readOnly, "this node follows; \(decider.isEmpty ? "nobody" : decider) has the log",
                advice: "submit there, or wait until a node has taken over")
        case .stopped(let why):
            throw JournalError(
                .readOnly, "this node writes nothing: \(why)",
                advice: "see `sijilld cluster status`, then `sijilld cluster heal`")
        }
    }

    /// Somebody else has the log: the node follows from here on.
    private func didLose(_ log: any SharedFrameLog) {
        state.withLock { state in
            if case .decides(let current) = state.role, current === log { state.role = .follows }
        }
    }

    package func prepare(_ batch: Batch, _ keys: [CarriedKey]) throws(JournalError) {
        if batch.newTypes.isEmpty, keys.isEmpty { return }
        try deciding { log throws(JournalError) in
            let members = self.state.withLock { $0.members }
            // Else nobody would be waited for. A node that has none beside it knows itself.
            guard !members.isEmpty else {
                throw JournalError(
                    .busy, "this node has not heard yet which nodes there are",
                    advice: "the same command again, in a moment")
            }
            let others = members.filter { $0.name != self.node }
            try Self.check(batch.newTypes, log)
            if keys.isEmpty { return }
            let copies = self.keyCopies > 0 ? self.keyCopies : members.count / 2 + 1
            let wanted = min(copies - 1, others.count)
            guard wanted > 0 else { return }
            // Whoever was silent gets them later.
            let heard = others.filter { $0.silentMilliseconds < Self.silentMilliseconds }
            let given = self.peers.give(
                keys, term: log.term, to: heard.count < wanted ? others : heard, wanted: wanted)
            guard given >= wanted else {
                // They take none from a node that was taken over.
                try log.checkHold()
                throw JournalError(
                    .busy,
                    "\(given + 1) of \(wanted + 1) nodes have the keys of new persons on disk",
                    advice: "the same command again, once the other nodes are back")
            }
        }
    }

    /// No event is written that a node cannot read: an upgrade reaches all of them first.
    private static func check(
        _ types: [TypeRecord], _ log: any SharedFrameLog
    ) throws(JournalError) {
        for type in types {
            guard let node = try log.nodeLacking("\(type.name) \(type.version)") else { continue }
            throw JournalError(
                .busy, "\(node) does not know events of type \(type.name) \(type.version)",
                advice: "upgrade that node, or take it out with `sijilld cluster leave`")
        }
    }

    package func append(_ frames: [LoggedFrame]) throws(JournalError) {
        try deciding { log throws(JournalError) in try log.append(frames) }
    }

    package func didCommit(_ head: Head) {
        if case .decides(let log) = role { log.didCommit(head) }
    }

    package func didNotCommit() {
        if case .decides(let log) = role { log.didNotCommit() }
    }

    package func frames(after number: UInt64) throws(JournalError) -> [LoggedFrame] {
        try deciding { log throws(JournalError) in try log.frames(after: number) }
    }

    package func didSettle() {
        if case .decides(let log) = role { log.didSettle() }
    }

    package func checkHold() throws(JournalError) {
        try deciding { log throws(JournalError) in try log.checkHold() }
    }
}
