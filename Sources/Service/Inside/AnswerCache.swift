import Engine
import Hummingbird
import Synchronization

/// An answer as it goes out.
struct Answer: Sendable {
    let body: ByteBuffer
    let tag: EntityTag
    /// Where the document stands.
    let position: Position

    init(_ document: Document) {
        body = ByteBuffer(bytes: document.bytes + [UInt8(ascii: "\n")])
        tag = EntityTag(of: document.bytes)
        position = document.position ?? .zero
    }
}

/// Answers about the present that were given already: right as long as the journal has no further event.
///
/// Bounded by the bytes of the bodies; the one that was not asked for the longest goes first.
final class AnswerCache: Sendable {
    struct Question: Hashable, Sendable {
        let model: String
        let key: String?
        let arguments: [String: String]
        let now: Instant?
        let viewer: Viewer?
        let hidesPersonal: Bool
    }

    private struct Entry {
        let answer: Answer
        let cost: Int
        var used: UInt64
    }

    private struct State {
        var entries: [Question: Entry] = [:]
        var bytes = 0
        var clock: UInt64 = 0

        /// Lets the older half go: one pass for many answers.
        mutating func makeRoom(for most: Int) {
            let oldest = entries.sorted { $0.value.used < $1.value.used }
            for (question, entry) in oldest {
                if bytes <= most / 2 { return }
                entries[question] = nil
                bytes -= entry.cost
            }
        }
    }

    /// What an entry takes besides its body.
    private static let overhead = 512

    private let mostBytes: Int
    private let state = Mutex(State())
    let hits = Atomic<Int>(0)
    let misses = Atomic<Int>(0)

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    /// The answer, if it was given at this position.
    func answer(to question: Question, at head: Position) -> Answer? {
        let found = state.withLock { state -> Answer? in
            guard let entry = state.entries[question] else { return nil }
            guard entry.answer.position == head else {
                state.entries[question] = nil
                state.bytes -= entry.cost
                return nil
            }
            state.clock += 1
            state.entries[question]?.used = state.clock
            return entry.answer
        }
        if found == nil {
            misses.wrappingAdd(1, ordering: .relaxed)
        } else {
            hits.wrappingAdd(1, ordering: .relaxed)
        }
        return found
    }

    func keep(_ answer: Answer, to question: Question) {
        let cost = answer.body.readableBytes + Self.overhead
        guard cost <= mostBytes / 8 else { return }
        state.withLock { state in
            if let former = state.entries[question] { state.bytes -= former.cost }
            state.clock += 1
            state.entries[question] = Entry(answer: answer, cost: cost, used: state.clock)
            state.bytes += cost
            if state.bytes > mostBytes { state.makeRoom(for: mostBytes) }
        }
    }

    func clear() {
        state.withLock { state in
            state.entries = [:]
            state.bytes = 0
        }
    }

    var bytes: Int { state.withLock { $0.bytes } }
}
