/// Seals what rows hold of persons, so that no stored view ever has it in clear. Goes with the rows from
/// thread to thread; never used by two at a time.
public protocol RowVault: AnyObject, Sendable {
    /// Nil when the person has no key.
    func seal(_ clear: [UInt8], of person: Symbol) -> [UInt8]?
    /// Whether no key was ever made for the person: what a row holds of them came out of events that have it in clear, and
    /// is kept so. Where a key was destroyed, nothing is kept.
    func isKeyless(_ person: Symbol) -> Bool
    /// Nil when the key is destroyed.
    func open(_ sealed: [UInt8]) -> [UInt8]?
    /// Opens the personal part of an event, which a row has as the journal has it (`ClosedParts`).
    var opener: PartOpener { get }
}

/// How a value is kept.
@usableFromInline
enum PersonalForm {
    @inlinable static var absent: UInt8 { 0 }
    /// Where there is no vault: rows that stay in memory.
    @inlinable static var clear: UInt8 { 1 }
    @inlinable static var sealed: UInt8 { 2 }
}

/// A value in a row that came out of personal fields: sealed under the person's key where rows are
/// stored, null once that key is destroyed.
public struct PersonalRow<Value: FieldValue>: FieldValue {
    /// Nil once the person's key is destroyed, or if there was none.
    public var value: Value?
    @usableFromInline let person: Symbol

    @inlinable
    public init(_ value: Value?, of person: Symbol) {
        self.value = value
        self.person = person
    }

    @inlinable
    public static var empty: Self { Self(nil, of: .none) }
    public static var schema: String { "personal(\(Value.schema))" }

    @inlinable
    public func write(to writer: inout BinaryWriter) {
        guard let value else { return writer.byte(PersonalForm.absent) }
        guard let vault = writer.vault else {
            writer.byte(PersonalForm.clear)
            return value.write(to: &writer)
        }
        var clear = BinaryWriter()
        value.write(to: &clear)
        guard let sealed = vault.seal(clear.bytes, of: person) else {
            guard vault.isKeyless(person) else { return writer.byte(PersonalForm.absent) }
            writer.byte(PersonalForm.clear)
            return value.write(to: &writer)
        }
        writer.byte(PersonalForm.sealed)
        writer.counted(sealed)
    }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Self {
        switch reader.byte() {
        case PersonalForm.absent: return .empty
        case PersonalForm.clear: return Self(Value.read(from: &reader), of: .none)
        case PersonalForm.sealed:
            let sealed = Array(reader.countedBytes())
            guard let clear = reader.vault?.open(sealed) else { return .empty }
            var inner = BinaryReader(clear)
            let value = Value.read(from: &inner)
            if !inner.isComplete { reader.fail() }
            return Self(value, of: .none)
        default:
            reader.fail()
            return .empty
        }
    }

    /// Rows are no documents: a view shows their values.
    public func write(to output: inout JSONOutput) { value.write(to: &output) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        Value?.read(json, from: &input).map { Self($0, of: .none) }
    }
}

extension Coder {
    /// A field of a row that came out of personal fields of this person.
    @inlinable
    public mutating func kept<V: FieldValue>(
        _ name: String, _ value: inout V?, of person: Symbol
    ) {
        var row = PersonalRow(value, of: person)
        field(name, &row)
        value = row.value
    }
}
