import Core

extension Cause {
    /// As JSON: the event without its data, and what it changed.
    public var document: Document { Document(value: .object(members)) }

    /// The same with a proof of the event, null where there is none.
    public func document(proof: String?) -> Document {
        Document(
            value: .object(members + [(name: "proof", value: proof.map { .string($0) } ?? .null)]))
    }

    private var members: [(name: String, value: Document.Value)] {
        let names = [
            "at", "by", "cause", "command", "device", "position", "recordedAt", "stream", "type",
        ]
        let changes = changes.map { change -> Document.Value in
            .object([
                (name: "path", value: .string(change.path)),
                (name: "old", value: change.old ?? .null),
                (name: "new", value: change.new ?? .null),
            ])
        }
        let event = self.event.value
        return names.map { (name: $0, value: event[$0]) } + [
            (name: "changes", value: .array(changes)),
            (name: "rules", value: .array(rules.map { .string($0) })),
        ]
    }
}

extension Turn {
    /// As JSON: where, whether it holds from there on, and the event.
    public var document: Document {
        Document(
            value: .object([
                (name: "event", value: event?.value ?? .null),
                (name: "holds", value: .bool(holds)),
                (name: "key", value: key.isEmpty ? .null : .string(key)),
                (name: "position", value: .number("\(position)")),
            ]))
    }
}

extension ModelComparison {
    /// As JSON, one for each document that differs: model, key, arguments and a JSON Patch.
    public var lines: [Document] {
        differing.map { found in
            Document(
                value: .object([
                    (
                        name: "arguments",
                        value: .object(
                            found.arguments.map { (name: $0.key, value: .string($0.value)) })
                    ),
                    (name: "key", value: found.key.isEmpty ? .null : .string(found.key)),
                    (name: "model", value: .string(model)),
                    (name: "patch", value: found.difference.patch.value),
                ]))
        }
    }
}

extension [ModelComparison] {
    /// As JSON: of each model how many documents there are, how many differ, and of how many a condition holds.
    public var summary: Document {
        Document(value: .object([(name: "models", value: .array(map(\.counts)))]))
    }
}

extension ModelComparison {
    fileprivate var counts: Document.Value {
        var members: [(name: String, value: Document.Value)] = [
            (name: "differing", value: .number("\(differing.count)")),
            (name: "documents", value: .number("\(documents)")),
        ]
        if let holding {
            let values: [(name: String, value: Document.Value)] = [
                (name: "new", value: .number("\(holding.new)")),
                (name: "old", value: .number("\(holding.old)")),
            ]
            members.append((name: "holding", value: .object(values)))
        }
        members.append((name: "model", value: .string(model)))
        return .object(members)
    }
}

extension Document {
    /// The canonical form of a value.
    init(value: Value) { self.init(bytes: value.canonical) }
}
