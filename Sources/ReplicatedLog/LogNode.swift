import Core
package import Engine
package import EventLog

/// A journal whose frames go to a log, or come from it: how it is set up, follows, and takes over.
package enum LogNode {
    /// The log that the file in a journal's directory names; nil where the journal stands alone.
    package static func log(of directory: String) throws(EngineError) -> (any FrameLog)? {
        try errors { () throws(JournalError) in
            guard let settings = try LogSettings.read(in: directory) else { return nil }
            let journal = try Journal(at: directory, access: .readOnly)
            return try SharedFrameLogs.open(settings, of: journal.identity)
        }
    }

    private static func errors<R>(_ body: () throws -> R) throws(EngineError) -> R {
        do { return try body() } catch { throw .wrapping(error) }
    }

    /// An address or a name that is none is the caller's mistake, and no server's.
    private static func named<R>(
        _ body: () throws(JournalError) -> R
    ) throws(EngineError) -> R {
        do throws(JournalError) {
            return try body()
        } catch {
            guard error.kind == .invalid else { throw .wrapping(error) }
            throw EngineError(.wrongUse, error.description)
        }
    }

    /// The kind of log that is at an address, for a node that has a name.
    private static func kind(
        of address: String, for node: String
    ) throws(EngineError) -> any SharedFrameLog.Type {
        try named { () throws(JournalError) -> any SharedFrameLog.Type in
            try checkName(node)
            return try SharedFrameLogs.kind(of: address)
        }
    }

    // MARK: Setting up

    /// Makes a log for an empty journal, which appends to it from then on.
    package static func create(
        _ directory: String, address: String, node: String
    ) throws(EngineError) {
        let kind = try kind(of: address, for: node)
        try errors {
            guard try LogSettings.read(in: directory) == nil else {
                throw JournalError(
                    .alreadyThere, "\(directory): its frames go to a log already",
                    advice: "see `replay log status`")
            }
            let journal = try Journal(at: directory)
            try journal.lockWriter(waitMilliseconds: 10_000)
            defer { journal.unlockWriter() }
            guard try journal.head().frameCount == 0 else {
                throw JournalError(
                    .alreadyThere, "\(directory): there are events, which no log has",
                    advice: "make an empty journal with a log, and import the export into it")
            }
            let isMade = try named { () throws(JournalError) -> Bool in
                try kind.create(
                    at: address, node: node, journal: journal.identity, lead: journal.lead)
            }
            guard isMade else {
                throw JournalError(
                    .alreadyThere, "the log has this journal already", advice: "take it over")
            }
            try LogSettings(address: address, node: node, term: 1).write(in: directory)
        }
    }

    /// Makes an empty journal that follows the log; `identity` where that has several.
    package static func join(
        _ directory: String, address: String, node: String, identity: String?
    ) throws(EngineError) {
        let kind = try kind(of: address, for: node)
        let found = try named { () throws(JournalError) -> [LoggedJournal] in
            try kind.journals(at: address, node: node, identity: identity)
        }
        try errors {
            guard found.count == 1, let only = found.first else {
                let names = found.map(\.identity).joined(separator: ", ")
                throw JournalError(
                    .invalid,
                    found.isEmpty
                        ? "the log has no such journal" : "the log has several journals: \(names)",
                    advice: found.isEmpty ? "make one with `replay log create`" : "name one")
            }
            let draft = try JournalDraft(at: directory, restoring: only.identity, lead: only.lead)
            do throws(JournalError) {
                // Before anybody may open it for writing.
                try LogSettings(address: address, node: node, term: 0).write(in: directory)
                try draft.publish()
            } catch {
                draft.discard()
                throw error
            }
        }
    }

    private static func checkName(_ node: String) throws(JournalError) {
        guard !node.isEmpty, node.utf8.count <= 64,
            node.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw JournalError(
                .invalid, "\"\(node)\" is no name of a node",
                advice: "take 1 to 64 visible ASCII characters")
        }
    }
}

