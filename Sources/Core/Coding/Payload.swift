import Synchronization

/// What an event says: a fact in the past tense, a record with a wire name.
public protocol Payload: Record {
    /// The wire name, written out: a rename in Swift must not rewrite history.
    static var type: String { get }
    /// The nouns of the streams that such events stand on: `exam` of `examroom/exam/EX-1`, `policy` of
    /// `examroom/policy`.
    static var streams: [String] { get }
    /// The version of the field list. An added field is a new version, and so is one that became personal;
    /// older ones decode for ever.
    static var version: UInt16 { get }
    /// The fields as a version of the list has them: `fields` is the list of the present one. What a version
    /// lacks is given its stated default.
    mutating func fields<C: Coder>(_ coder: inout C, version: UInt16)
    /// One English sentence for audit views.
    static var sentence: String { get }
    /// The numbers of the rules of its product's page that such an event follows: `R12` is 12.
    static var rules: [Int] { get }
    /// What such events are to an auditor.
    static var significance: Significance { get }
    /// Whether it destroys the key which the personal fields of its event's subject hang on: they read null from here on, past
    /// ones included (contract, Personal data).
    static var destroysKey: Bool { get }
    /// Whether it is recorded however long its leaf is: a refusal would keep people from what it stands for (contract, `too-large`).
    static var isNeverTooLarge: Bool { get }
    /// Decodes what an older or this version wrote; nil when it is none of them.
    static func decode(version: UInt16, from reader: inout BinaryReader) -> Self?
    /// The same for whoever does not know the type: a requirement, so that it is compiled where the type is known.
    static func decodeAny(version: UInt16, from reader: inout BinaryReader) -> (any Payload)?
    /// Whether one of its personal fields is given. A requirement for the same reason: every event that is recorded asks.
    func givesPersonal(version: UInt16) -> Bool
}

extension Payload {
    @inlinable
    public static var version: UInt16 { 1 }
    public static var rules: [Int] { [] }
    public static var isNeverTooLarge: Bool { false }

    @inlinable
    public mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) { fields(&coder) }

    @inlinable
    public static func decode(version: UInt16, from reader: inout BinaryReader) -> Self? {
        guard version > 0, version <= Self.version else { return nil }
        var fact = Self()
        fact.fields(&reader, version: version)
        return reader.isComplete ? fact : nil
    }

    @inlinable
    public static func decodeAny(
        version: UInt16, from reader: inout BinaryReader
    ) -> (any Payload)? {
        decode(version: version, from: &reader)
    }

    @inlinable
    public func givesPersonal(version: UInt16) -> Bool {
        var fact = self
        var search = PersonalSearch()
        fact.fields(&search, version: version)
        return search.isGiven
    }
}

extension Coder {
    /// A personal field that earlier versions of its event had in clear (contract, Personal data).
    @inlinable
    public mutating func personal<V: FieldValue>(
        _ name: String, _ value: inout V?, inClear: Bool
    ) {
        guard inClear else { return personal(name, &value) }
        // Written out: `.empty` may also be that of the optional.
        var clear: V = value ?? V.empty
        field(name, &clear)
        value = clear
    }
}

/// A payload type without its Swift type, for what handles events of any type, in one version of its field
/// list. One reference, since each event that is read takes it along.
public final class PayloadType: Sendable {
    public let name: String
    public let version: UInt16
    public let schema: String
    public let sentence: String
    /// `examroom` of `examroom.exam.created`.
    public let product: String
    public let streams: [String]
    /// The payload as its Swift type; nil when the bytes are not of that version of the type.
    public let decode: @Sendable (_ version: UInt16, inout BinaryReader) -> (any Payload)?
    /// Writes the payload as a JSON object, its origin among its members; false when the bytes are
    /// not of that version.
    public let writeJSON:
        @Sendable (_ version: UInt16, Origin?, inout BinaryReader, inout JSONOutput) -> Bool
    /// The binary form of a payload given as JSON, and its personal part in clear; nil with the
    /// reason in the input.
    public let readJSON: @Sendable (JSON, inout JSONInput) -> (payload: [UInt8], personal: [UInt8])?
    /// The tags that follow from a payload's own fields.
    public let tags: @Sendable (any Payload) -> [(kind: String, id: Symbol)]
    /// The names of its personal fields, in their order.
    public let personalFields: [String]
    /// See `PersonalPart.binding`.
    public let binding: [UInt8]
    /// Identifies the Swift type, for a quick check before a decode.
    public let swiftType: ObjectIdentifier
    /// The Swift type.
    public let payload: any Payload.Type
    /// The versions before this one, from the first.
    private let former: [PayloadType]

