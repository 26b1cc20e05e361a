internal import Engine

/// Standard output, buffered: documents for programs, or lines laid out for a person.
final class Output {
    /// Whether a person reads it, so that tables and charts serve better than JSON.
    let isLaidOut: Bool
    let isTerminal: Bool
    let palette: Palette
    let width: Int
    /// Whether its reader is gone.
    private(set) var isClosed = false
    private var buffer: [UInt8] = []

    private static let capacity = 1 << 16

    init(isJSON: Bool, isColoured: Bool) {
        isTerminal = Terminal.isOne(StandardStreams.output)
        isLaidOut = isTerminal && !isJSON
        palette = Palette(
            isColoured: isLaidOut && isColoured && EnvironmentVariables["NO_COLOR"] == nil
                && Terminal.takesEscapes(StandardStreams.output))
        width = isTerminal ? Terminal.width(StandardStreams.output) : 80
    }

    /// One canonical document and its newline.
    func document(_ bytes: [UInt8]) throws(EngineError) {
        try write(isTerminal ? Printable.json(bytes) : bytes)
        try write([UInt8(ascii: "\n")])
    }

    /// One line that our own layout made; what it quotes is printable already.
    func line(_ text: String) throws(EngineError) {
        try write(Array(text.utf8))
        try write([UInt8(ascii: "\n")])
    }

    func lines(_ texts: [String]) throws(EngineError) {
        for text in texts { try line(text) }
    }

    /// Bytes as they are. They may wait in the buffer until `flush()`.
    func write(_ bytes: [UInt8]) throws(EngineError) {
        buffer += bytes
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Hands everything on. Throws when nobody takes it, and then forgets it: once is enough.
    func flush() throws(EngineError) {
        guard !buffer.isEmpty else { return }
        let bytes = buffer
        buffer.removeAll(keepingCapacity: true)
        guard let code = StandardStreams.send(bytes, to: StandardStreams.output) else { return }
        isClosed = code == StandardStreams.closedPipe
        let advice = isClosed ? "its reader has gone" : StandardStreams.reason(code)
        throw EngineError(
            .inputOutput, "cannot write to standard output: \(advice); see where it leads")
    }

    /// Whether the reader has gone although nothing is being written: asked while waiting for events.
    func noticesClosing() -> Bool {
        isClosed = isClosed || StandardStreams.isBroken(StandardStreams.output)
        return isClosed
    }
}
