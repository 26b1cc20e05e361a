import Core

extension EventEngine {
    /// The outcome for whoever sees the events of some products alone, or no personal values.
    ///
    /// - Parameters:
    ///   - products: Those whose events stay; nil for all.
    ///   - hidesPersonal: Personal fields of what stays are null.
    public func restricted(
        _ outcome: Outcome, toProducts products: Set<String>?, hidesPersonal: Bool
    ) throws(EngineError) -> Outcome {
        guard products != nil || hidesPersonal else { return outcome }
        return try engineErrors {
            guard case .object(var members) = try JSON(parsing: outcome.document.bytes),
                let list = members.firstIndex(where: { $0.name == "events" })
            else { return outcome }
            var events: [JSON] = []
            var timerEvents = 0
            for (index, event) in (members[list].value.array ?? []).enumerated() {
                let type = event["type"]?.string ?? ""
                let product = String(type.prefix { $0 != "." })
                guard products?.contains(product) ?? true else { continue }
                events.append(hidesPersonal ? withoutPersonal(event, ofType: type) : event)
                if index < outcome.explained?.timerEvents ?? 0 { timerEvents += 1 }
            }
            members[list].value = .array(events)
            let last = (events.last?["position"]?.wholeNumber).map { Position(UInt64($0)) }
            var seen = Outcome(
                status: outcome.status, code: outcome.code,
                document: Document(.object(members), position: last))
            seen.explained = outcome.explained.map { ($0.checks, timerEvents) }
            return seen
        }
    }

    private func withoutPersonal(_ event: JSON, ofType type: String) -> JSON {
        guard let fields = registry.payload(type)?.personalFields, !fields.isEmpty,
            case .object(var members) = event,
            let place = members.firstIndex(where: { $0.name == "data" }),
            case .object(var data) = members[place].value
        else { return event }
        for index in data.indices where fields.contains(data[index].name) {
            data[index].value = .null
        }
        members[place].value = .object(data)
        return .object(members)
    }
}
