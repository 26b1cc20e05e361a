import Core
import Engine
import EventLog

/// What a node's thread knows from one step to the next.
struct Course {
    let node: ClusterNode
    private var member: ClusterMember
    /// Slots that frames named before their keys were here.
    var missing: [NamedSlot] = []
    private var hasLooked = false
    private var hasResumed = false
    /// Up to here erasures are carried out.
    private var erased = Position.zero
    private var role = ClusterNode.Status.Role.follows
    /// An erasure may be recorded that is not carried out here: it failed, or a process before
    /// this one did not come to it.
    private var owesErasures = true
    /// Since when the keys of the next frames are asked for.
    var askingSince: Int?
    var nextFill = 0
    private var nextHearing = 0
    private var nextTry = 0
    /// How the log stood when it last went on, and when that was seen.
    private var moved: (frames: UInt64, term: UInt32, at: Int) = (0, 0, 0)
    /// Since when the log has answered without a break.
    private var contactSince: Int?
    /// The disk refused something while this node decided: it takes over when that takes a write again.
    var isDiskFailing = false

    /// How often a node that follows looks whether the one that decides has given it up.
    private static let hearingMilliseconds = 100

    init(_ node: ClusterNode) {
        self.node = node
        member = ClusterMember(
            name: node.name, address: node.options.address, decides: node.options.decides)
    }

    private var own: any SharedFrameLog { node.own }
    private var here: UInt64 {
        get throws { try node.engine.journal.head().frameCount }
    }

    // MARK: Saying how it is

    /// Tells the others how this node is, and hears how they are.
    mutating func beat() throws {
        if !hasLooked {
            missing = try node.engine.missingKeys()
            if !missing.isEmpty { node.tell(.keysMissing(missing.count)) }
        }
        erased = try node.engine.erased(erased)
        member.frames = try here
        member.erased = erased.number
        member.missing = missing.count
        if hasLooked {
            // One that was taken out of the cluster comes back when it is started again.
            _ = try own.report(member)
        } else {
            try own.register(member, node.engine.capabilities)
            hasLooked = true
        }
        let standing = try own.standing()
        let members = try hear(standing)
        // Not before the others are known, who are to have the keys of new persons, too.
        if !hasResumed {
            try resume(standing)
            hasResumed = true
        }
        let (count, frames) = (missing.count, member.frames)
        node.publish { status in
            status.log = standing
            status.missingKeys = count
            status.frames = frames
            status.heardMilliseconds = Monotonic.milliseconds()
        }
        try checkOthers(members)
    }

    /// Hears how the others are.
    private mutating func hear(_ standing: LogStanding) throws -> [ClusterMember] {
        let members = try own.members()
        node.log.know(members, decider: standing.node)
        node.publish { $0.members = members }
        nextHearing = Monotonic.milliseconds() + Self.hearingMilliseconds
        return members
    }

    /// A node that had the log when it ended goes on with it, unless another one has taken over.
    private func resume(_ standing: LogStanding) throws {
        guard node.settings.term > 0, standing.term == node.settings.term,
            standing.node == node.name
        else { return }
        node.log.become(.decides(try SharedFrameLogs.open(node.settings, of: own.identity)))
    }

    /// Another node has found a frame that does not continue its journal: whoever finds the same stops with it.
    private mutating func checkOthers(_ members: [ClusterMember]) throws {
        for other in members where other.broken > 0 && other.name != node.name {
            guard other.silentMilliseconds < 60_000, node.log.isWell else { continue }
            guard try !isWhole(other.broken) else { continue }
            member.broken = other.broken
            halt("frame \(other.broken) of the log is not what was appended")
        }
    }

    /// Whether the log's frame is what its checksum says, and what this journal has, as far as it has it.
    private func isWhole(_ number: UInt64) throws -> Bool {
        let stored = try own.frames(after: number - 1, through: number)
        let head = try node.engine.journal.head()
        guard let frame = stored.first, stored.count == 1 else { return number > head.frameCount }
        guard frame.isWhole else { return false }
        if number == head.frameCount { return frame.chain == head.chain }
        let mine = try node.engine.journal.frames(after: number - 1, atMost: 1).first
        return mine?.number != number || mine == frame
    }

    /// Gives up deciding, so that nobody need wait to find out. Where the log does not hear of it, the next beat says so.
    mutating func resign() {
        guard case .decides = node.log.role else { return }
        node.log.become(.follows)
        member.hasResigned = true
        _ = try? own.report(member)
    }

    mutating func didLoseContact() { contactSince = nil }

