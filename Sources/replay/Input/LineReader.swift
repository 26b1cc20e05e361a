internal import Engine
internal import Glibc

/// Lines from a file, pipe or terminal in bounded memory, each as soon as it is there.
///
/// A line ends with LF or CRLF, or with the input; lines are counted from 1, empty ones too, though
/// they are handed out only where that is asked for. A line longer than the limit is not kept. A UTF-8 byte-order mark at the start is skipped.
struct LineReader: ~Copyable {
    struct Line {
        let number: Int
        /// Nil when the line is too long.
        let bytes: [UInt8]?

        /// What is said of one where no line may be.
        var tooLong: EngineError {
            EngineError(
                .badInput,
                "line \(number) is longer than \(LineReader.longestLine >> 20) MiB; give what replay export printed"
            )
        }
    }

    static let longestLine = 16 << 20
    private static let chunk = 1 << 17

    private let source: InputSource
    private let interruption: Interruption?
    private let keepsEmptyLines: Bool
    private var pending: [UInt8] = []
    /// Where in `pending` the next line begins, and where no line end has been looked for yet.
    private var start = 0
    private var unsearched = 0
    private var number = 0
    private var isSkipping = false
    private var isAtEnd = false
    /// The byte-order mark was looked for.
    private var hasBegun = false
    /// The signal that ended the reading, if one did.
    private(set) var signal: Int32?
    /// Bytes read so far, for a progress bar.
    private(set) var bytesRead: UInt64 = 0

    init(
        _ source: InputSource, _ interruption: Interruption?, keepsEmptyLines: Bool = false
    ) {
        self.source = source
        self.interruption = interruption
        self.keepsEmptyLines = keepsEmptyLines
    }

    /// The lines that are there, at least one and about `bytes` at most; waits when none is.
    /// Nil at the end of the input, or when a signal asked to stop.
    mutating func nextBatch(lines: Int = 1000, bytes: Int = 1 << 20) throws(EngineError) -> [Line]?
    {
        var batch: [Line] = []
        var size = 0
        while signal == nil {
            while batch.count < lines, size < bytes, let line = nextInBuffer() {
                size += line.bytes?.count ?? 0
                batch.append(line)
            }
            let isFull = batch.count >= lines || size + (pending.count - start) >= bytes
            if !batch.isEmpty, isFull || isAtEnd || !isMoreThere() { return batch }
            if isAtEnd { return nil }
            try fill()
        }
        return nil
    }

    /// The next line; waits for it.
    mutating func next() throws(EngineError) -> Line? {
        while signal == nil {
            if let line = nextInBuffer() { return line }
            if isAtEnd { return nil }
            try fill()
        }
        return nil
    }

    /// The next line that is whole in the buffer.
    private mutating func nextInBuffer() -> Line? {
        guard hasBegun || skipMark() else { return nil }
        while let end = lineEnd() {
            var last = end
            if last > start, pending[last - 1] == UInt8(ascii: "\r") { last -= 1 }
            let length = last - start
            let wasSkipping = isSkipping
            let bytes =
                wasSkipping || length > Self.longestLine ? nil : Array(pending[start..<last])
            number += 1
            start = min(end + 1, pending.count)
            unsearched = start
            isSkipping = false
            if wasSkipping || length > 0 || keepsEmptyLines {
                return Line(number: number, bytes: bytes)
            }
        }
        return nil
    }

    /// Goes past a byte-order mark; false as long as the bytes so far may be the beginning of one.
    private mutating func skipMark() -> Bool {
        let first = pending.prefix(Self.mark.count)
        guard first.count == Self.mark.count || isAtEnd || !Self.mark.starts(with: first) else {
            return false
        }
        if first.elementsEqual(Self.mark) {
            start = Self.mark.count
            unsearched = start
        }
        hasBegun = true
        return true
    }

    /// U+FEFF in UTF-8, which some editors put at the start.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Where the line that begins at `start` ends, if that is known.
    private mutating func lineEnd() -> Int? {
        let found = unsafe pending.withUnsafeBytes { bytes -> Int? in
            guard unsearched < bytes.count, let base = bytes.baseAddress,
                let hit = unsafe memchr(base + unsearched, 10, bytes.count - unsearched)
            else { return nil }
            return unsafe UnsafeRawPointer(hit) - base
        }
        unsearched = pending.count
        if let found { return found }
        guard !isAtEnd else { return start < pending.count || isSkipping ? pending.count : nil }
        if isSkipping || pending.count - start > Self.longestLine + 1 {  // one more for a CR
            isSkipping = true
            pending = []
            start = 0
            unsearched = 0
        }
        return nil
    }

    private mutating func fill() throws(EngineError) {
        if start > 0 {
            pending = start == pending.count ? [] : Array(pending[start...])
            unsearched -= start
            start = 0
        }
        guard waitForInput() else { return }
        let chunk = try source.read(atMost: Self.chunk)
        isAtEnd = chunk?.isEmpty ?? false
        pending += chunk ?? []
        bytesRead += UInt64(chunk?.count ?? 0)
    }

    private func isMoreThere() -> Bool {
        var state = pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&state, 1, 0) == 1
    }

    /// Waits for input or a signal; false when it was a signal.
    private mutating func waitForInput() -> Bool {
        var states = [pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)]
        if let interruption {
            states.append(pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0))
        }
        _ = unsafe poll(&states, nfds_t(states.count), -1)
        signal = interruption?.signal()
        return signal == nil
    }
}
