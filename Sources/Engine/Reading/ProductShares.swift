import EventLog
import Core

/// What folding each product's events costs, about, by a sample of them: what a fold is shared out by.
///
/// No product folds another's events (ADR 0032), so that two threads fold two groups of them, each reading the
/// journal for itself. How they are grouped changes what it costs and nothing else.
struct ProductShares {
    typealias Halves = (products: [Product], others: [Product])

    private var costs: [String: Int] = [:]

    /// Fewer events are folded sooner than a second thread has begun.
    private static let enough: UInt64 = 20_000
    /// Places that are looked at, and how many events at each.
    private static let places: UInt64 = 48
    private static let sample = 64
    /// An event costs as much as this many bytes of payload.
    private static let bytesOfEvent = 50

    private let all: [Product]

    init(
        _ snapshot: JournalSnapshot, _ last: Position, of products: [Product], _ registry: Registry
    ) throws {
        all = products
        let last = min(last, snapshot.head.position)
        guard last.number >= Self.enough, all.count > 1 else { return }
        let types = try JournalTypes(snapshot.types(), registry)
        for place in 0..<Self.places {
            let first = Position(1 + last.number / Self.places * place)
            try snapshot.forEachEvent(
                from: first, through: min(last, first + (Self.sample - 1))
            ) { event, _ in
                let product = types[event.type]?.payload.product ?? ""
                costs[product, default: 0] += Self.bytesOfEvent + event.payload.count
                return true
            }
        }
    }

    /// Two groups that cost about as much; the second one empty where it would save little.
    func halves() -> Halves {
        func cost(_ products: [Product]) -> Int {
            products.reduce(0) { $0 + (costs[$1.name] ?? 0) }
        }
        let byCost = all.sorted {
            (costs[$1.name] ?? 0, $0.name) < (costs[$0.name] ?? 0, $1.name)
        }
        var halves: Halves = ([], [])
        for product in byCost {
            if cost(halves.products) <= cost(halves.others) {
                halves.products.append(product)
            } else {
                halves.others.append(product)
            }
        }
        // Each thread reads and inflates everything.
        guard cost(halves.others) * 6 > cost(all) else { return (all, []) }
        return halves
    }
}

extension EventEngine {
    /// The digests of all read models, folded anew with these products on a second thread.
    package func digests(apart names: Set<String>) throws(EngineError) -> [String: String] {
        try engineErrors {
            let snapshot = try journal.snapshot()
            let entries = try digests(
                through: snapshot.head.position, snapshot,
                halves: (
                    registry.products.filter { !names.contains($0.name) },
                    registry.products.filter { names.contains($0.name) }
                )
            ) { _ in }
            return Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.digest) })
        }
    }
}
