import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The lines of a request's body, read ahead of who takes them, and not far.
final class LineBox: Sendable {
    struct Batch: Sendable {
        /// Counted from 1.
        let firstLine: Int
        let lines: [[UInt8]]
        /// Why no line follows; nil for the end of the body.
        let problem: Problem?
    }

    private struct State {
        var lines: [[UInt8]] = []
        /// Lines that were taken.
        var taken = 0
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
                if let problem = splitter.problem { throw problem }
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
    private func put(_ lines: [[UInt8]]) async -> Bool {
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
                let batch = Batch(
                    firstLine: state.taken + 1, lines: state.lines, problem: state.problem)
                state.taken += state.lines.count
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

/// Cuts a stream of bytes into lines; empty ones do not count.
struct LineSplitter {
    private let lineBytes: Int
    private var open: [UInt8] = []
    /// What is wrong with the line behind those that were given.
    private(set) var problem: Problem?

    init(lineBytes: Int) { self.lineBytes = lineBytes }

    mutating func lines(in buffer: ByteBuffer) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var view = buffer.readableBytesView
        while let end = view.firstIndex(of: UInt8(ascii: "\n")) {
            open += view[view.startIndex..<end]
            view = view[view.index(after: end)...]
            if isTooLong { return lines }
            if let line = close() { lines.append(line) }
        }
        open += view
        if isTooLong { open = [] }
        return lines
    }

    /// What stands behind the last line end.
    mutating func rest() -> [[UInt8]] { close().map { [$0] } ?? [] }

    private mutating func close() -> [UInt8]? {
        defer { open = [] }
        if open.last == UInt8(ascii: "\r") { open.removeLast() }
        return open.isEmpty ? nil : open
    }

    private var isTooLong: Bool {
        mutating get {
            guard open.count > lineBytes else { return false }
            problem = Problem(
                .contentTooLarge, "too-large", "a line has at most \(lineBytes) bytes")
            return true
        }
    }
}
