import Engine
import HTTPTypes
import Hummingbird

/// Server-sent events (HTML Living Standard, 9.2): what a field's value holds has no line ends, since JSON has none.
struct EventStream: ~Copyable {
    static let contentType = "text/event-stream; charset=utf-8"

    private var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    mutating func send(_ event: String, id: Position, _ data: [UInt8]) async throws {
        var buffer = ByteBuffer()
        Self.append(event, id: id, data, to: &buffer)
        try await writer.write(buffer)
    }

    mutating func write(_ buffer: ByteBuffer) async throws { try await writer.write(buffer) }

    /// Keeps the connection from looking dead, on either side.
    mutating func beat() async throws { try await writer.write(ByteBuffer(string: ":\n\n")) }

    /// The service shuts down: the client is to come back, with `Last-Event-ID`.
    mutating func sayGoodbye() async throws {
        try await writer.write(ByteBuffer(string: "event: end\nretry: 1000\ndata: {}\n\n"))
    }

    consuming func finish() async throws { try await writer.finish(nil) }

    static func append(_ event: String, id: Position, _ data: [UInt8], to buffer: inout ByteBuffer)
    {
        buffer.writeString("id: \(id)\nevent: \(event)\ndata: ")
        buffer.writeBytes(data)
        buffer.writeString("\n\n")
    }
}
