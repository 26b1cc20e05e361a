/// One of several cases, each with a value of its own or none: what a thing is in. Fields that belong to one
/// case stand with it, so those of two cannot be given at once.
///
///     enum Assessment: Situation {
///         case locked
///         case underReview(Review)
///
///         static let cases: [SituationCase<Self>] = [
///             .bare("locked", .locked),
///             .with("under-review", Self.underReview) { if case .underReview(let value) = $0 { value } else { nil } },
///         ]
///     }
public protocol Situation: FieldValue {
    /// In the order in which they are numbered; the first is the blank one.
    static var cases: [SituationCase<Self>] { get }
}

extension Situation {
    public static var schema: String { "{" + cases.map(\.schema).joined(separator: "|") + "}" }

    /// The number of the case, then its value.
    public func write(to writer: inout BinaryWriter) {
        var number: UInt8 = 0
        for each in Self.cases {
            if each.write(self, number, &writer) { return }
            number &+= 1
        }
    }

    public static func read(from reader: inout BinaryReader) -> Self {
        let number = Int(reader.byte())
        guard number < cases.count else {
            reader.fail()
            return empty
        }
        return cases[number].read(&reader)
    }

    public static func skip(from reader: inout BinaryReader) {
        let number = Int(reader.byte())
        guard number < cases.count else { return reader.fail() }
        cases[number].skip(&reader)
    }

    /// An object with one member: the case.
    public func write(to output: inout JSONOutput) {
        output.object { output in
            for each in Self.cases where each.writeJSON(self, &output) { return }
        }
    }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        guard case .object(let members) = json, members.count == 1, let member = members.first,
            let known = cases.first(where: { $0.name == member.name })
        else {
            input.fail(
                "expected an object with one of \(cases.map(\.name).joined(separator: ", "))")
            return nil
        }
        return known.readJSON(member.value, &input)
    }
}

/// One case of a situation, and how its value is coded. An object: rows are written by asking one after the other.
public final class SituationCase<S: Hashable & Sendable>: Sendable {
    let name: String
    let schema: String
    /// The number that it is given, then the value; false, and nothing, for another case.
    let write: @Sendable (S, UInt8, inout BinaryWriter) -> Bool
    /// The member of this case; false, and nothing, for another one.
    let writeJSON: @Sendable (S, inout JSONOutput) -> Bool
    let read: @Sendable (inout BinaryReader) -> S
    let skip: @Sendable (inout BinaryReader) -> Void
    let readJSON: @Sendable (JSON, inout JSONInput) -> S?

    private init(
        _ name: String, schema: String,
        write: @escaping @Sendable (S, UInt8, inout BinaryWriter) -> Bool,
        writeJSON: @escaping @Sendable (S, inout JSONOutput) -> Bool,
        read: @escaping @Sendable (inout BinaryReader) -> S,
        skip: @escaping @Sendable (inout BinaryReader) -> Void,
        readJSON: @escaping @Sendable (JSON, inout JSONInput) -> S?
    ) {
        self.name = name
        self.schema = schema
        self.write = write
        self.writeJSON = writeJSON
        self.read = read
        self.skip = skip
        self.readJSON = readJSON
    }

    /// A case without a value.
    public static func bare(_ name: String, _ situation: S) -> SituationCase {
        SituationCase(
            name, schema: name,
            write: { other, number, writer in
                guard other == situation else { return false }
                writer.byte(number)
                return true
            },
            writeJSON: { other, output in
                guard other == situation else { return false }
                output.json.key(name)
                output.json.null()
                return true
            },
            read: { _ in situation }, skip: { _ in },
            readJSON: { json, input in
                if case .null = json { return situation }
                input.fail("expected null")
                return nil
            })
    }

    /// A case with a value, and how one is had of the other.
    public static func with<V: FieldValue>(
        _ name: String, _ make: @escaping @Sendable (V) -> S, _ value: @escaping @Sendable (S) -> V?
    ) -> SituationCase {
        SituationCase(
            name, schema: "\(name):\(V.schema)",
            write: { other, number, writer in
                guard let value = value(other) else { return false }
                writer.byte(number)
                value.write(to: &writer)
                return true
            },
            writeJSON: { other, output in
                guard let value = value(other) else { return false }
                output.json.key(name)
                value.write(to: &output)
                return true
            },
            read: { make(V.read(from: &$0)) }, skip: { V.skip(from: &$0) },
            readJSON: { json, input in V.read(json, from: &input).map(make) })
    }
}
