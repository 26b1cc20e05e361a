internal import Engine
internal import Glibc

/// Where lines come from: a file, or standard input for `-` and for nothing.
struct InputSource {
    let descriptor: Int32
    let name: String
    /// Bytes of a regular file; zero when nobody knows.
    let size: UInt64

    init(_ path: String?) throws(EngineError) {
        if let path, path != "-" {
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            name = path
            guard descriptor >= 0 else { throw Self.failure(path, errno) }
        } else {
            descriptor = StandardStreams.input
            name = "standard input"
            if Terminal.isOne(descriptor) {
                Notes.say("reading lines from the terminal; end with Ctrl-D")
            }
        }
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        size = isKnown && status.st_mode & S_IFMT == S_IFREG ? UInt64(status.st_size) : 0
    }

    /// What is there, at most `count` bytes; empty at the end, nil when there is nothing just now.
    func read(atMost count: Int) throws(EngineError) -> [UInt8]? {
        var got = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            got = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
            filled = max(0, got)
        }
        if got >= 0 { return bytes }
        let code = errno
        if code == EINTR || code == EAGAIN { return nil }
        throw Self.failure(name, code)
    }

    private static func failure(_ name: String, _ code: Int32) -> EngineError {
        EngineError(
            .inputOutput,
            "cannot read \(name): \(StandardStreams.reason(code)); name a file of JSON lines, or - for standard input"
        )
    }
}
