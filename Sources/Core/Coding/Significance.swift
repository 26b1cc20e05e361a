/// What events of a type are to an auditor, whatever the product: a product says it of each of its
/// payloads, and the shared audit views and the report need to know nothing else.
public enum Significance: String, CaseIterable, Sendable {
    /// Everyday use.
    case ordinary
    /// A try that was refused and recorded, because somebody should know.
    case refusal
    /// Personal data was destroyed.
    case erasure
    /// Somebody with power over others or over the rules used it.
    case administrative
}

extension Payload {
    public static var significance: Significance { .ordinary }
    public static var destroysKey: Bool { false }
}

extension PayloadType {
    public var significance: Significance { payload.significance }
}

/// A payload that names people in fields that give no tag: in a text, or as an id of any kind of thing.
///
/// Such types should be rare: who asks what is held about a person reads all their events.
public protocol NamesPeople: Payload {
    /// The ids of the people.
    func people(_ names: Names) -> [String]
}

extension PayloadType {
    /// Whether such events name people in fields that give no tag.
    public var namesPeople: Bool { payload is any NamesPeople.Type }
}

extension EventEnvelope {
    /// The people whom the payload names in fields that give no tag.
    public func untaggedPeople(_ names: Names) -> [String] {
        func people<P: NamesPeople>(_ type: P.Type) -> [String] {
            read(type)?.people(names) ?? []
        }
        guard let type = type.payload as? any NamesPeople.Type else { return [] }
        return people(type)
    }
}
