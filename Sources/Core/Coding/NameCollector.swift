/// Collects the names of the fields that are given.
package struct NameCollector: Coder, Sendable {
    package private(set) var names: [String] = []

    package init() {}

    package mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        names.append(name)
    }

    package mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        if value != nil { names.append(name) }
    }

    package mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        names.append(name)
    }

    package mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        if value != nil { names.append(name) }
    }
}
