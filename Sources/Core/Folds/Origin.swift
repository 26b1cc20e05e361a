/// Where an event really happened that another device's journal brought: it stands at the instant of
/// the merge and carries this (ExamRoom R38). JSON: the member `origin` of the event's data.
public struct Origin: Record {
    /// When it happened there.
    public var at = Instant.epoch
    /// The device whose journal it came from.
    public var device = InternedText.empty
    /// The id of the command that it came of there.
    public var command = ""
    /// The id of the batch in which the merge brought it.
    public var batch = InternedText.empty
    /// The fields that lost against a later write and show nowhere (ExamRoom R40), sorted.
    public var superseded: [String] = []

    public init() {}

    public mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("at", &at)
        coder.field("device", &device)
        coder.field("command", &command)
        coder.field("batch", &batch)
        coder.field("superseded", &superseded)
    }

    /// The flag of an event's record that says that its payload stands behind an origin.
    public static let flag: UInt64 = 1

    /// Reads the origin before a payload, if the flags say that there is one.
    public static func read(from reader: inout BinaryReader, flags: UInt64) -> Origin? {
        flags & flag == 0 ? nil : Origin.read(from: &reader)
    }
}
