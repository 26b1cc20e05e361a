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

    /// Lets go of rows that are stored, if there are too many of them; between two documents.
    func relieve() {
        guard let limit, limit.isExceeded else { return }
        for runtime in runtimes where runtime.isStored {
            for table in runtime.space.tables { table.forgetStored() }
            runtime.timers.forgetStored()
        }
    }
}

extension ProductRuntime {
    /// Whether every row could be fetched again.
    fileprivate var isStored: Bool {
        space.source != nil && space.tables.allSatisfy { $0.changeCount == 0 }
    }
}
