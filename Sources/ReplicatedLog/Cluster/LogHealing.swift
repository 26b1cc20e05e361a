import Core
package import Engine
import EventLog

/// Puts back what a log has lost, from a journal that has it: for a log that was restored from a copy that is too old, or was
/// changed. Nothing is done before somebody has seen what will be.
package struct LogHealing {
    /// What a healing would do.
    package struct Plan: Sendable {
        package let journal: String
        package let node: String
        package let standing: LogStanding
        /// How many frames this journal has.
        package let frames: UInt64
        /// Frames that the log has not.
        package let lost: [UInt64]
        /// Frames that the log has otherwise.
        package let changed: [UInt64]
        /// Frames that are neither in the log as they were, nor here byte for byte.
        package let beyondHelp: [UInt64]
        /// Nodes whose journals are longer.
        package let longer: [ClusterMember]

        package var isNeeded: Bool { !(lost.isEmpty && changed.isEmpty && beyondHelp.isEmpty) }

        /// Why it must not be done here; nil if it may.
        package var objection: String? {
            if let member = longer.first {
                return
                    "\(member.name) has \(member.frames) frames, this journal \(frames): heal the log there"
            }
            if let frame = beyondHelp.first {
                return
                    "frame \(frame) is sealed here and cannot be put back byte for byte: restore the log from a backup that has it"
            }
            return nil
        }
    }

    private let log: any SharedFrameLog
    private let journal: Journal
    private let settings: LogSettings

    private static let partFrames = 64

    /// Opens the journal of a node for reading.
    package init(_ directory: String) throws(EngineError) {
        let files = try NodeFiles(directory)
        journal = files.journal
        settings = files.settings
        log = files.log
    }

    /// Compares the log with the journal, frame by frame.
    package func plan() throws(EngineError) -> Plan {
        do throws(JournalError) {
            let standing = try log.standing()
            let head = try journal.head()
            let sealed = try journal.sealedFrames()
            var lost: [UInt64] = []
            var changed: [UInt64] = []
            var beyondHelp: [UInt64] = []
            var number: UInt64 = 0
            var chain = Checksum.zero
            while number < head.frameCount {
                let last = min(head.frameCount, number + UInt64(Self.partFrames))
                let stored = try log.frames(after: number, through: last)
                let there = Dictionary(stored.map { ($0.number, $0) }) { first, _ in first }
                let mine =
                    number >= sealed
                    ? try journal.frames(after: number, atMost: Self.partFrames) : []
                let here = Dictionary(mine.map { ($0.number, $0) }) { first, _ in first }
                for each in (number + 1)...last {
                    let frame = there[each]
                    let isGood: Bool
                    if let own = here[each] {
                        isGood = frame == own
                    } else {
                        isGood = frame.map { Self.isWhole($0, behind: chain) } ?? false
                        if !isGood { beyondHelp.append(each) }
                    }
                    if !isGood, here[each] != nil {
                        if frame == nil { lost.append(each) } else { changed.append(each) }
                    }
                    chain = here[each]?.chain ?? frame?.chain ?? chain
                }
                number = last
            }
            return Plan(
                journal: journal.path, node: settings.node, standing: standing,
                frames: head.frameCount, lost: lost, changed: changed, beyondHelp: beyondHelp,
                longer: try log.members().filter { $0.frames > head.frameCount })
        } catch {
            throw .wrapping(error)
        }
    }

    private static func isWhole(_ frame: LoggedFrame, behind chain: Checksum) -> Bool {
        frame.previous == chain && (try? Journal.news(in: [frame])) != nil
    }

    /// Does it: the frames are put back, and nobody decides until a node takes over.
    package func carryOut(_ plan: Plan) throws(EngineError) {
        if let objection = plan.objection { throw EngineError(.checkFailed, objection) }
        do throws(JournalError) {
            let frames = try (plan.lost + plan.changed).sorted().map {
                number throws(JournalError) in
                guard let frame = try journal.frames(after: number - 1, atMost: 1).first,
                    frame.number == number
                else { throw JournalError.damaged("frame \(number) was sealed meanwhile") }
                return frame
            }
            let head = try journal.head()
            try log.putBack(frames, plan.standing, head)
        } catch {
            throw .wrapping(error)
        }
    }
}