    /// The description of a payload type; made once for each type and kept.
    public convenience init<P: Payload>(_ type: P.Type) {
        self.init(type, P.version, (1..<P.version).map { PayloadType(type, $0, []) })
    }

    @inline(never)
    private static func write<P: Payload>(
        _ type: P.Type, _ version: UInt16, _ origin: Origin?, _ reader: inout BinaryReader,
        _ output: inout JSONOutput
    ) -> Bool {
        guard var fact = P.decode(version: version, from: &reader) else { return false }
        output.object { output in
            fact.fields(&output, version: version)
            if let origin { output.member("origin", origin) }
        }
        return true
    }

    /// The type in this or an earlier version; nil for one that is not known.
    public func version(_ version: Int) -> PayloadType? {
        if version == Int(self.version) { return self }
        return former.indices.contains(version - 1) ? former[version - 1] : nil
    }

    private init<P: Payload>(_ type: P.Type, _ version: UInt16, _ former: [PayloadType]) {
        self.former = former
        name = P.type
        self.version = version
        var recorder = SchemaRecorder()
        var blank = P()
        blank.fields(&recorder, version: version)
        schema = recorder.text
        sentence = P.sentence
        product = String(P.type.prefix { $0 != "." })
        streams = P.streams
        swiftType = ObjectIdentifier(type)
        payload = type
        decode = { version, reader in P.decodeAny(version: version, from: &reader) }
        let transcriber = DeferredTranscriber { P.jsonForm }
        let current = P.version
        writeJSON = { version, origin, reader, output in
            // Nothing that asks for generic types: an export of every event comes by here.
            if origin == nil, version == current, !reader.showsPersonal {
                return transcriber.value.write(&reader, to: &output)
            }
            return Self.write(P.self, version, origin, &reader, &output)
        }
        readJSON = { json, input in
            let read =
                version == P.version
                ? P.read(json, from: &input)
                : input.record(json) { nested in
                    var fact = P()
                    fact.fields(&nested, version: version)
                    return fact
                }
            guard var fact = read else { return nil }
            var writer = BinaryWriter()
            fact.fields(&writer, version: version)
            return (writer.bytes, PersonalPart.of(fact, version: version, input.names))
        }
        tags = { fact in
            guard var fact = fact as? P else { return [] }
            var collector = TagCollector()
            fact.fields(&collector)
            return collector.tags
        }
        var collector = PersonalNames()
        blank.fields(&collector, version: version)
        personalFields = collector.names
        binding = PersonalPart.binding(
            type: P.type, version: Int(version), fields: collector.names)
    }
}

/// A transcriber that is made when it is first asked for. Every event that is written asks: behind a flag that costs a load,
/// since lazy references of the library are generic, and looked up at run time.
@safe
private final class DeferredTranscriber: Sendable {
    private let isMade = Atomic(false)
    private let form: @Sendable () -> JSONForm
    private let making = Mutex(())
    /// Written once, before `isMade` is set.
    @exclusivity(unchecked) private nonisolated(unsafe) var made: JSONTranscriber?

    init(_ form: @escaping @Sendable () -> JSONForm) {
        self.form = form
    }

    var value: JSONTranscriber {
        if isMade.load(ordering: .acquiring), let made = unsafe made { return made }
        return making.withLock { _ in
            if let made = unsafe made { return made }
            let transcriber = JSONTranscriber(form())
            unsafe made = transcriber
            isMade.store(true, ordering: .releasing)
            return transcriber
        }
    }
}

/// Collects the tags of a payload: one for each of its own ids whose kind has a tag.
public struct TagCollector: Coder, Sendable {
    /// The tags so far, in field order.
    public private(set) var tags: [(kind: String, id: Symbol)] = []

    public init() {}

    public mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        if let tag = value.tag { tags.append(tag) }
    }

    public mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        if var value { field(name, &value) }
    }

    public mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {}
}

extension Identifier {
    public var tag: (kind: String, id: Symbol)? {
        guard let kind = T.tag, !symbol.isNone else { return nil }
        return (kind, symbol)
    }
}

extension Optional where Wrapped: FieldValue {
    public var tag: (kind: String, id: Symbol)? { self?.tag ?? nil }
}
