package import EventLog
import NATS

/// Puts back frames: a lost end is appended again, and what was changed gets a repair, since nothing in the stream is replaced.
extension JetStreamFrameLog {
    package func putBack(
        _ frames: [LoggedFrame], _ standing: LogStanding, _ head: Head
    ) throws(JournalError) {
        try asking { stream, state throws(NATSError) in
            // First the term: whoever has it now appends nothing between these.
            let fence = try self.append(.takeOver, nil, stream, &state) { end throws(NATSError) in
                guard end.term == standing.term, end.frames == standing.frames else { return nil }
                var next = end
                next.term += 1
                next.node = ""
                return next
            }
            guard let fence else {
                throw LogStream.fenced("the log went on while it was healed: try again")
            }
            for frame in frames {
                let isLost = frame.number > standing.frames
                let kind = isLost ? EntryKind.frame : .repair(frame.number)
                try self.append(kind, frame, stream, &state) { end throws(NATSError) in
                    guard end.term == fence.term, end.node.isEmpty else {
                        throw LogStream.fenced("\(end.node) took over while the log was healed")
                    }
                    var next = end
                    if frame.number >= end.frames { next.append(frame) }
                    if !isLost { next.repairs += 1 }
                    return next
                }
            }
        }
    }
}
