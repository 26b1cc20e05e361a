/// How large things may be; checked before bytes are written and after they are read.
package enum Limits {
    /// Bytes of an inflated frame.
    package static let frameBytes = 256 << 20
    /// Bytes of a sealed block's chunks when inflated.
    package static let blockBytes = 1 << 30
    /// Events in a sealed block: those of its last frame come on top of what fills it.
    package static let blockEvents = 1 << 25
    /// Events in a frame.
    package static let frameEvents = 1 << 24
    /// Bytes of an interned text.
    package static let symbolBytes = 1 << 20
    /// Symbols in a journal; beyond lie the provisional ones.
    package static let symbols: UInt32 = 0x7FFF_FFFF
    /// Bytes of a command's id.
    package static let commandIDBytes = 512
    package static let digestBytes = 8
    /// Bytes of an event's leaf (docs/audit.md): bundles of leaves have 16 bits for a length (C2SP
    /// tlog-tiles).
    package static let leafBytes = 65_535
    /// Bytes of a type's schema, and of its name.
    package static let schemaBytes = 1 << 20
    package static let typeNameBytes = 1 << 10
    package static let payloadBytes = 64 << 20
    package static let tagsPerEvent = 1 << 16
    /// Positions stay below this, so that sums of positions and counts cannot overflow.
    package static let positions: UInt64 = 1 << 62
}
