import EventLog
import Core

/// What folding each product's events costs, about, by a sample of them: what a fold is shared out by. An event is taken to cost as
/// much as another: long ones are long by what a fold leaves packed or sealed.
///
/// No product folds another's events (ADR 0032), so that each of some threads folds a group of them, from one reading of
/// the journal (ADR 0075). How they are grouped changes what it costs and nothing else.
struct ProductShares {
    private var costs: [String: Int] = [:]

    /// Fewer events are folded sooner than another thread has begun.
    private static let enough: UInt64 = 20_000
    /// Places that are looked at, and how many events at each.
    private static let places: UInt64 = 48
    private static let sample = 64

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
                costs[product, default: 0] += 1
                return true
            }
        }
    }

    /// Groups that cost about as much, as many as there are threads for, or fewer where more would not be done sooner.
    func groups(for threads: Int) -> [[Product]] {
        guard threads > 1 else { return [all] }
        let shared = (2...threads).map(groups(_:)).min { dearest($0) < dearest($1) } ?? [all]
        // A thread more has to be worth it: it keeps pace with the others, and has its own state of names and keys.
        return (cost(all) - dearest(shared)) * 6 > cost(all) ? shared : [all]
    }

    /// At most so many: the dearest products first, each to the group that costs least until then.
    private func groups(_ count: Int) -> [[Product]] {
        let byCost = all.sorted {
            (costs[$1.name] ?? 0, $0.name) < (costs[$0.name] ?? 0, $1.name)
        }
        var groups: [[Product]] = Array(repeating: [], count: count)
        for product in byCost {
            let cheapest = groups.indices.min { cost(groups[$0]) < cost(groups[$1]) } ?? 0
            groups[cheapest].append(product)
        }
        return groups.filter { !$0.isEmpty }
    }

    private func cost(_ products: [Product]) -> Int {
        products.reduce(0) { $0 + (costs[$1.name] ?? 0) }
    }

    private func dearest(_ groups: [[Product]]) -> Int { groups.map(cost).max() ?? 0 }
}

extension EventEngine {
    /// The digests of all read models, folded anew with each group of products on a thread of its own.
    package func digests(folding groups: [[String]]) throws(EngineError) -> [String: String] {
        try engineErrors {
            let snapshot = try journal.snapshot()
            let entries = try digests(
                through: snapshot.head.position, snapshot,
                groups: groups.map { names in
                    registry.products.filter { names.contains($0.name) }
                }
            ) { _ in }
            return Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.digest) })
        }
    }
}
