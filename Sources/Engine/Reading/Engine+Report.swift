import EventLog
import Core
import Folding
import Projections
import Proofs

extension EventEngine {
    /// An audit report of a period as one HTML page: who did what, what was refused, erased and
    /// administered, and what vouches for the journal. Both ends are included, nil is
    /// the journal's own end. It never reads the clock: the same journal gives the same bytes.
    public func auditReport(
        from start: Instant? = nil, to end: Instant? = nil,
        progress: (Progress) -> Void = { _ in }
    ) throws(EngineError) -> [UInt8] {
        if let start, let end, start > end {
            throw EngineError(.endsBeforeItBegins(from: start, to: end))
        }
        return try whileOpen {
            let log = try OpenLog(journal, registry)
            let head = log.snapshot.head
            var tally = ReportTally(log.history.types)
            try log.snapshot.forEachEvent { event, _ in
                if start.map({ event.at >= $0 }) ?? true, end.map({ event.at <= $0 }) ?? true {
                    tally.add(event)
                }
                if event.position.number & 0xFFFF == 0 {
                    progress(
                        Progress(
                            done: event.position.number, total: head.position.number,
                            what: "reading"))
                }
                return true
            }
            var report = tally.report(
                try integrityStatement(head, log.snapshot), log.history,
                log.history.names)
            report.from = start
            report.to = end
            try log.history.checkFault()
            return ReportPage(report).bytes
        }
    }

    /// What vouches for the journal. Of the newest checkpoint it says whether the journal still has the
    /// root that was signed, and whether by a key that is kept beside it; the reader of the report checks the signatures.
    private func integrityStatement(
        _ head: Head, _ snapshot: JournalSnapshot
    ) throws -> IntegrityStatement {
        let tree = try JournalTree(journal, registry, snapshot)
        var statement = IntegrityStatement(
            journal: journal.identity, position: head.position, chain: "\(head.chain)",
            treeRoot: try tree.root(size: tree.size).base64)
        let store = CheckpointStore(journal)
        if let kept = try store.all().last?.checkpoint {
            let signed = kept.checkpoint
            statement.checkpoint = String(decoding: kept.bytes, as: UTF8.self)
            statement.holds =
                try signed.size <= tree.size && tree.root(size: signed.size) == signed.root
            statement.isSigned = try Self.refusal(kept, store.keys { _ in }, nil, .none) == nil
        }
        return statement
    }
}
