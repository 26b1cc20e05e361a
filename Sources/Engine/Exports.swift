// What the engine's signatures say: whoever imports `Engine` has these two as well.
@_exported public import struct Events.Instant
@_exported public import struct Events.Position
