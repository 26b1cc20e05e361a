import Core
package import Engine
package import EventLog
import Synchronization

/// One node of a cluster: takes in what the log has, says how it is, and takes over when nobody decides (docs/cluster.md).
///
/// ``run()`` keeps a thread; everything else may be called from any.
package final class ClusterNode: Sendable {
    package struct Options: Sendable {
        /// Where the other nodes reach this one: `host:port`.
        package var address: String
        /// Whether it may take over.
        package var decides: Bool
        /// How many persons' keys may be missing when it takes over by itself.
        package var losing: Int
        /// How long the one that decides is silent before another one takes over.
        package var takeOverMilliseconds: Int

        package init(address: String, decides: Bool, losing: Int, takeOverMilliseconds: Int) {
            self.address = address
            self.decides = decides
            self.losing = losing
            self.takeOverMilliseconds = takeOverMilliseconds
        }
    }

    /// How the node stands.
    package struct Status: Sendable {
        package enum Role: String, Sendable { case decides, follows, stopped }

        package var role = Role.follows
        /// Why it is stopped, or cannot reach the log.
        package var trouble: String?
        /// As the log was when it was asked last.
        package var log: LogStanding?
        package var frames: UInt64 = 0
        package var members: [ClusterMember] = []
        package var missingKeys = 0
        /// When the log answered last, by the machine's own clock.
        var heardMilliseconds = Monotonic.milliseconds()

        /// Frames that the log has and the journal has not.
        package var lag: UInt64 { log.map { $0.confirmed - min($0.confirmed, frames) } ?? 0 }

        /// Whoever decides; nil while that is nobody.
        package var decider: ClusterMember? { members.first { $0.name == log?.node } }
    }

    /// What the node's operator should hear of.
    package enum Note: Sendable {
        case role(Status.Role, term: UInt32)
        /// Nothing is written any more.
        case stopped(String)
        case logLost(String)
        case logBack
        /// This machine's disk refused something.
        case diskFailed(String)
        case diskMended
        case keysMissing(Int)
        case keysFilled(Int)
    }

    package let name: String
    let settings: LogSettings
    let directory: String
    let options: Options
    let engine: EventEngine
    let log: ClusterLog
    let peers: any ClusterPeers
    /// The connection of the thread that runs.
    let own: any SharedFrameLog
    let tell: @Sendable (Note) -> Void
    private let published = Mutex(Status())
    private let isStopping = Atomic<Bool>(false)
    private let isResigning = Atomic<Bool>(false)
    private let isDiskInDoubt = Atomic<Bool>(false)

    private static let pollMilliseconds = 20
    private static let beatMilliseconds = 500
    /// Whoever was silent so long is not waited for.
    private static let awayMilliseconds = 2_000

    /// - Parameter log: what the engine was opened with.
    package init(
        _ directory: String, _ settings: LogSettings, _ options: Options, engine: EventEngine,
        log: ClusterLog, peers: any ClusterPeers, tell: @escaping @Sendable (Note) -> Void
    ) throws(EngineError) {
        name = settings.node
        self.directory = directory
        self.settings = settings
        self.options = options
        self.engine = engine
        self.log = log
        self.peers = peers
        self.tell = tell
        var following = settings
        following.term = 0
        do throws(JournalError) {
            own = try SharedFrameLogs.open(following, of: engine.journal.identity)
        } catch {
            throw .wrapping(error)
        }
    }

    package var status: Status {
        var status = published.withLock { $0 }
        // The log may have been lost since the thread looked.
        switch log.role {
        case .decides: status.role = .decides
        case .follows: status.role = .follows
        case .stopped(let why): (status.role, status.trouble) = (.stopped, why)
        }
        return status
    }

    func publish(_ body: (inout Status) -> Void) { published.withLock { body(&$0) } }

    /// Whether this node decides, and heard from the log lately.
    package var holdsLog: Bool {
        guard case .decides = log.role else { return false }
        return silentMilliseconds < options.takeOverMilliseconds
    }

    /// How long the log has not answered.
    package var silentMilliseconds: Int {
        Monotonic.milliseconds() - published.withLock { $0.heardMilliseconds }
    }

    /// Other nodes' keys, for frames to come. A node that another one has followed gives none any more.
    package func keep(_ keys: [CarriedKey], term: UInt32) throws(EngineError) {
        let known = published.withLock { $0.log?.term ?? 0 }
        guard term >= known else {
            throw EngineError(.refused, "keys of term \(term) come too late: it is \(known)")
        }
        try engine.keep(keys)
    }

    /// Gives up deciding at the next step of ``run()``, and takes over no more; follows until it is told to stop.
    package func resign() { isResigning.store(true, ordering: .relaxed) }

    var hasResigned: Bool { isResigning.load(ordering: .relaxed) }

    /// Whether this node has given up deciding, and another one is there that has not taken over yet.
    package var isHandingOver: Bool {
        hasResigned && published.withLock { $0.log?.node } == name && hasSuccessor
    }

    /// Whether another node is there that may take over.
    var hasSuccessor: Bool {
        published.withLock { $0.members }.contains {
            $0.name != name && $0.decides && $0.silentMilliseconds < Self.awayMilliseconds
        }
    }

    /// Something was not recorded: the next step of ``run()`` looks whether the disk is to blame.
    package func doubtDisk() { isDiskInDoubt.store(true, ordering: .relaxed) }

    func takeDoubt() -> Bool { isDiskInDoubt.exchange(false, ordering: .relaxed) }

    /// Ends ``run()`` at its next step.
    package func stop() { isStopping.store(true, ordering: .relaxed) }

    // MARK: The thread

    /// Follows, reports and takes over until it is told to stop; then resigns.
    package func run() {
        var course = Course(self)
        course.carryOutWhatWasLeft()
        var nextBeat = 0
        var trouble: Trouble?
        while !isStopping.load(ordering: .relaxed) {
            var pause = Self.pollMilliseconds
            if hasResigned { course.resign() }
            do {
                if Monotonic.milliseconds() >= nextBeat {
                    try course.beat()
                    nextBeat = Monotonic.milliseconds() + Self.beatMilliseconds
                }
                pause = try course.step()
                if trouble != .disk || !course.isKeptFromErasing {
                    if let trouble { tell(trouble == .log ? .logBack : .diskMended) }
                    trouble = nil
                }
            } catch {
                let failure = EngineError.wrapping(error)
                if failure.kind == .badInput {
                    course.halt(failure.message)
                } else {
                    let met = Trouble(error)
                    if trouble != met {
                        tell(met == .log ? .logLost(failure.message) : .diskFailed(failure.message))
                    }
                    trouble = met
                    publish { $0.trouble = failure.message }
                    if met == .log { course.didLoseContact() }
                }
                pause = 250
            }
            if trouble == nil { publish { if log.isWell { $0.trouble = nil } } }
            if pause > 0 { Monotonic.pause(milliseconds: pause) }
        }
        course.resign()
    }

    /// What a step failed by.
    enum Trouble {
        case log, disk

        /// A log's errors come as they are, without a code of the system.
        init(_ error: any Error) {
            self = (error as? JournalError)?.code == 0 ? .log : .disk
        }
    }
}

extension ClusterLog {
    var isWell: Bool {
        if case .stopped = role { return false }
        return true
    }
}
