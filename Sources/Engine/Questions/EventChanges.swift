import Core
import EventLog

/// An event cannot say what it was to say otherwise, or is not there.
struct RefusedChange: Error {
    let events: Alternative.Change.Events
    /// Of the event; nil where there is none.
    let position: Position?
    /// Why, for whoever sees the event.
    let error: EngineError

    /// Why, where there is none.
    static func noEvent(_ events: Alternative.Change.Events) -> EngineError {
        EngineError(.wrongUse, "there is no event \(events) to change")
    }
}

/// What events said otherwise, applied to one after the other.
final class EventChanges {
    /// A payload in place of the one that is stored.
    struct Changed {
        /// Behind its origin, if the event's flags say so.
        let payload: [UInt8]
        /// Its personal part in clear.
        let personal: [UInt8]
    }

    private struct Rule {
        let change: Alternative.Change
        let patch: JSON
        /// The journal's numbers of the type; empty for a position.
        let types: [UInt16]
        let tag: Symbol?
        /// How many events it met.
        var count = 0

        func isMet(by event: EventRecord) -> Bool {
            if case .at(let position) = change.events { return event.position == position }
            return types.contains(event.type) && (tag.map { event.tags.contains($0) } ?? true)
        }
    }

    private var rules: [Rule] = []
    private let session: Session

    init(
        _ changes: [Alternative.Change], _ session: Session, _ registry: Registry,
        _ snapshot: JournalSnapshot
    ) throws {
        self.session = session
        for change in changes {
            let patch = try JSON(parsing: change.patch.canonical)
            guard patch.members != nil else {
                throw EngineError(
                    .wrongUse, "what \(change.events) says otherwise is no object of fields")
            }
            var types: [UInt16] = []
            var tag: Symbol?
            switch change.events {
            case .at(let position):
                let last = snapshot.head.position
                guard position > .zero, position <= last else {
                    throw RefusedChange(
                        events: change.events, position: nil,
                        error: EngineError(.pastTheEnd(position, last: last)))
                }
            case .ofType(let type, let name):
                guard registry.payload(type) != nil else {
                    let nearest = NearestName.of(type, in: registry.payloads.map(\.name))
                    throw EngineError(
                        .wrongUse,
                        "there is no event type \"\(type)\""
                            + (nearest.map { "; did you mean \($0)?" } ?? ""))
                }
                types = session.types.numbers(matching: type)
                // A tag that the journal does not know is on no event.
                tag = name.map { session.names.known($0) ?? Symbol(number: .max) }
            }
            rules.append(Rule(change: change, patch: patch, types: types, tag: tag))
        }
    }

    /// The event's payload as it would have been; nil where nothing changes it.
    func changed(_ event: EventRecord, _ body: [UInt8]) throws -> Changed? {
        var data: JSON?
        var met: Alternative.Change.Events?
        for index in rules.indices where rules[index].isMet(by: event) {
            rules[index].count += 1
            met = rules[index].change.events
            data = try (data ?? self.data(of: event, body)).merging(rules[index].patch)
        }
        guard let met, let data, let type = session.types[event.type]?.payload else { return nil }
        func refused(_ what: String) -> RefusedChange {
            RefusedChange(
                events: met, position: event.position,
                error: EngineError(.badInput, "event \(event.position)\(what)"))
        }
        var input = JSONInput(names: session.names, path: "data")
        input.stream = session.names.text(event.stream)
        input.isRecorded = true
        let hasOrigin = event.flags & Origin.flag != 0
        let own = hasOrigin ? data.merging(.object(of: [("origin", .null)])) : data
        guard let facts = type.readJSON(own, &input) else {
            let problem = input.problem ?? "not of the right form"
            throw refused(", \(type.name): \(problem)")
        }
        var payload: [UInt8] = []
        if hasOrigin {
            guard let origin = Origin.read(data["origin"] ?? .null, from: &input) else {
                throw refused(": the origin has another form")
            }
            var writer = BinaryWriter()
            origin.write(to: &writer)
            payload = writer.bytes
        }
        return Changed(payload: payload + facts.payload, personal: facts.personal)
    }

    private func data(of event: EventRecord, _ body: [UInt8]) throws -> JSON {
        guard let entry = session.types[event.type] else { return .null }
        let envelope = EventEnvelope(
            event, body, entry, opener: session.opener)
        var output = JSONOutput(names: session.names)
        guard envelope.writeData(to: &output) else {
            throw EngineError(
                .badInput, "the payload at position \(event.position) cannot be read; run verify")
        }
        return try JSON(parsing: output.json.bytes)
    }

    /// What changes no event was not meant so.
    func checkAllMet() throws(EngineError) {
        for rule in rules where rule.count == 0 {
            throw RefusedChange.noEvent(rule.change.events)
        }
    }
}

extension Alternative.Change.Events: CustomStringConvertible {
    /// As a command line names them.
    public var description: String {
        switch self {
        case .at(let position): "at \(position)"
        case .ofType(let type, nil): "of type \(type)"
        case .ofType(let type, let tag?): "of type \(type) with the tag \(tag)"
        }
    }
}

extension JSON {
    /// This value after a JSON Merge Patch (RFC 7396): null takes a member away.
    func merging(_ patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members = self.members ?? []
        for change in changes {
            let place = members.firstIndex { $0.name.isExactly(change.name) }
            if change.value.isNull {
                if let place { members.remove(at: place) }
            } else if let place {
                members[place].value = members[place].value.merging(change.value)
            } else {
                members.append(.init(name: change.name, value: JSON.null.merging(change.value)))
            }
        }
        return .object(of: members.map { ($0.name, $0.value) })
    }
}
