/// Canonical JSON out, with the texts behind the symbols at hand.
public struct JSONOutput: Coder {
    /// The JSON written so far.
    public var json: JSONWriter
    public let names: Names
    /// Where the fields of open records stand, for a `JSONTranscriber`.
    var places: [Int] = []

    public init(names: Names, reservingCapacity capacity: Int = 256) {
        self.json = JSONWriter(reservingCapacity: capacity)
        self.names = names
    }

    @inlinable
    public mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        json.key(name)
        value.write(to: &self)
    }

    @inlinable
    public mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        guard let value else { return }
        json.key(name)
        value.write(to: &self)
    }

    @inlinable
    public mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        json.key(name)
        value.write(to: &self)
    }

    @inlinable
    public mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        guard let value else { return }
        json.key(name)
        value.write(to: &self)
    }

    @inlinable
    public mutating func own<T: Thing>(_ name: String, _ value: inout Identifier<T>) {}

    /// Behind an element of a long array: gives the writer's sink what was written, if there is one and it is enough.
    public mutating func drain() {
        // Places are places in what was written.
        if places.isEmpty { json.drain() }
    }

    /// Writes a member of the open object.
    @inlinable
    public mutating func member<V: FieldValue>(_ name: String, _ value: V) {
        json.key(name)
        value.write(to: &self)
    }

    /// Writes an object; `body` writes its members.
    public mutating func object(_ body: (inout JSONOutput) -> Void) {
        json.beginObject()
        body(&self)
        json.endObject()
    }

    /// Writes a member that is an object.
    public mutating func object(_ name: String, _ body: (inout JSONOutput) -> Void) {
        json.key(name)
        object(body)
    }

    /// Writes a member that is an array of objects or values; `body` writes each element.
    @inlinable
    public mutating func array<E>(
        _ name: String, _ elements: some Sequence<E>,
        _ body: (inout JSONOutput, E) -> Void
    ) {
        json.key(name)
        json.beginArray()
        for element in elements {
            body(&self, element)
            drain()
        }
        json.endArray()
    }

    /// A value as JSON.
    public static func json<V: FieldValue>(of value: V, _ names: Names) -> JSON {
        var output = JSONOutput(names: names)
        value.write(to: &output)
        return (try? JSON(parsing: output.json.bytes)) ?? .null
    }

    /// The text behind a symbol, as a JSON string; null for none.
    public mutating func text(of symbol: Symbol) {
        if symbol.isNone {
            json.null()
        } else {
            names.writeText(symbol, to: &json)
        }
    }
}
