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
        let cases = Self.cases
        for number in cases.indices where cases[number].holds(self) {
            writer.byte(UInt8(truncatingIfNeeded: number))
            return cases[number].write(self, &writer)
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
            for each in Self.cases where each.holds(self) {
                output.json.key(each.name)
                each.writeJSON(self, &output)
            }
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

/// One case of a situation, and how its value is coded.
public struct SituationCase<S: Hashable & Sendable>: Sendable {
    let name: String
    let schema: String
    let holds: @Sendable (S) -> Bool
    let write: @Sendable (S, inout BinaryWriter) -> Void
    let writeJSON: @Sendable (S, inout JSONOutput) -> Void
    let read: @Sendable (inout BinaryReader) -> S
    let skip: @Sendable (inout BinaryReader) -> Void
    let readJSON: @Sendable (JSON, inout JSONInput) -> S?

    /// A case without a value.
    public static func bare(_ name: String, _ situation: S) -> Self {
        Self(
            name: name, schema: name, holds: { $0 == situation }, write: { _, _ in },
            writeJSON: { _, output in output.json.null() }, read: { _ in situation },
            skip: { _ in },
            readJSON: { json, input in
                if case .null = json { return situation }
                input.fail("expected null")
                return nil
            })
    }

    /// A case with a value, and how one is had of the other.
    public static func with<V: FieldValue>(
        _ name: String, _ make: @escaping @Sendable (V) -> S, _ value: @escaping @Sendable (S) -> V?
    ) -> Self {
        Self(
            name: name, schema: "\(name):\(V.schema)", holds: { value($0) != nil },
            write: { value($0)?.write(to: &$1) }, writeJSON: { value($0)?.write(to: &$1) },
            read: { make(V.read(from: &$0)) }, skip: { V.skip(from: &$0) },
            readJSON: { json, input in V.read(json, from: &input).map(make) })
    }
}
