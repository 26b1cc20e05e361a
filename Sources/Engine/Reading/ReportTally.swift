import EventLog
import Core
import Folding
import Projections

/// Counts the events of a period in one pass: of an event only its envelope is read, and nothing is
/// kept that grows with the number of events but the places of those that are shown one by one.
struct ReportTally {
    private struct Day {
        var events = 0
        var refusals = 0
    }

    private struct ActorCount {
        var events = 0
        var refusals = 0
        var administrative = 0
    }

    /// One product's version of a type may have several numbers; all of a name are one kind.
    private struct Route {
        let kind: Int
        let product: Int
        let significance: Significance
    }

    private var routes: [Route?]
    private var kinds: [AuditReport.Kind?]
    private let types: [PayloadType]
    private let products: [String]
    private var productEvents: [Int]
    private var days: [LocalDate: Day] = [:]
    private var actors: [UInt32: ActorCount] = [:]
    /// By actor and kind.
    private var actorKinds: [UInt64: Int] = [:]
    /// By product and person.
    private var people: Set<UInt64> = []
    private var streams = Marks()
    private var events = 0
    private var first: Instant?
    private var last: Instant?
    private var found: [Significance: Matches] = [:]

    /// The places of the newest events of a kind, and how many there are.
    private struct Matches {
        var total = 0
        var newest: [Position] = []

        mutating func add(_ position: Position) {
            total += 1
            newest.append(position)
            let most = AuditReport.mostActs
            if newest.count >= most * 4 { newest.removeFirst(newest.count - most) }
        }
    }

    init(_ journalTypes: JournalTypes) {
        var types: [PayloadType] = []
        var kinds: [String: Int] = [:]
        var products: [String] = []
        routes = [nil]
        for number in 0..<UInt16(clamping: journalTypes.count) {
            guard let type = journalTypes[number + 1]?.payload else {
                routes.append(nil)
                continue
            }
            let kind = kinds[type.name] ?? types.count
            if kind == types.count {
                types.append(type)
                kinds[type.name] = kind
            }
            let product = products.firstIndex { $0.isExactly(type.product) } ?? products.count
            if product == products.count { products.append(type.product) }
            routes.append(
                Route(kind: kind, product: product, significance: type.significance))
        }
        self.types = types
        self.products = products
        self.kinds = types.map { _ in nil }
        productEvents = products.map { _ in 0 }
    }

    mutating func add(_ event: EventRecord) {
        guard Int(event.type) < routes.count, let route = routes[Int(event.type)] else { return }
        events += 1
        first = min(first ?? event.at, event.at)
        last = max(last ?? event.at, event.at)
        productEvents[route.product] += 1
        streams.insert(event.stream)
        if !event.subject.isNone {
            people.insert(UInt64(route.product) << 32 | UInt64(event.subject.number))
        }
        var kind = kinds[route.kind] ?? .init(type: types[route.kind], first: event.at)
        kind.events += 1
        kind.first = min(kind.first, event.at)
        kind.last = max(kind.last, event.at)
        kinds[route.kind] = kind
        actorKinds[UInt64(event.actor.number) << 32 | UInt64(route.kind), default: 0] += 1
        let isRefusal = route.significance == .refusal
        days[event.at.utcDate, default: Day()].events += 1
        if isRefusal { days[event.at.utcDate, default: Day()].refusals += 1 }
        var actor = actors[event.actor.number] ?? ActorCount()
        actor.events += 1
        if isRefusal { actor.refusals += 1 }
        if route.significance == .administrative { actor.administrative += 1 }
        actors[event.actor.number] = actor
        if route.significance != .ordinary {
            found[route.significance, default: Matches()].add(event.position)
        }
    }

    // MARK: The outcome

    func report(
        _ integrity: IntegrityStatement, _ history: any History, _ names: Names
    ) -> AuditReport {
        var report = AuditReport(integrity: integrity)
        report.events = events
        report.first = first
        report.last = last
        report.streams = streams.count
        report.people = peopleCount
        report.products = zip(products, productEvents).filter { $0.1 > 0 }
            .map { (name: $0, events: $1) }.sorted { $0.name.precedes($1.name) }
        report.kinds = kinds.compactMap(\.self).sorted {
            $0.events == $1.events ? $0.type.name.precedes($1.type.name) : $0.events > $1.events
        }
        report.days = days.map { .init(date: $0, events: $1.events, refusals: $1.refusals) }
            .sorted { $0.date < $1.date }
        report.actorCount = actors.count
        report.actors = actorRows(names)
        report.refusals = acts(.refusal, history, names)
        report.erasures = acts(.erasure, history, names)
        report.administrative = acts(.administrative, history, names)
        return report
    }

    /// An erasure's event belongs to no product, so its person is counted elsewhere.
    private var peopleCount: Int {
        guard let shared = products.firstIndex(of: "account") else { return people.count }
        return people.count { $0 >> 32 != UInt64(shared) }
    }

    private func actorRows(_ names: Names) -> [AuditReport.ActorRow] {
        // Names are looked up for as many as could be shown, not for everyone.
        let least =
            actors.values.map(\.events).sorted(by: >)
            .dropFirst(AuditReport.mostActors - 1).first ?? 0
        let rows = actors.filter { $0.value.events >= least }
            .map { (symbol: $0.key, name: names.text(Symbol(number: $0.key)), count: $0.value) }
            .sorted {
                $0.count.events == $1.count.events
                    ? $0.name.precedes($1.name) : $0.count.events > $1.count.events
            }
            .prefix(AuditReport.mostActors)
        var kinds: [UInt32: [(kind: Int, events: Int)]] = [:]
        for row in rows { kinds[row.symbol] = [] }
        for (key, events) in actorKinds {
            kinds[UInt32(truncatingIfNeeded: key >> 32)]?.append(
                (Int(truncatingIfNeeded: key & 0xFFFF_FFFF), events))
        }
        return rows.map { row in
            var actor = AuditReport.ActorRow(name: row.name.isEmpty ? "nobody" : row.name)
            actor.events = row.count.events
            actor.refusals = row.count.refusals
            actor.administrative = row.count.administrative
            let own = (kinds[row.symbol] ?? []).sorted {
                $0.events == $1.events ? $0.kind < $1.kind : $0.events > $1.events
            }
            actor.kindCount = own.count
            actor.kinds = own.prefix(AuditReport.mostKinds).map {
                (sentence: types[$0.kind].sentence, events: $0.events)
            }
            return actor
        }
    }

    private func acts(
        _ significance: Significance, _ history: any History, _ names: Names
    ) -> AuditReport.Acts {
        var acts = AuditReport.Acts()
        guard let matches = found[significance] else { return acts }
        acts.total = matches.total
        history.forEach(at: matches.newest.suffix(AuditReport.mostActs)) { event in
            acts.shown.append(AuditReport.Act(event, names))
            return true
        }
        acts.shown.reverse()
        return acts
    }
}

/// A set of symbols, a bit each: they are numbered without gaps.
private struct Marks {
    private var words: [UInt64] = []
    private(set) var count = 0

    mutating func insert(_ symbol: Symbol) {
        let place = Int(symbol.number) >> 6
        if place >= words.count {
            words += Array(repeating: 0, count: place + 1 - words.count + words.count / 2)
        }
        let bit: UInt64 = 1 << UInt64(symbol.number & 63)
        if words[place] & bit == 0 {
            words[place] |= bit
            count += 1
        }
    }
}
