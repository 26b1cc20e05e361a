// What the engine's signatures say: importing `Engine` brings these two as well.
@_exported public import struct Core.Instant
@_exported public import struct Core.Position
@_exported public import struct Core.Viewer
