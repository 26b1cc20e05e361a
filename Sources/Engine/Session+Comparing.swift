import Core
import Folding

extension Session {
    /// Has every stored row in memory.
    func loadRows() {
        for runtime in runtimes { for table in runtime.space.tables { table.loadWhole() } }
    }

    /// The products whose rows are not those of another session, which stands at the same position of the same journal.
    func products(unlike other: Session) throws -> Set<String> {
        var unlike: Set<String> = []
        for runtime in runtimes {
            guard let theirs = other.runtime(of: runtime.product) else { continue }
            for one in [runtime, theirs] { one.settle() }
            let isLike = zip(runtime.space.tables, theirs.space.tables).allSatisfy {
                $0.hasRows(of: $1)
            }
            if !isLike { unlike.insert(runtime.product) }
        }
        try checkFaults()
        try other.checkFaults()
        return unlike
    }
}
