/// Collects the names of the fields that are given.
public struct NameCollector: Coder, Sendable {
    public private(set) var names: [String] = []

    public init() {}

    public mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        names.append(name)
    }

    public mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        if value != nil { names.append(name) }
    }

    public mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        names.append(name)
    }

    public mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        if value != nil { names.append(name) }
    }
}
