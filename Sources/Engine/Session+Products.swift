import EventLog
import Core
import Folding

/// The products whose state a session is, and their rows.
extension Session {
    /// For passes over every document: rows are loaded by the table.
    func loadWholeTables() {
        for runtime in runtimes { runtime.space.loadsWholeTables = true }
    }

    /// Those whose state it is.
    var products: [Product] {
        types.registry.products.filter { has([$0]) }
    }

    func has(_ products: [Product]) -> Bool {
        products.allSatisfy { runtime(of: $0.name) != nil }
    }

    func runtime(of product: String) -> (any ProductRuntime)? {
        runtimes.first { $0.product == product }
    }

    /// Whose read model it is; nil for a shared one.
    func runtime(with model: String) -> (any ProductRuntime)? {
        runtimes.first { $0.has(model) }
    }

    /// Behind a fold that did not fit in memory: its rows can be let go of between documents.
    func writeOut() throws {
        guard hasOverflowed else { return }
        try lookingUp { for overflow in overflows { try overflow.takeRest(checkFaults) } }
        limit = overflows.first?.limit
    }

    /// Lets go of rows that are stored, if there are too many of them; between two documents.
    func relieve() {
        guard let limit else { return }
        let stored = runtimes.filter { $0.space.source != nil }
        // Where something else takes the memory, fewer rows would only have to be fetched more often.
        guard stored.reduce(0, { $0 + $1.rowCount }) >= limit.manyRows, limit.isExceeded else {
            return
        }
        for runtime in stored { runtime.forgetStored() }
    }
}
