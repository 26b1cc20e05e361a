import Core

/// What differs between two JSON documents.
public struct DocumentDifference: Sendable, Hashable {
    /// One place at which they differ.
    public struct Change: Sendable, Hashable {
        /// Where, as JSONPath: `$.entries[0].score`.
        public let path: String
        let pointer: String
        let oldValue: JSON?
        let newValue: JSON?

        init(at location: [JSONPath.Step], old: JSON?, new: JSON?) {
            path = location.pathText
            pointer = location.pointer
            oldValue = old
            newValue = new
        }

        /// Of what a path names, be it one value or several.
        init(path: String, old: JSON?, new: JSON?) {
            self.path = path
            pointer = ""
            oldValue = old
            newValue = new
        }

        /// What stood there; nil where nothing did.
        public var old: Document.Value? { oldValue.map { Document.Value($0) } }
        /// What stands there; nil where nothing does.
        public var new: Document.Value? { newValue.map { Document.Value($0) } }
    }

    /// In the order in which they are made: the first applies to the old document, the next to what came of that.
    public let changes: [Change]

    /// Compares two documents.
    public init(from old: Document, to new: Document) throws(EngineError) {
        let values = try engineErrors {
            (old: try JSON(parsing: old.bytes), new: try JSON(parsing: new.bytes))
        }
        var changes: [Change] = []
        Self.compare(values.old, values.new, [], &changes)
        self.changes = changes
    }

    /// Whether the documents say the same.
    public var isEmpty: Bool { changes.isEmpty }

    /// A JSON Patch (RFC 6902) that makes the old document the new one, and tests each old value before it goes.
    public var patch: Document {
        Document(names: Names()) { output in
            output.json.beginArray()
            for change in changes {
                let pointer = change.pointer
                if let old = change.oldValue {
                    Self.write("test", pointer, old, &output)
                    if let new = change.newValue {
                        Self.write("replace", pointer, new, &output)
                    } else {
                        Self.write("remove", pointer, nil, &output)
                    }
                } else if let new = change.newValue {
                    Self.write("add", pointer, new, &output)
                }
            }
            output.json.endArray()
        }
    }

    private static func write(
        _ operation: String, _ pointer: String, _ value: JSON?, _ output: inout JSONOutput
    ) {
        var members: [(String, JSON)] = [("op", .string(operation)), ("path", .string(pointer))]
        if let value { members.append(("value", value)) }
        output.json.value(.object(of: members))
    }

    // MARK: Comparing

    private static func compare(
        _ old: JSON, _ new: JSON, _ location: [JSONPath.Step], _ changes: inout [Change]
    ) {
        switch (old, new) {
        case (.object(let old), .object(let new)):
            for member in old {
                let location = location + [.name(member.name)]
                if let value = new.value(of: member.name) {
                    compare(member.value, value, location, &changes)
                } else {
                    changes.append(
                        Change(at: location, old: member.value, new: nil))
                }
            }
            for member in new where old.value(of: member.name) == nil {
                changes.append(
                    Change(at: location + [.name(member.name)], old: nil, new: member.value))
            }
        case (.array(let old), .array(let new)): compare(old, new, location, &changes)
        default:
            guard old != new else { return }
            changes.append(Change(at: location, old: old, new: new))
        }
    }

    /// Items that both begin with and end with are left; those between are compared one with one, what one side has more of
    /// goes or comes behind them.
    private static func compare(
        _ old: [JSON], _ new: [JSON], _ location: [JSONPath.Step], _ changes: inout [Change]
    ) {
        let most = min(old.count, new.count)
        let head = zip(old, new).prefix { $0 == $1 }.count
        let tail = zip(old.reversed(), new.reversed()).prefix(most - head).prefix { $0 == $1 }.count
        let paired = most - head - tail
        for index in head..<head + paired {
            compare(old[index], new[index], location + [.index(index)], &changes)
        }
        for index in (head + paired..<old.count - tail).reversed() {
            changes.append(
                Change(at: location + [.index(index)], old: old[index], new: nil))
        }
        for index in head + paired..<new.count - tail {
            changes.append(
                Change(at: location + [.index(index)], old: nil, new: new[index]))
        }
    }
}
