import EventLog
import Core
import Glibc

/// Lets one journal grow, as `growth.py` asks: a line with a number of events on the standard input,
/// a line of JSON when the journal holds so many.
struct Growth {
    private let journal: Journal
    private let copier: HistoryCopier
    private let batch: Int

    init(directory: String, options: Options) throws {
        let term = directory + "/term"
        _ = try MixedJournal.playTerm(at: term, events: options.term)
        try Journal.create(at: directory + "/journal")
        journal = try Journal(at: directory + "/journal")
        copier = try HistoryCopier(
            try SourceHistory(Journal(at: term)), prefix: MixedJournal.prefix, for: journal)
        batch = options.batch
    }

    func run() throws {
        while let line = readLine(), let wanted = UInt64(line) {
            var count = try journal.head().position.number
            let before = count
            // The last events a hundred a commit: what an append costs at this size.
            let timed = min(20_000, wanted / 4)
            let filling = try append(until: wanted - timed, &count, size: batch)
            let filled = count
            let appending = try append(until: wanted, &count, size: 100)
            let statistics = try journal.statistics()
            let answer = """
                {"events":\(count),"filled":\(filled - before),"fillSeconds":\(filling),\
                "appended":\(count - filled),"appendSeconds":\(appending),\
                "bytes":\(statistics.fileBytes - statistics.freeBytes)}

                """
            let bytes = Array(answer.utf8)
            _ = unsafe write(1, bytes, bytes.count)
        }
    }

    /// Seconds that the appends take; the making of the batches is not counted.
    private func append(
        until end: UInt64, _ count: inout UInt64, size: Int
    ) throws -> Double {
        var seconds = 0.0
        while count < end {
            let next = try copier.nextBatch(min(size, Int(end - count)))
            seconds += try Measure.seconds { count = try journal.append(next).number }
        }
        return seconds
    }
}