/// A journal that takes in what others append to its log.
package final class LogFollower {
    private let directory: String
    private var settings: LogSettings
    private let engine: EventEngine
    private let log: any SharedFrameLog
    /// An erasure may be recorded that is not carried out here: it failed, or a process before
    /// this one did not come to it.
    private var owesErasures = true

    private var journal: Journal { engine.journal }

    /// Its own writes are those of the log.
    private struct Following: FrameLog {
        var term: UInt32 { 0 }
        var isAhead: Bool { false }

        func append(_ frames: [LoggedFrame]) throws(JournalError) {
            throw JournalError(
                .readOnly, "a journal that follows decides nothing", advice: "take over")
        }

        func didCommit(_ head: Head) {}
        func didNotCommit() {}
        func frames(after number: UInt64) -> [LoggedFrame] { [] }
        func didSettle() {}
        func checkHold() {}
    }

    /// Opens the journal in a directory.
    package init(_ directory: String, _ options: EventEngine.Options) throws(EngineError) {
        self.directory = directory
        var options = options
        options.log = Following()
        engine = try EventEngine(at: directory, options: options)
        let found: LogSettings?
        do throws(JournalError) {
            found = try LogSettings.read(in: directory)
        } catch {
            throw .wrapping(error)
        }
        guard let found else {
            throw EngineError(
                .wrongUse,
                "\(directory): its frames go to no log; make a log with `replay log create`, or join one"
            )
        }
        settings = found
        do throws(JournalError) {
            log = try SharedFrameLogs.open(found, of: engine.journal.identity)
        } catch {
            throw .wrapping(error)
        }
    }

    /// Takes in what is known to be durable; how many frames that were. A log that does not
    /// continue the journal is bad input.
    package func follow() throws(EngineError) -> Int {
        do {
            let count = try journal.withWriterLock { try followConfirmed() }
            if count > 0 { owesErasures = true }
            // Somebody may have been erased: whoever has their keys forgets them.
            if owesErasures, try journal.head().frameCount > 0 {
                try engine.carryOutErasures()
                owesErasures = false
            }
            return count
        } catch {
            throw .wrapping(error)
        }
    }

    /// Where the log stands, and this journal.
    package func standing() throws(EngineError) -> (log: LogStanding, frames: UInt64, node: String)
    {
        do throws(JournalError) {
            return (try log.standing(), try journal.head().frameCount, settings.node)
        } catch {
            throw .wrapping(error)
        }
    }

    /// Becomes the node that appends: everything that the log has is taken in, and whoever appended before does so no more.
    ///
    /// - Parameters:
    ///   - copy: a directory with a copy of the file `keys` of a node that had the persons' keys.
    ///   - losing: how many keys may be missing for good.
    package func takeOver(keys copy: String?, losing: Int) throws(EngineError) -> UInt32 {
        do {
            return try journal.withWriterLock {
                let standing = try catchUp(copy, losing)
                try checkEnd(standing)
                guard let term = try log.takeOver(from: standing) else { throw Self.wentOn }
                settings.term = term
                let mine = try SharedFrameLogs.open(settings, of: journal.identity)
                while true {
                    let frames = try mine.frames(after: try journal.head().frameCount)
                    if frames.isEmpty { break }
                    try journal.follow(frames)
                }
                guard "\(try journal.head().chain)" == standing.chain else {
                    throw JournalError(
                        .damaged(nil), "the journal's last frame is not the log's",
                        advice: "compare them with the other nodes' before anything is written")
                }
                try engine.carryOutErasures()
                try bringKeys(copy, losing)
                try settings.write(in: directory)
                return term
            }
        } catch {
            throw .wrapping(error)
        }
    }

    /// Takes in what is confirmed, with its keys; whoever appends may go on meanwhile.
    private func catchUp(_ copy: String?, _ losing: Int) throws -> LogStanding {
        for _ in 0..<Self.mostRounds {
            while try followConfirmed() > 0 {}
            try engine.carryOutErasures()
            try bringKeys(copy, losing)
            let standing = try log.standing()
            // A node that appended may have more than the log has heard to be confirmed.
            if standing.confirmed <= (try journal.head().frameCount) { return standing }
        }
        throw Self.wentOn
    }

    private static let mostRounds = 10

    private static var wentOn: JournalError {
        JournalError(
            .busy, "the log went on while it was taken over",
            advice: "end the node that appends, or try again")
    }

    /// Throws where the journal does not go on to where the log ends. To take the term and find out
    /// then would stop whoever appends for nothing.
    private func checkEnd(_ standing: LogStanding) throws {
        let head = try journal.head()
        try LogFault.check(standing, head)
        var (number, chain) = (head.frameCount, head.chain)
        while number < standing.frames {
            let frames = try log.frames(after: number, through: standing.frames)
            if frames.isEmpty { throw LogFault.missing(number + 1, standing) }
            if let changed = LogFault.changed(in: frames) { throw changed }
            for frame in frames {
                guard frame.number == number + 1, frame.previous == chain else {
                    throw LogFault.strange(number + 1)
                }
                (number, chain) = (frame.number, frame.chain)
            }
        }
        guard "\(chain)" == standing.chain else { throw LogFault.strange(number) }
    }

    private func followConfirmed() throws -> Int {
        let head = try journal.head()
        let standing = try log.standing()
        try LogFault.check(standing, head)
        guard standing.confirmed > head.frameCount else { return 0 }
        let frames = try log.frames(after: head.frameCount, through: standing.confirmed)
        if frames.isEmpty { throw LogFault.missing(head.frameCount + 1, standing) }
        do throws(JournalError) {
            try journal.follow(frames)
        } catch {
            // The bytes that cannot be read may be the log's, and the journal whole.
            if error.isDamage, let changed = LogFault.changed(in: frames) { throw changed }
            throw error
        }
        return frames.count
    }

    /// Without the persons' keys nobody may append: what they sealed would read null for good.
    private func bringKeys(_ directory: String?, _ losing: Int) throws {
        let copy = try directory.map {
            try KeyCopy(in: $0, of: journal.identity, restoringTo: journal.path)
        }
        let missing = try PersonKeys(of: journal).fill(from: copy, journal.snapshot())
        guard missing <= losing else {
            throw JournalError(
                .invalid, "\(missing) keys are not here, and what they sealed would be lost",
                advice: "name a copy of the keys with --keys, or say --losing \(missing)")
        }
    }
}
