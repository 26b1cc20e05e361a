import Core
import EventLog
import Projections

/// What somebody in whose name the engine is asked may see; what is so at present decides (ADR 0040).
extension Reader {
    /// Which members of the document stay hidden from the viewer; throws `refused` where they may not ask.
    ///
    /// What is refused does not hang on whether the events know the key: nobody learns from it what there is.
    func hidden(
        _ model: ModelDescription, _ key: String?, _ arguments: [String: String],
        from viewer: Viewer, _ snapshot: JournalSnapshot
    ) throws -> [String] {
        guard let hidden = try sight(of: model, key, arguments, from: viewer, snapshot) else {
            let subject = key.map { " \($0)" } ?? ""
            throw EngineError(.mayNotSee(viewer, model.name + subject))
        }
        return hidden
    }

    /// The same; nil where they may not ask.
    func sight(
        of model: ModelDescription, _ key: String?, _ arguments: [String: String],
        from viewer: Viewer, _ snapshot: JournalSnapshot
    ) throws -> [String]? {
        if viewer.kind != .system, SharedAudience.looksIntoEvents(model.name, arguments) {
            throw EngineError(
                .refused,
                "\(model.name): text is no question in an actor's name: it finds what events hide from"
                    + " them; leave it out")
        }
        let session = try present(snapshot, registry.products.filter { $0.name == model.product })
        let hidden = try session.lookingUp {
            guard let runtime = session.runtime(with: model.name) else {
                return SharedAudience.maySee(model.name, viewer) ? [String]() : nil
            }
            return runtime.hidden(ofModel: model.name, key: key, arguments, from: viewer)
        }
        try session.checkFaults()
        return hidden
    }

    /// A model's document, with what the viewer may see of the events that it lists.
    func seen(_ document: Document, of model: String, by viewer: Viewer?) throws -> Document {
        guard let viewer, viewer.kind != .system, SharedAudience.listsWholeEvents(model) else {
            return document
        }
        return try Sight(viewer, present(journal.snapshot(), registry.products)).seeing(document)
    }

    /// Those of the events that the viewer may see, as they may see them.
    func seen(_ events: [Document], by viewer: Viewer) throws -> [Document] {
        if viewer.kind == .system { return events }
        let sight = try Sight(viewer, present(journal.snapshot(), registry.products))
        return try events.compactMap { document in
            guard let shown = try sight.seeing(JSON(parsing: document.bytes)) else { return nil }
            return Document(shown, position: document.position)
        }
    }

    /// The outcomes with what the viewer may see of their events.
    ///
    /// Events that are recorded are looked at whole, with their tags; those of a dry run are judged by what they say.
    ///
    /// - Parameter lines: of a dry run; who sent one would have sent its events.
    func seen(
        _ outcomes: [Outcome], by viewer: Viewer, unrecorded lines: [[UInt8]]? = nil
    ) throws -> [Outcome] {
        if viewer.kind == .system { return outcomes }
        let sight = try Sight(viewer, present(journal.snapshot(), registry.products))
        let parsed = try outcomes.map { try JSON(parsing: $0.document.bytes) }
        let whole = lines == nil ? try recorded(parsed) : [:]
        let senders = lines?.map { (try? JSON(parsing: $0))?["by"]?.string } ?? []
        return try zip(outcomes, parsed).enumerated().map { index, each in
            let (outcome, value) = each
            let sender = senders.indices.contains(index) ? senders[index] : nil
            guard case .object(var members) = value,
                let list = members.firstIndex(where: { $0.name == "events" })
            else { return outcome }
            let events = try (members[list].value.array ?? []).compactMap { event in
                let position = event["position"]?.wholeNumber ?? 0
                return try sight.seeing(whole[position] ?? event.sent(by: sender))?.keeping(event)
            }
            members[list].value = .array(events)
            let last = (events.last?["position"]?.wholeNumber).map { Position(UInt64($0)) }
            return Outcome(
                status: outcome.status, code: outcome.code,
                document: Document(.object(members), position: last))
        }
    }

