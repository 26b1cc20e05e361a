/// Takes away given fields whose names do not pass: what is left of changes that lost in part.
public struct FieldFilter: Coder {
    private let keeps: (String) -> Bool

    public init(_ keeps: @escaping (String) -> Bool) {
        self.keeps = keeps
    }

    public mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {}

    public mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        if value != nil, !keeps(name) { value = nil }
    }

    public mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {}
}

extension Record {
    /// The names of the fields that are given, sorted.
    @inlinable
    public var givenNames: [String] {
        var collector = NameCollector()
        var copy = self
        copy.fields(&collector)
        return collector.names.sorted { $0.precedes($1) }
    }

    /// The record without the given fields that do not pass.
    public func keeping(_ keeps: @escaping (String) -> Bool) -> Self {
        var filter = FieldFilter(keeps)
        var copy = self
        copy.fields(&filter)
        return copy
    }
}