    /// Nothing is written from here on, until ``recover()`` finds that the log is whole. Where nothing was found wrong with the
    /// log, it is this node's journal: it stops alone, for good, and another node may decide.
    mutating func halt(_ why: String) {
        if node.log.isWell { node.tell(.stopped(why)) }
        node.log.become(.stopped(why))
        if member.broken == 0 { member.hasResigned = true }
        _ = try? own.report(member)
    }

    // MARK: Steps

    /// One look at the log; for how many milliseconds the next one has time.
    mutating func step() throws -> Int {
        // The log is ahead of the journal, or as far: it is asked later.
        let head = try node.engine.journal.head()
        let standing = try own.standing()
        didHear(standing)
        let (frames, now) = (head.frameCount, Monotonic.milliseconds())
        node.publish { status in
            status.log = standing
            status.frames = frames
            status.heardMilliseconds = now
        }
        try tellRole(standing)
        switch node.log.role {
        case .stopped:
            return try recover(head, standing) ? 0 : 1_000
        case .decides(let log):
            guard standing.term == log.term else {
                node.log.become(.follows)
                return 0
            }
            try check(head, standing)
            // What said so behind the commit may have been lost, and perhaps nothing more is appended.
            if standing.confirmed < frames { log.didCommit(head) }
            if node.takeDoubt() { try handOnIfDiskFails() }
            try fill()
            try carryOutErasures()
            return 100
        case .follows:
            if isDiskFailing {
                try tryDisk()
                member.hasResigned = node.hasResigned
            }
            try check(head, standing)
            let hasTaken = try follow(standing, after: frames)
            // The log goes on as the journal does.
            member.broken = 0
            if hasTaken { return 0 }
            try fill()
            if Monotonic.milliseconds() >= nextHearing { _ = try hear(standing) }
            try takeOverIfDue(standing)
            // Last: nothing else waits for it.
            if case .follows = node.log.role { try carryOutErasures() }
            return 20
        }
    }

    private mutating func didHear(_ standing: LogStanding) {
        let now = Monotonic.milliseconds()
        if contactSince == nil { contactSince = now }
        if moved.frames != standing.frames || moved.term != standing.term {
            moved = (standing.frames, standing.term, now)
        }
    }

    private mutating func tellRole(_ standing: LogStanding) throws {
        let now = node.status.role
        guard now != role else { return }
        role = now
        node.tell(.role(now, term: standing.term))
        if now != .stopped {
            member.hasResigned = node.hasResigned || isDiskFailing
            _ = try own.report(member)
        }
    }

    /// A log that is shorter than the journal has lost its end; one with another last frame went another way.
    private mutating func check(_ head: Head, _ standing: LogStanding) throws {
        if standing.frames < head.frameCount {
            member.broken = standing.frames + 1
            throw EngineError(
                .badInput,
                "the log ends at frame \(standing.frames), this journal at \(head.frameCount)")
        }
        if standing.frames == head.frameCount, standing.chain != "\(head.chain)" {
            member.broken = standing.frames
            throw EngineError(
                .badInput, "frame \(standing.frames) of the log is not this journal's")
        }
    }

    /// Whether the log continues the journal again.
    private mutating func recover(_ head: Head, _ standing: LogStanding) throws -> Bool {
        guard member.broken > 0, standing.frames >= head.frameCount else { return false }
        if head.frameCount > 0 {
            let last = try own.frames(after: head.frameCount - 1, through: head.frameCount)
            guard last.first?.chain == head.chain else { return false }
        }
        guard try isWhole(member.broken) else { return false }
        member.broken = 0
        node.log.become(.follows)
        _ = try own.report(member)
        return true
    }

    /// Takes in some of what is confirmed; false if there is nothing.
    private mutating func follow(_ standing: LogStanding, after frames: UInt64) throws -> Bool {
        guard standing.confirmed > frames else { return false }
        let next = try own.frames(after: frames, through: standing.confirmed)
        guard !next.isEmpty else {
            member.broken = frames + 1
            throw EngineError(
                .badInput, "frame \(frames + 1) is missing in the log, which has \(standing.frames)"
            )
        }
        do {
            guard try bringKeys(of: next) else { return false }
            try take(next)
        } catch {
            throw try fault(error, in: next)
        }
        return true
    }

    /// Takes frames in. Where they are in the journal and something failed all the same, that was
    /// an erasure: it is tried again by itself.
    private mutating func take(_ frames: [LoggedFrame]) throws {
        let before = try here
        do {
            try node.engine.follow(frames)
            owesErasures = false
        } catch {
            guard try here > before else { throw error }
            owesErasures = true
        }
    }