    /// The events of outcomes as the journal has them, by position.
    private func recorded(_ outcomes: [JSON]) throws -> [Int64: JSON] {
        let numbers = outcomes.flatMap { outcome in
            (outcome["events"]?.array ?? []).compactMap { $0["position"]?.wholeNumber }
        }
        var found: [Int64: JSON] = [:]
        let positions = Set(numbers).sorted().map { Position(UInt64($0)) }
        for document in try OpenLog(journal, registry).history.documents(at: positions) {
            guard let position = document.position else { continue }
            found[Int64(position.number)] = try JSON(parsing: document.bytes)
        }
        return found
    }
}

/// One viewer's view of events.
private struct Sight {
    private let viewer: Viewer
    private let session: Session

    init(_ viewer: Viewer, _ session: Session) {
        self.viewer = viewer
        self.session = session
    }

    /// The event as they may see it; nil where they may not.
    func seeing(_ event: JSON) throws -> JSON? {
        let type = event["type"]?.string ?? ""
        let hidden = try session.lookingUp {
            guard let runtime = session.runtime(of: String(type.prefix { $0 != "." })) else {
                return SharedAudience.maySee(type, viewer) ? [String]() : nil
            }
            return runtime.hidden(ofEvent: type, NamedIDs(event: event), from: viewer)
        }
        try session.checkFaults()
        guard let hidden else { return nil }
        let shown = viewer.seeing(event, hiding: hidden)
        return shown == event ? event : shown.hiding(["proof"])
    }

    /// The same of the events that a document lists.
    func seeing(_ document: Document) throws -> Document {
        guard case .object(var members) = try JSON(parsing: document.bytes),
            let list = members.firstIndex(where: { $0.name == "entries" })
        else { return document }
        let entries = members[list].value.array ?? []
        members[list].value = .array(try entries.compactMap { entry in try seeing(entry) })
        var shown = Document(.object(members), position: document.position)
        shown.memberOrder = document.memberOrder
        return shown
    }
}

extension JSON {
    /// As an event of the journal says who sent it.
    fileprivate func sent(by sender: String?) -> JSON {
        guard let sender, let members else { return self }
        return .object(of: members.map { ($0.name, $0.value) } + [("by", .string(sender))])
    }

    /// The members that another object has, too.
    fileprivate func keeping(_ other: JSON) -> JSON {
        .object((members ?? []).filter { other[$0.name] != nil })
    }
}

extension Document {
    init(_ value: JSON, position: Position? = nil) {
        self.init(names: Names()) { $0.json.value(value) }
        self.position = position
    }

    func hiding(_ paths: [String]) throws -> Document {
        var hiding = Document(try JSON(parsing: bytes).hiding(paths))
        hiding.memberOrder = memberOrder
        return hiding
    }
}

extension EventFilter {
    /// How many events are read at most: those that a viewer may not see do not count.
    var readLimit: Int? { viewer == nil ? limit : nil }
    /// How many events are shown at most.
    var seenLimit: Int { limit ?? .max }

    /// What is hidden of an event cannot be asked for.
    fileprivate func holdsOfWhatIsShown(_ event: Event) -> Bool {
        guard by != nil || tag != nil else { return true }
        let shown = event.value
        if let by, shown["by"].string?.isExactly(by) != true { return false }
        guard let tag else { return true }
        return (shown["tags"].items ?? []).contains { $0.string?.isExactly(tag) == true }
    }
}

extension EventEngine {
    /// Those of the events that the filter's viewer may see.
    func seen(_ events: [Event], _ filter: EventFilter) throws(EngineError) -> [Event] {
        guard let viewer = filter.viewer else { return events }
        return try readers.read {
            try $0.seen(events.map(\.document), by: viewer).compactMap { Event($0) }
                .filter(filter.holdsOfWhatIsShown)
        }
    }

    /// The same, and no more than are left to be shown.
    func seen(
        _ events: [Event], _ filter: EventFilter, _ left: inout Int
    ) throws(EngineError) -> ArraySlice<Event> {
        let shown = try seen(events, filter).prefix(left)
        left -= shown.count
        return shown
    }
}
