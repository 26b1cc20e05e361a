import EventLog
import Folding

/// Rows of states that are not whole yet (``StateOverflow``).
extension StoredState {
    /// Begins to fill the sets of tables that nobody reads with these states, in place of what another rebuild left there.
    func beginOverflow(_ runtimes: [any ProductRuntime], _ token: [UInt8]) throws -> [TableSet] {
        try views.write { views in
            try runtimes.map { runtime in
                let standing = try views.meta(Mark.name(of: runtime)).flatMap(Mark.init)
                let set = (standing?.set ?? .first).other
                try empty(set, of: runtime, in: &views)
                try views.setMeta(Mark.overflowName(of: runtime), token)
                return set
            }
        }
    }

    /// Writes the changed rows to sets of tables that nobody reads, in as many transactions as it takes, and lets the
    /// states read them from there.
    func overflow(
        _ runtimes: [any ProductRuntime], to sets: [TableSet], _ token: [UInt8], removals: Bool,
        _ checkFaults: () throws -> Void
    ) throws {
        for runtime in runtimes { runtime.settle() }
        let tables = zip(runtimes, sets).flatMap { numberedTables($0, in: $1) }
        var waiting: [RowEncoding.Rows] = []
        func write() throws {
            try checkFaults()
            try views.write { views in
                try requireOverflow(of: runtimes, token, in: &views)
                for (table, rows) in waiting { try views.put(table: table, rows) }
            }
            waiting.removeAll(keepingCapacity: true)
        }
        try RowEncoding(tables, removals: removals).forEach {
            waiting.append(($0, $1))
            if waiting.count == Self.overflowPieces { try write() }
        }
        try write()
        let view = try views.snapshot()
        for (runtime, set) in zip(runtimes, sets) {
            runtime.space.source = StoredRows(view, firstTable: firstTable(runtime, in: set))
            runtime.didStore()
            runtime.forgetStored()
        }
    }

    /// Buffers of 256 KiB in one transaction: LMDB keeps the pages in memory that it writes.
    private static let overflowPieces = 128

    /// Has the sets of tables that were filled read from here on, and empties the others.
    /// - Throws: as `replace`.
    func endOverflow(
        _ runtimes: [any ProductRuntime], in sets: [TableSet], _ token: [UInt8],
        _ snapshot: JournalSnapshot, isNewest: Bool
    ) throws {
        let marks = try Mark.all(runtimes, journal, snapshot)
        try rebuilds.rebuilding {
            try views.write { views in
                try requireOverflow(of: runtimes, token, in: &views)
                for ((runtime, set), mark) in zip(zip(runtimes, sets), marks) {
                    let standing = try views.meta(Mark.name(of: runtime)).flatMap(Mark.init)
                    try require(isNewest || !mark.isBehind(standing))
                    try views.setMeta(Mark.name(of: runtime), mark.bytes(set))
                    try views.setMeta(Mark.overflowName(of: runtime), nil)
                    try empty(set.other, of: runtime, in: &views)
                }
            }
        }
    }

    /// Empties the sets of tables that nobody is to read.
    func dropOverflow(
        _ runtimes: [any ProductRuntime], in sets: [TableSet], _ token: [UInt8]
    ) throws {
        try views.write { views in
            try requireOverflow(of: runtimes, token, in: &views)
            for (runtime, set) in zip(runtimes, sets) {
                try views.setMeta(Mark.overflowName(of: runtime), nil)
                try empty(set, of: runtime, in: &views)
            }
        }
    }

    private func requireOverflow(
        of runtimes: [any ProductRuntime], _ token: [UInt8], in views: inout ViewTransaction
    ) throws {
        for runtime in runtimes
        where try views.meta(Mark.overflowName(of: runtime)) != token {
            throw EngineError(
                .busy, "another rebuild of \(runtime.product) has begun meanwhile")
        }
    }
}
