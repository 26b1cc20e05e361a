/// A text that recurs, as a 32-bit number of the journal's own table.
///
/// Ids, actors, devices, streams, tags and shared contents are met again and again; a fold that
/// handles numbers instead of strings is several times faster (ADR 0004). Numbers are given in the
/// order of first use, from 1, and are part of the journal. 0 stands for "none".
public struct Symbol: Hashable, Sendable {
    public let number: UInt32

    @inlinable
    public init(number: UInt32) {
        self.number = number
    }

    /// A hash that is cheap (ADR 0076).
    @inlinable
    public func _rawHashValue(seed: Int) -> Int { KeyHash.of(number, seed: seed) }

    /// "None": an absent device, an absent subject.
    public static let none = Symbol(number: 0)

    /// Whether it stands for no text.
    @inlinable
    public var isNone: Bool { number == 0 }
}
