import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The lines of a request's body, read ahead of who takes them, and not far.
final class LineBox: Sendable {
    struct Line: Sendable {
        /// Counted from 1, empty ones too.
        let number: Int
        /// Nil where the line is too long.
        let bytes: [UInt8]?
    }

    struct Batch: Sendable {
        let lines: [Line]
        /// Why no line follows; nil for the end of the body.
        let problem: Problem?
    }

    private struct State {
        var lines: [Line] = []
        /// No line comes any more.
        var isOver = false
        /// Nobody takes any line any more.
        var isClosed = false
        var problem: Problem?
        var taker: CheckedContinuation<Void, Never>?
        var filler: CheckedContinuation<Void, Never>?
    }

    private let mostLines: Int
    private let state = Mutex(State())

    init(mostLines: Int) { self.mostLines = mostLines }

    // MARK: Filling

    /// Reads the body to its end, or to what is wrong with it.
    func fill(from body: RequestBody, lineBytes: Int, allBytes: Int) async {
        var splitter = LineSplitter(lineBytes: lineBytes)
        var bytes = 0
        var problem: Problem?
        do {
            for try await buffer in body {
                bytes += buffer.readableBytes
                if bytes > allBytes {
                    throw Problem(
                        .contentTooLarge, "too-large",
                        "a request has at most \(allBytes) bytes: send the rest in another")
                }
                guard await put(splitter.lines(in: buffer)) else { return }
            }
            guard await put(splitter.rest()) else { return }
        } catch let wrong as Problem {
            problem = wrong
        } catch {
            // The client went away: what it sent whole is decided, and nobody hears of it.
        }
        let taker = state.withLock { state in
            state.isOver = true
            state.problem = problem
            defer { state.taker = nil }
            return state.taker
        }
        taker?.resume()
    }

    /// Waits for room where there is none left; false once nobody takes any more.
    private func put(_ lines: [Line]) async -> Bool {
        let (taker, isFull) = state.withLock {
            state -> (CheckedContinuation<Void, Never>?, Bool) in
            if state.isClosed || lines.isEmpty { return (nil, false) }
            state.lines += lines
            defer { state.taker = nil }
            return (state.taker, state.lines.count >= mostLines)
        }
        taker?.resume()
        if isFull {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.isClosed || state.lines.count < mostLines { return true }
                    state.filler = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        }
        return state.withLock { !$0.isClosed }
    }

    // MARK: Taking

    /// Nobody takes any more: who fills goes home, and what was read ahead is let go of. Without
    /// this a filler would wait for ever for room that nobody makes, and keep the connection's task
    /// with it.
    func close() {
        let (filler, taker) = state.withLock { state in
            state.isClosed = true
            state.isOver = true
            state.lines = []
            state.problem = nil
            defer {
                state.filler = nil
                state.taker = nil
            }
            return (state.filler, state.taker)
        }
        filler?.resume()
        taker?.resume()
    }

    /// All that is there, as soon as there is something; nil at the end.
    func take() async -> Batch? {
        while true {
            let (batch, filler, isOver) = state.withLock {
                state -> (Batch?, CheckedContinuation<Void, Never>?, Bool) in
                guard !state.lines.isEmpty || state.problem != nil else {
                    return (nil, nil, state.isOver)
                }
                let batch = Batch(lines: state.lines, problem: state.problem)
                state.lines = []
                state.problem = nil
                defer { state.filler = nil }
                return (batch, state.filler, state.isOver)
            }
            filler?.resume()
            if let batch { return batch }
            if isOver { return nil }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if !state.lines.isEmpty || state.isOver { return true }
                    state.taker = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}

/// Cuts a stream of bytes into lines; empty ones count, and are left out.
struct LineSplitter {
    private let lineBytes: Int
    private var open: [UInt8] = []
    /// The open line is longer than a line may be: nothing of it is kept.
    private var isTooLong = false
    private var number = 0

    init(lineBytes: Int) { self.lineBytes = lineBytes }

    mutating func lines(in buffer: ByteBuffer) -> [LineBox.Line] {
        var lines: [LineBox.Line] = []
        var view = buffer.readableBytesView
        while let end = view.firstIndex(of: UInt8(ascii: "\n")) {
            add(view[view.startIndex..<end])
            view = view[view.index(after: end)...]
            if let line = close() { lines.append(line) }
        }
        add(view)
        return lines
    }

    /// What stands behind the last line end.
    mutating func rest() -> [LineBox.Line] { close().map { [$0] } ?? [] }

    private mutating func add(_ part: ByteBufferView) {
        // One more, for a CR.
        if open.count + part.count > lineBytes + 1 { isTooLong = true }
        if isTooLong { open = [] } else { open += part }
    }

    private mutating func close() -> LineBox.Line? {
        defer {
            open = []
            isTooLong = false
        }
        number += 1
        if open.last == UInt8(ascii: "\r") { open.removeLast() }
        if isTooLong || open.count > lineBytes { return LineBox.Line(number: number, bytes: nil) }
        return open.isEmpty ? nil : LineBox.Line(number: number, bytes: open)
    }
}
