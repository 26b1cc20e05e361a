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

    private static func errors<R>(
        _ body: () throws(JournalError) -> R
    ) throws(EngineError) -> R {
        do throws(JournalError) { return try body() } catch { throw .wrapping(error) }
    }

    // MARK: Setting up

    /// Makes a log for an empty journal, which appends to it from then on.
    package static func create(
        _ directory: String, address: String, node: String
    ) throws(EngineError) {
        try errors { () throws(JournalError) in
            try checkName(node)
            let kind = try SharedFrameLogs.kind(of: address)
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
            let isMade = try kind.create(
                at: address, node: node, journal: journal.identity, lead: journal.lead)
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
        try errors { () throws(JournalError) in
            try checkName(node)
            let found = try SharedFrameLogs.kind(of: address).journals(
                at: address, node: node, identity: identity)
            guard found.count == 1, let only = found.first else {
                let names = found.map(\.identity).joined(separator: ", ")
                throw JournalError(
                    .invalid,
                    found.isEmpty
                        ? "the log has no such journal" : "the log has several journals: \(names)",
                    advice: found.isEmpty ? "make one with `replay log create`" : "name one")
            }
            let draft = try JournalDraft(at: directory, restoring: only.identity, lead: only.lead)
            // Before anybody may open it for writing.
            try LogSettings(address: address, node: node, term: 0).write(in: directory)
            try draft.publish()
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
        do throws(JournalError) {
            guard let settings = try LogSettings.read(in: directory) else {
                throw JournalError(
                    .invalid, "\(directory): its frames go to no log",
                    advice: "make a log with `replay log create`, or join one")
            }
            self.settings = settings
            log = try SharedFrameLogs.open(settings, of: engine.journal.identity)
        } catch {
            throw .wrapping(error)
        }
    }

    /// Takes in what is known to be durable; how many frames that were.
    package func follow() throws(EngineError) -> Int {
        do {
            let count = try journal.withWriterLock { try followConfirmed() }
            // Somebody may have been erased: whoever has their keys forgets them.
            if count > 0 { try engine.carryOutErasures() }
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
                while try followConfirmed() > 0 {}
                try engine.carryOutErasures()
                try bringKeys(copy, losing)
                let standing = try log.standing()
                guard let term = try log.takeOver(from: standing) else {
                    throw JournalError(
                        .busy, "the log went on while it was taken over",
                        advice: "end the node that appends, or try again")
                }
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

    private func followConfirmed() throws -> Int {
        let frames = try log.confirmedFrames(after: try journal.head().frameCount)
        try journal.follow(frames)
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
