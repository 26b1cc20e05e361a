// What the engine's signatures say: whoever imports `Engine` has these two as well.
@_exported public import struct Core.Instant
@_exported public import struct Core.Position