    /// What is wrong with frames that were not taken in; a disk that fails says nothing of them.
    private mutating func fault(
        _ error: any Error, in frames: [LoggedFrame]
    ) throws -> any Error {
        guard EngineError.wrapping(error).kind == .badInput else { return error }
        member.broken = try firstBroken(of: frames)
        return LogFault.changed(in: frames) ?? error
    }

    /// The first of these frames that does not continue the journal, or is missing before one of them; 0 where all do.
    private func firstBroken(of frames: [LoggedFrame]) throws -> UInt64 {
        let head = try node.engine.journal.head()
        var (number, chain) = (head.frameCount, head.chain)
        for frame in frames {
            number += 1
            guard frame.number == number, frame.previous == chain, frame.isWhole
            else { return number }
            chain = frame.chain
        }
        return 0
    }

    // MARK: Erasures

    /// Whether an erasure fails each time it is tried.
    var isKeptFromErasing: Bool { owesErasures }

    /// What a process before this one recorded and did not come to, before anything else is done.
    mutating func carryOutWhatWasLeft() {
        do {
            try carryOutErasures()
        } catch {
            // It is tried again; where this node decides from here on, with the next commit.
            node.tell(.diskFailed(EngineError.wrapping(error).message))
        }
    }

    /// Carries out what may be left.
    private mutating func carryOutErasures() throws {
        guard owesErasures else { return }
        do {
            if try here > 0 { try node.engine.follow([]) }
        } catch {
            // Whatever it is, the log goes on as the journal does.
            throw EngineError(
                .inputOutput,
                "an erasure is not carried out: \(EngineError.wrapping(error).message)")
        }
        owesErasures = false
    }

    // MARK: Taking over

    private mutating func takeOverIfDue(_ standing: LogStanding) throws {
        let now = Monotonic.milliseconds()
        guard node.options.decides, !node.hasResigned, now >= nextTry,
            missing.count <= node.options.losing, try here == standing.confirmed, isWhole(standing),
            isVacant(standing, now)
        else { return }
        try tryDisk()
        nextTry = now + 1_000
        do {
            try takeOver(standing)
        } catch {
            // The term may be this node's already: it does not keep it from those who can write.
            isDiskFailing = true
            member.hasResigned = true
            _ = try? own.report(member)
            throw error
        }
    }

    /// Whether no node says that the log has lost something: it would go on otherwise than others have it.
    private func isWhole(_ standing: LogStanding) -> Bool {
        node.status.members.allSatisfy { $0.broken == 0 && $0.frames <= standing.frames }
    }

    /// Whether nobody decides, as far as can be told from here.
    private func isVacant(_ standing: LogStanding, _ now: Int) -> Bool {
        if standing.node.isEmpty || standing.node == node.name { return true }
        let patience = node.options.takeOverMilliseconds
        guard let decider = node.status.members.first(where: { $0.name == standing.node }) else {
            // A node of no cluster may have it, which writes no row.
            return !node.status.members.isEmpty && now - moved.at >= patience
        }
        if decider.hasResigned { return true }
        // Whoever was cut off from the log itself hears late of the others.
        guard let contactSince, now - contactSince >= patience, now - moved.at >= patience,
            decider.silentMilliseconds >= patience
        else { return false }
        return node.peers.holdsLog(decider) != true
    }

    /// The next term is this node's, if the log stands as it did; what the log has besides is taken in first.
    private mutating func takeOver(_ standing: LogStanding) throws {
        guard let term = try own.takeOver(from: standing) else {
            // The log went on, or another node was first: the next look says which.
            nextTry = 0
            return
        }
        var settings = node.settings
        settings.term = term
        let mine = try SharedFrameLogs.open(settings, of: own.identity)
        while true {
            let frames = try mine.frames(after: try here)
            if frames.isEmpty { break }
            let end = Monotonic.milliseconds() + 2 * Self.keyPatience
            do {
                while try !bringKeys(of: frames), Monotonic.milliseconds() < end {
                    Monotonic.pause(milliseconds: 50)
                }
                try take(frames)
            } catch {
                throw try fault(error, in: frames)
            }
        }
        guard "\(try node.engine.journal.head().chain)" == standing.chain else {
            member.broken = standing.frames
            throw EngineError(.badInput, "the journal's last frame is not the log's")
        }
        guard missing.count <= node.options.losing else {
            // The term is taken, and nobody decides: whoever has the keys is not kept waiting.
            member.hasResigned = true
            _ = try own.report(member)
            return
        }
        try settings.write(in: node.directory)
        node.log.become(.decides(mine))
        member.hasResigned = false
        _ = try own.report(member)
        try tellRole(try own.standing())
    }
}
