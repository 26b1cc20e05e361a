/// How the bytes of a value become JSON when nobody looks at the value: exports and proofs write every
/// event of a journal, and to decode it first would be most of the work.
public indirect enum JSONForm: Sendable {
    /// Values whose bytes say all: a byte, a zigzag or a plain varint, counted UTF-8.
    case bool, integer, position, percent, instant, date, text
    /// An id or a word, by its symbol.
    case symbol
    /// One of these words, stored as its index.
    case choice([String])
    /// A byte, then the value if the byte is 1.
    case optional(JSONForm)
    /// A count, then the elements.
    case array(JSONForm)
    /// The fields one after the other.
    case record([Field])
    /// Any other value: it is decoded, and writes itself.
    case decoded(
        skip: @Sendable (inout BinaryReader) -> Void,
        write: @Sendable (inout BinaryReader, inout JSONOutput) -> Void)

    /// One field of a record.
    public struct Field: Sendable {
        /// Whether and where the value of a field is stored.
        public enum Presence: Sendable {
            /// Always in the bytes.
            case always
            /// A byte says whether it is given.
            case optional
            /// Kept apart: null here.
            case personal
            /// A byte says whether it is given; the value is kept apart, null here.
            case optionalPersonal
            /// In the bytes alone: JSON tells it by the stream.
            case untold
        }

        let name: String
        let presence: Presence
        let form: JSONForm
    }

    /// The form of any value.
    static func decoded<V: FieldValue>(_ type: V.Type) -> JSONForm {
        .decoded(
            skip: { reader in _ = V.read(from: &reader) },
            write: { reader, output in V.read(from: &reader).write(to: &output) })
    }

    static func record<R: Record>(_ type: R.Type) -> JSONForm {
        var collector = FormCollector()
        var blank = R()
        blank.fields(&collector)
        return .record(collector.fields)
    }
}

private struct FormCollector: Coder {
    var fields: [JSONForm.Field] = []

    private mutating func add<V: FieldValue>(
        _ name: String, _ presence: JSONForm.Field.Presence, _ type: V.Type
    ) {
        fields.append(JSONForm.Field(name: name, presence: presence, form: V.jsonForm))
    }

    mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        add(name, .always, V.self)
    }

    mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        add(name, .optional, V.self)
    }

    mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        add(name, .personal, V.self)
    }

    mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        add(name, .optionalPersonal, V.self)
    }

    mutating func own<T: Thing>(_ name: String, _ value: inout Identifier<T>) {
        add(name, .untold, Identifier<T>.self)
    }
}
