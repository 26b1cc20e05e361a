import HTTPTypes
import Hummingbird
import NIOCore

/// Writes on once the connection's event loop has taken what was written before. Whether the connection takes more is known
/// there alone: who writes faster than the loop runs would otherwise queue all they have for a client that reads nothing.
private struct PacedWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let loop: any EventLoop

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await writer.write(buffer)
        try await loop.submit {}.get()
    }

    consuming func finish(_ trailers: HTTPFields?) async throws {
        try await writer.finish(trailers)
    }
}

extension ResponseBody {
    /// The same body; one that comes piece by piece keeps to the pace of its connection.
    func paced(on channel: any Channel) -> ResponseBody {
        guard contentLength == nil else { return self }
        let loop = channel.eventLoop
        return ResponseBody { writer in try await write(PacedWriter(writer: writer, loop: loop)) }
    }
}
