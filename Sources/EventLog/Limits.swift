/// How large things may be; checked before bytes are written and after they are read.
package enum Limits {
    /// Bytes of an inflated frame.
    package static let frameBytes = 256 << 20
    /// Events in a frame; also its commands, the texts that it interns, and the key slots that it names. A few
    /// stored bytes may inflate to that many: this bounds a reader's memory.
    package static let frameEvents = 1 << 20
    package static let frameCommands = 1 << 20
    package static let frameSymbols = 1 << 20
    package static let frameSlots = 1 << 20
    /// Tags of all events of a frame together.
    package static let frameTags = 1 << 22
    /// The same of a sealed block, where those of its last frame come on top of what fills it.
    package static let blockBytes = 2 * frameBytes
    package static let blockEvents = 2 * frameEvents
    package static let blockCommands = 2 * frameCommands
    package static let blockTags = 2 * frameTags
    /// Slots of the file of keys.
    package static let keySlots: UInt32 = 1 << 26
    /// Bytes of an interned text.
    package static let symbolBytes = 1 << 20
    /// Symbols in a journal.
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
