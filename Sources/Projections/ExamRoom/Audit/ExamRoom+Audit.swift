import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Who did what? Newest moment first, then highest position. Archived entries are shown for their
    /// date alone (R51).
    static let auditView = ReadModel<State>(
        "examroom.audit", "Who did what?",
        arguments: ["action", "archive", "exam", "from", "page", "search", "to", "user"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        var filters = Export.Filters()
        filters.from = try request.date("from")
        filters.to = try request.date("to")
        filters.user = request.arguments["user"]
        filters.action = request.arguments["action"]
        filters.exam = request.arguments["exam"]
        filters.search = request.arguments["search"]
        let trail = AuditTrail(
            filters, archive: try request.date("archive"), state: state, history: request.history)
        let newest = trail.newest(page.reach)
        output.object { output in
            let shown = newest.entries[page.range(of: newest.total)]
            output.array("entries", shown) { output, entry in
                output.object { entry.write(to: &$0) }
            }
            page.write(total: newest.total, to: &output)
        }
        return true
    }
}

/// The audit entries of a history that pass the filters (23.13, 23.14).
struct AuditTrail {
    private let filters: ExamRoom.Export.Filters
    /// The date whose archived entries are wanted; nil for those that are not archived.
    private let archive: LocalDate?
    /// False for exports of before, which had no entries of such types.
    private let hasOccasionalEntries: Bool
    private let search: SearchText?
    private let range: DateRange
    private let state: ExamRoom.State
    private let history: any History

    init(
        _ filters: ExamRoom.Export.Filters = .init(), archive: LocalDate? = nil,
        hasOccasionalEntries: Bool = true, state: ExamRoom.State, history: any History
    ) {
        self.filters = filters
        self.archive = archive
        self.hasOccasionalEntries = hasOccasionalEntries
        search = filters.search.map { SearchText($0) }
        range = DateRange(from: filters.from, to: filters.to, zone: state.defaultZone)
        self.state = state
        self.history = history
    }

    private static let rules = Dictionary(
        uniqueKeysWithValues: ExamRoom.auditRules.map { ($0.type, $0) })

    /// The first `count` entries, and how many there are in all.
    ///
    /// One pass over the events; at most twice as many entries as a page are held at a time.
    func newest(_ count: Int) -> (entries: [ExamRoom.AuditEntry], total: Int) {
        var entries: [ExamRoom.AuditEntry] = []
        var total = 0
        let most = count.multipliedClamping(2)
        forEach { entry in
            guard accepts(entry) else { return }
            total += 1
            entries.append(entry)
            if entries.count >= most { Self.keepNewest(count, of: &entries) }
        }
        Self.keepNewest(count, of: &entries)
        return (entries, total)
    }

    /// The entries of events at ascending positions, oldest position first.
    func forEach(at positions: [Position], _ body: (ExamRoom.AuditEntry) -> Void) {
        var context = ExamRoom.AuditContext(state, history)
        history.forEach(at: positions) { event in
            if let entry = entry(of: event, &context) { body(entry) }
            return true
        }
    }

    /// The entries of the archive, or those that are in none, in order of position; those that other
    /// filters keep out may be among them.
    private func forEach(_ body: (ExamRoom.AuditEntry) -> Void) {
        if let archive { return forEach(at: state.archivedAuditEntries(of: archive), body) }
        var context = ExamRoom.AuditContext(state, history)
        let types = types
        // No types at all would ask for every event.
        guard !types.isEmpty else { return }
        history.forEach(types: types) { event in
            let metadata = event.metadata
            if state.isArchived(metadata.position, at: metadata.at) { return true }
            if let entry = entry(of: event, &context) { body(entry) }
            return true
        }
    }

    var all: [ExamRoom.AuditEntry] { newest(.max).entries }

    /// The event types that can make an entry, in a fixed order.
    private var types: [String] {
        let rules = ExamRoom.auditRules.filter { rule in
            (filters.action?.isExactly(rule.action) ?? true)
                && (hasOccasionalEntries || ExamRoom.eventTraits[rule.type]?.isOccasional != true)
        }
        var types = rules.map(\.type)
        // Only a session's start has the address.
        if types.contains(ExamRoom.Session.Ended.type),
            !types.contains(ExamRoom.Session.Started.type)
        {
            types.append(ExamRoom.Session.Started.type)
        }
        return types
    }

    private func entry(
        of event: EventEnvelope, _ context: inout ExamRoom.AuditContext
    ) -> ExamRoom.AuditEntry? {
        guard let rule = Self.rules[event.type.name] else { return nil }
        var entry = ExamRoom.AuditEntry(event, action: rule.action, state.names)
        return rule.describe(event, &entry, &context) ? entry : nil
    }

    private func accepts(_ entry: ExamRoom.AuditEntry) -> Bool {
        if let action = filters.action, !entry.action.isExactly(action) { return false }
        if filters.from != nil || filters.to != nil {
            guard range.contains(range.date(of: entry.at)) else { return false }
        }
        if let user = filters.user, !entry.user.isExactly(user) { return false }
        if let exam = filters.exam, entry.exam?.isExactly(exam) != true { return false }
        guard let search else { return true }
        return entry.contains(search)
    }

    private static func keepNewest(_ count: Int, of entries: inout [ExamRoom.AuditEntry]) {
        entries.sort { $0.at == $1.at ? $0.position > $1.position : $0.at > $1.at }
        if entries.count > count { entries.removeLast(entries.count - count) }
    }
}
