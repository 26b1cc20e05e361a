import EventLog
import Core
import Folding
import Projections
import Proofs

extension Engine {
    /// An audit report of a period as one HTML page: who did what, what was refused, erased and
    /// administered, and what vouches for the journal. Instants are RFC 3339, both ends included, nil
    /// for the journal's own end. It never reads the clock: the same journal gives the same bytes.
    public func auditReport(
        from: String? = nil, to: String? = nil, progress: (Progress) -> Void = { _ in }
    ) throws(EngineError) -> [UInt8] {
        let start = try Self.instant(from, "--from")
        let end = try Self.instant(to, "--to")
        if let start, let end, start > end {
            throw EngineError(.wrongUse, "--from \(start) is later than --to \(end); swap them")
        }
        return try engineErrors {
            let log = try OpenLog(journal)
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
    /// root that was signed; signatures are for whoever reads the report to check.
    private func integrityStatement(
        _ head: Head, _ snapshot: JournalSnapshot
    ) throws -> IntegrityStatement {
        let tree = try JournalTree(journal, snapshot)
        var statement = IntegrityStatement(
            journal: journal.identity, position: head.position, chain: "\(head.chain)",
            treeRoot: try tree.root(size: tree.size).base64)
        if let kept = try CheckpointShelf(journal).all().last?.checkpoint {
            let signed = kept.checkpoint
            statement.checkpoint = String(decoding: kept.bytes, as: UTF8.self)
            statement.holds =
                try signed.size <= tree.size && tree.root(size: signed.size) == signed.root
        }
        return statement
    }

    private static func instant(
        _ text: String?, _ option: String
    ) throws(EngineError) -> Instant? {
        guard let text else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw EngineError(
                .wrongUse,
                "\(option): \"\(text)\" is not an RFC 3339 instant with an offset, such as "
                    + "2026-02-01T00:00:00Z")
        }
        return instant
    }
}
