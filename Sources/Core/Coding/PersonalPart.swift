/// The personal fields of one payload, apart from the rest: they are sealed under a person's key,
/// while the rest stays readable for ever (contract, Personal data; ADR 0023).
///
/// In clear it is a canonical JSON array with the values of the fields in their order, null for one
/// that was not given. JSON, because it names things by their texts: it means the same in another
/// journal, and an auditor who has the key can read it.
public enum PersonalPart: Sendable {
    /// The flag of an event's record that says that its payload ends with a sealed part.
    @inlinable public static var flag: UInt64 { 2 }
    /// The flag beside it of a part that was sealed before format 4 and came with an import.
    public static let formerFlag: UInt64 = 4

    /// Clear text is filled up with spaces to a multiple of this many bytes: the length of a box does not
    /// tell that of a name.
    static let padding = 32

    /// What is sealed: the part in clear, padded.
    public static func padded(_ clear: [UInt8]) -> [UInt8] {
        let length = (clear.count + padding - 1) / padding * padding
        return clear + [UInt8](repeating: UInt8(ascii: " "), count: length - clear.count)
    }

    /// A part without its padding; nil for nil.
    public static func content(_ clear: [UInt8]?) -> [UInt8]? {
        guard let clear, clear.last == UInt8(ascii: " "),
            let end = clear.lastIndex(of: UInt8(ascii: "]"))
        else { return clear }
        return Array(clear[...end])
    }

    /// Which event type a part belongs to, as part of what it is authenticated with
    /// (docs/journal-format.md, Personal fields).
    public static func binding(type: String, version: Int, fields: [String]) -> [UInt8] {
        Array("\(type) \(version) \(fields.joined(separator: ","))\n".utf8)
    }

    /// The personal fields that a schema marks, in their order (`Schema`: `!` behind the name).
    public static func fields(ofSchema schema: String) -> [String] {
        var fields: [String] = []
        var name: [UInt8] = []
        var depth = 0
        var isName = true
        for byte in schema.utf8 {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: ",") where depth == 1:
                isName = true
                name = []
            case UInt8(ascii: ":") where depth == 1 && isName:
                isName = false
                if name.last == UInt8(ascii: "!") {
                    fields.append(
                        String(
                            decoding: name.filter {
                                $0 != UInt8(ascii: "!") && $0 != UInt8(ascii: "?")
                            },
                            as: UTF8.self))
                }
            default: if depth == 1 && isName { name.append(byte) }
            }
        }
        return fields
    }

    /// The part of a fact, in clear; empty where nothing personal was given.
    public static func of<P: Payload>(
        _ fact: P, version: UInt16 = P.version, _ names: Names
    ) -> [UInt8] {
        guard fact.givesPersonal(version: version) else { return [] }
        var fact = fact
        var writer = PersonalWriter(names: names)
        writer.output.json.beginArray()
        fact.fields(&writer, version: version)
        writer.output.json.endArray()
        return writer.output.json.bytes
    }

    /// A payload with its sealed part behind it and the length of that before it: what is stored.
    public static func join(_ payload: [UInt8], sealed: [UInt8]) -> [UInt8] {
        var writer = BinaryWriter(reservingCapacity: payload.count + sealed.count + 4)
        writer.varint(UInt64(sealed.count))
        writer.bytes += payload
        writer.bytes += sealed
        return writer.bytes
    }
}

/// What stands sealed behind a payload: the number of the slot with the person's key, and the box that it
/// opens, ciphertext and tag. The box is what the journal proves; the slot is this journal's own.
public struct SealedPart: Sendable {
    public let slot: UInt32
    /// The sealed bytes with their authentication code.
    public let box: ArraySlice<UInt8>

    /// Nil for other bytes.
    public init?(_ bytes: [UInt8], _ range: Range<Int>) {
        var reader = BinaryReader(bytes, range: range)
        let slot = reader.varint()
        guard !reader.failed, let number = UInt32(exactly: slot), number > 0 else { return nil }
        self.slot = number
        box = bytes[reader.offset..<range.upperBound]
    }

    /// The stored form: the slot as a varint, then the box.
    @inlinable
    public static func bytes(slot: UInt32, box: some Collection<UInt8>) -> [UInt8] {
        var writer = BinaryWriter(reservingCapacity: box.count + 5)
        writer.varint(UInt64(slot))
        writer.bytes += box
        return writer.bytes
    }
}

/// Opens the sealed parts of events.
public protocol PersonalOpener: AnyObject {
    /// The part in clear; nil when the person's key is destroyed, or not here. What fails is left where
    /// check it before an answer leaves.
    func open(_ bytes: [UInt8], _ sealed: Range<Int>, at place: SealingContext) -> [UInt8]?
}

