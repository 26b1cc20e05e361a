import CLMDB
import Glibc

/// A program that reads a state of the journal which is not the newest: for as long as it does, the file grows with
/// every commit.
package struct OldestReader: Hashable, Sendable {
    package let process: Int
    /// How many commits came since.
    package let commitsBehind: Int

    /// What the log of a program that writes keeps on purpose (ADR 0061): the states of these commits.
    struct Pins: Hashable {
        let process: Int
        let since: UInt64
    }

    /// Who is further behind than this does not just read: it waits for something, or hangs.
    private static let tolerated = 64

    init(process: Int, commitsBehind: Int) {
        self.process = process
        self.commitsBehind = commitsBehind
    }

    /// Reads LMDB's table of readers (`mdb_reader_list`).
    init?(table: String, _ newest: UInt64, but own: pid_t, pins: Pins? = nil) {
        var oldest: OldestReader?
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, let process = Int(words[0]), let commit = UInt64(words[2]),
                process != Int(own), commit < newest
            else { continue }
            if let pins, process == pins.process, commit >= pins.since { continue }
            let behind = Int(clamping: newest - commit)
            if behind > oldest?.commitsBehind ?? 0 {
                oldest = OldestReader(process: process, commitsBehind: behind)
            }
        }
        guard let oldest else { return nil }
        self = oldest
    }

    /// One line for operators; nil for a reader that is merely busy.
    var warning: String? {
        guard commitsBehind > Self.tolerated else { return nil }
        return
            "process \(process) reads the journal as it was \(commitsBehind) commits ago, and the "
            + "file grows until it is done; let it go on, or end it"
    }
}

extension LMDBEnvironment {
    /// The program, this one aside, that reads the oldest state: no page that a later commit freed can be used again
    /// before it is done. Nil if all of them read the newest.
    func oldestReader() -> OldestReader? {
        guard hasLock else { return nil }
        let pins = LogHeader.pins(at: LogHeader.path(beside: path))
        var table: [UInt8] = []
        _ = unsafe withUnsafeMutablePointer(to: &table) { table in
            // A line for each: process, thread, number of the commit that it reads, or `-`.
            unsafe mdb_reader_list(
                raw,
                { line, table in
                    guard let line = unsafe line, let table = unsafe table else { return 0 }
                    unsafe table.assumingMemoryBound(to: [UInt8].self).pointee.append(
                        contentsOf: UnsafeRawBufferPointer(start: line, count: strlen(line)))
                    return 0
                }, table)
        }
        let newest = information().lastCommit
        let text = String(decoding: table, as: UTF8.self)
        return OldestReader(table: text, newest, but: process, pins: pins)
    }
}
