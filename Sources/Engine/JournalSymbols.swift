import EventLog
import Core

/// Symbols from the journal, each look-up in a short snapshot of its own unless many are to come.
final class JournalSymbols: SymbolSource {
    private let journal: Journal
    private var held: JournalSnapshot?

    /// - Parameter held: Where all look-ups go, by whoever holds a snapshot for as long anyway.
    init(_ journal: Journal, holding held: JournalSnapshot? = nil) {
        self.journal = journal
        self.held = held
    }

    /// Looks everything up in one snapshot meanwhile: not the caller's, which another thread may be
    /// reading from.
    func holdingSnapshot<R>(_ body: () throws -> R) throws -> R {
        guard held == nil else { return try body() }
        held = try journal.snapshot()
        defer { held = nil }
        return try body()
    }

    func hold(_ snapshot: JournalSnapshot?) { held = snapshot }

    func bytes(of symbol: Symbol) throws -> [UInt8]? {
        try (held ?? journal.snapshot()).symbol(symbol)
    }

    func symbol(of bytes: [UInt8]) throws -> Symbol? {
        try (held ?? journal.snapshot()).number(of: bytes)
    }
}