/// What the personal fields of one payload hold, opened before a reader comes to them.
public struct PersonalValues: Sendable {
    /// Nil where the part is not what a writer wrote.
    fileprivate let values: [JSON]?

    public init(clear: [UInt8]) {
        // Its padding is white space.
        guard let json = try? JSON(parsing: clear), case .array(let values) = json else {
            self.values = nil
            return
        }
        self.values = values
    }

    fileprivate init(
        _ opener: any PersonalOpener, _ bytes: [UInt8], _ range: Range<Int>, _ place: SealingContext
    ) {
        guard let clear = opener.open(bytes, range, at: place) else {
            self.init(clear: Array("[]".utf8))
            return
        }
        self.init(clear: clear)
    }

    /// Of a stored payload; nil where nothing of it is sealed.
    public init?(
        _ bytes: [UInt8], stored range: Range<Int>, flags: UInt64, at place: SealingContext,
        opener: any PersonalOpener
    ) {
        guard flags & PersonalPart.flag != 0 else { return nil }
        var reader = BinaryReader(bytes, range: range)
        let length = reader.count()
        guard !reader.failed else { return nil }
        self.init(opener, bytes, range.upperBound - length..<range.upperBound, place)
    }
}

/// What opens the personal parts of a journal's events, and what they name things by. One for a session: readers and rows take
/// it up with one reference.
public final class PartOpener {
    /// Nil for parts that are at hand in clear.
    let keys: (any PersonalOpener)?
    /// Of the session.
    public let names: Names

    public init(keys: (any PersonalOpener)?, names: Names) {
        self.keys = keys
        self.names = names
    }

    /// A part in clear; nil once its person's key is destroyed.
    func open(_ bytes: [UInt8], _ sealed: Range<Int>, at place: SealingContext) -> [UInt8]? {
        keys?.open(bytes, sealed, at: place)
    }
}

/// The personal fields of the payload that a reader reads, opened when the first of them is read.
///
/// It never changes. An object of its own, since most payloads have none, and readers are handed on with every event.
@usableFromInline
final class PersonalFields {
    private enum State {
        case sealed(Range<Int>, SealingContext)
        case read(PersonalValues)
    }

    private let state: State
    private let opener: PartOpener

    var names: Names { opener.names }

    init(_ values: PersonalValues, _ opener: PartOpener) {
        state = .read(values)
        self.opener = opener
    }

    init(_ opener: PartOpener, _ range: Range<Int>, _ place: SealingContext) {
        state = .sealed(range, place)
        self.opener = opener
    }

    /// The part as the journal has it; nil once it was opened.
    func closed(in bytes: [UInt8]) -> ClosedPart? {
        guard case .sealed(let range, let place) = state else { return nil }
        return ClosedPart(bytes: bytes, sealed: range, place: place, opener: opener)
    }

    /// The same, opened; sealed still where there is nothing to open it with.
    func opened(in bytes: [UInt8]) -> PersonalFields {
        guard case .sealed(let range, let place) = state, let keys = opener.keys else {
            return self
        }
        return PersonalFields(PersonalValues(keys, bytes, range, place), opener)
    }

    /// What a field holds, null for one that is not given or cannot be read any more; nil when the part is not what
    /// a writer wrote, or was not opened.
    func json(_ index: Int) -> JSON? {
        guard case .read(let known) = state, let values = known.values else { return nil }
        if values.isEmpty { return .null }
        return index < values.count ? values[index] : nil
    }
}

/// Whether a personal field is given: most payloads have none.
@usableFromInline
struct PersonalSearch: Coder {
    @usableFromInline var isGiven = false

    @inlinable
    init() {}

    @inlinable
    mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {}

    @inlinable
    mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {}

    @inlinable
    mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        isGiven = isGiven || value != nil
    }

    @inlinable
    mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        isGiven = isGiven || (value ?? nil) != nil
    }
}

/// Writes the values of the personal fields, and nothing else.
private struct PersonalWriter: Coder {
    var output: JSONOutput

    init(names: Names) {
        output = JSONOutput(names: names, reservingCapacity: 64)
    }

    mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {}
    mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {}

    mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        value.write(to: &output)
    }

    mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        (value ?? nil).write(to: &output)
    }
}

/// Collects the names of the personal fields.
struct PersonalNames: Coder {
    private(set) var names: [String] = []

    mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {}
    mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {}

    mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        names.append(name)
    }

    mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        names.append(name)
    }
}
