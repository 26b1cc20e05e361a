import EventLog
import Core

/// The journal's event types beside the program's: which number is which type in which version.
///
/// A type whose fields changed without a new version, or a version newer than the program knows,
/// is refused, never guessed.
struct JournalTypes {
    struct Entry {
        /// The type in the version of the journal's.
        let payload: PayloadType
        let number: UInt16

        var version: UInt16 { payload.version }
    }

    /// By the journal's number; the first stands at index 1.
    private var entries: [Entry?] = [nil]
    private var numbers: [ObjectIdentifier: UInt16] = [:]

    let registry: Registry

    init(_ records: [TypeRecord], _ registry: Registry) throws(EngineError) {
        self.registry = registry
        for record in records { try add(record) }
    }

    mutating func add(_ record: TypeRecord) throws(EngineError) {
        guard let payload = registry.payload(record.name)?.version(Int(record.version)) else {
            throw EngineError(
                .badInput,
                "the journal holds events of type \(record.name) version \(record.version), which "
                    + "this program does not know; use a newer version of it")
        }
        if record.schema != payload.schema {
            throw EngineError(
                .badInput,
                "the fields of \(record.name) version \(record.version) in the journal are not "
                    + "those of this program; a changed type needs a new version")
        }
        while entries.count <= Int(record.number) { entries.append(nil) }
        entries[Int(record.number)] = Entry(payload: payload, number: record.number)
        numbers[ObjectIdentifier(payload)] = record.number
    }

    var count: Int { entries.count - 1 }

    subscript(number: UInt16) -> Entry? {
        Int(number) < entries.count ? entries[Int(number)] : nil
    }

    /// The number of a type in its version; nil if the journal has not met it.
    func number(of type: PayloadType) -> UInt16? { numbers[ObjectIdentifier(type)] }

    /// The numbers of all versions of the types that the pattern names: a wire name, or a prefix
    /// and `*`.
    func numbers(matching pattern: String) -> [UInt16] {
        let prefix = pattern.hasSuffix("*") ? String(pattern.dropLast()) : nil
        return entries.compactMap { entry in
            guard let entry else { return nil }
            let isMatch = prefix.map { entry.payload.name.hasPrefix($0) }
            return isMatch ?? (entry.payload.name == pattern) ? entry.number : nil
        }
    }

    /// The record for a type at its first use.
    func record(for payload: PayloadType, number: UInt16) -> TypeRecord {
        TypeRecord(
            number: number, name: payload.name, version: UInt32(payload.version),
            schema: payload.schema)
    }
}
