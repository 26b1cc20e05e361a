import Engine
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Server-sent events (HTML Living Standard, 9.2): what a field's value holds has no line ends, since JSON has none.
struct EventStream: ~Copyable {
    static let contentType = "text/event-stream; charset=utf-8"

    /// How long a client may take nothing.
    static let patience = Duration.seconds(30)

    private var writer: any ResponseBodyWriter
    private let waiting = Waiting()

    init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    /// Since when a write waits for the client; nil while none does.
    private final class Waiting: Sendable {
        private let since = Mutex<ContinuousClock.Instant?>(nil)

        func begin() { since.withLock { $0 = .now } }
        func end() { since.withLock { $0 = nil } }
        var isTooLong: Bool {
            since.withLock { $0.map { $0.duration(to: .now) > EventStream.patience } ?? false }
        }
    }

    /// Closes the channel of a client that takes nothing, so that the write that waits for it fails.
    func watch(_ channel: any Channel) -> Task<Void, Never> {
        let waiting = waiting
        return Task {
            while !Task.isCancelled, !waiting.isTooLong {
                do { try await Task.sleep(for: .seconds(5)) } catch { return }
            }
            if !Task.isCancelled { channel.close(promise: nil) }
        }
    }

    mutating func send(_ event: String, id: Position, _ data: [UInt8]) async throws {
        var buffer = ByteBuffer()
        Self.append(event, id: id, data, to: &buffer)
        try await write(buffer)
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        waiting.begin()
        defer { waiting.end() }
        try await writer.write(buffer)
    }

    /// Keeps the connection from looking dead, on either side.
    mutating func beat() async throws { try await write(ByteBuffer(string: ":\n\n")) }

    /// The service shuts down: the client is to come back, with `Last-Event-ID`.
    mutating func sayGoodbye() async throws {
        try await write(ByteBuffer(string: "event: end\nretry: 1000\ndata: {}\n\n"))
    }

    consuming func finish() async throws { try await writer.finish(nil) }

    /// What `append` adds to the data, at most, where the event's name has up to 16 bytes.
    static let mostFieldBytes = 64

    static func append(_ event: String, id: Position, _ data: [UInt8], to buffer: inout ByteBuffer)
    {
        buffer.writeString("id: \(id)\nevent: \(event)\ndata: ")
        buffer.writeBytes(data)
        buffer.writeString("\n\n")
    }
}
