import EventLog

/// What a journal finds wrong with its log. It says nothing against the journal.
enum LogFault {
    private static let advice =
        "put back what it lacks with `sijilld cluster heal` on a node that has it, see docs/log.md"

    private static func error(_ what: String) -> JournalError {
        JournalError(.damaged(nil), what, advice: advice)
    }

    /// Throws where the log has lost its end, or its last frame is another one than the journal's.
    static func check(_ standing: LogStanding, _ head: Head) throws(JournalError) {
        if standing.frames < head.frameCount {
            throw error(
                "the log has lost its end: it ends at frame \(standing.frames), this journal at \(head.frameCount)"
            )
        }
        if standing.frames == head.frameCount, standing.chain != "\(head.chain)" {
            throw error("frame \(standing.frames) of the log is not this journal's")
        }
    }

    /// A frame that the log says it has, and does not give.
    static func missing(_ number: UInt64, _ standing: LogStanding) -> JournalError {
        error("frame \(number) is missing in the log, which has \(standing.frames)")
    }

    /// A frame that does not continue the one before.
    static func strange(_ number: UInt64) -> JournalError {
        error("frame \(number) of the log does not continue the journal")
    }

    /// The first frame that the log has otherwise than it was appended; nil where all are whole.
    static func changed(in frames: [LoggedFrame]) -> JournalError? {
        frames.first { !$0.isWhole }.map { frame in
            error(
                "frame \(frame.number) of the log was changed: it is not what its checksum says")
        }
    }
}
