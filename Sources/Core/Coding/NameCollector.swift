/// Collects the names of the fields that are given.
@usableFromInline
package struct NameCollector: Coder, Sendable {
    @usableFromInline package var names: [String] = []

    @inlinable
    package init() {}

    @inlinable
    package mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        names.append(name)
    }

    @inlinable
    package mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        if value != nil { names.append(name) }
    }

    @inlinable
    package mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        names.append(name)
    }

    @inlinable
    package mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        if value != nil { names.append(name) }
    }
}
