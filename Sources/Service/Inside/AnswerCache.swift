import Engine
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// An answer as it goes out.
struct Answer: Sendable {
    let body: ByteBuffer
    let tag: EntityTag
    /// Where the document stands.
    var position: Position

    init(_ document: Document) { self.init(document.bytes, at: document.position ?? .zero) }

    init(_ json: [UInt8], at position: Position) {
        body = ByteBuffer(bytes: json + [UInt8(ascii: "\n")])
        tag = EntityTag(of: json)
        self.position = position
    }

    /// Of a question that is asked anew each time.
    var response: Response {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "private, no-cache"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}

/// Answers about the present that were given already: right as long as nothing happens at a place that they hang on.
///
/// Bounded by the bytes of the bodies; those that were not asked for the longest go first.
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
        /// Nil where any further event may change it.
        let places: Set<String>?
        let cost: Int
        var used: UInt64
    }

    private struct State {
        var entries: [Question: Entry] = [:]
        /// The answers that hang on a place.
        var striking: [String: Set<Question>] = [:]
        /// Up to here every event has struck what hangs on its places.
        var head: Position
        var bytes = 0
        var clock: UInt64 = 0

        mutating func remove(_ question: Question) {
            guard let entry = entries.removeValue(forKey: question) else { return }
            bytes -= entry.cost
            for place in entry.places ?? [] {
                striking[place]?.remove(question)
                if striking[place]?.isEmpty == true { striking[place] = nil }
            }
        }

        mutating func removeAll() {
            entries = [:]
            striking = [:]
            bytes = 0
        }

        /// Lets the older half go: one pass for many answers.
        mutating func makeRoom(for most: Int) {
            let oldest = entries.map { (question: $0.key, used: $0.value.used) }
                .sorted { $0.used < $1.used }
            for (question, _) in oldest {
                if bytes <= most / 2 { return }
                remove(question)
            }
        }
    }

    /// What an entry takes besides its body, and for each place.
    private static let overhead = 512
    private static let placeOverhead = 160

    private let mostBytes: Int
    private let state: Mutex<State>
    let hits = Atomic<Int>(0)
    let misses = Atomic<Int>(0)

    init(mostBytes: Int, from head: Position) {
        self.mostBytes = mostBytes
        state = Mutex(State(head: head))
    }

    /// The answer, as it stands at this position or a later one.
    func answer(to question: Question, at head: Position) -> Answer? {
        let found = state.withLock { state -> Answer? in
            guard let entry = state.entries[question] else { return nil }
            var answer = entry.answer
            if answer.position < head {
                guard entry.places != nil, state.head >= head else { return nil }
                answer.position = state.head
            }
            state.clock += 1
            state.entries[question]?.used = state.clock
            return answer
        }
        if found != nil { hits.wrappingAdd(1, ordering: .relaxed) }
        return found
    }

    /// Up to which position every event has struck.
    var head: Position { state.withLock { $0.head } }

    /// Takes out what hangs on the places of the events behind `from`; all of it where they are not known.
    func strike(_ places: Set<String>?, after from: Position, through head: Position) {
        state.withLock { state in
            guard head > state.head else { return }
            if let places, from <= state.head {
                for place in places {
                    for question in state.striking[place] ?? [] { state.remove(question) }
                }
            } else {
                state.removeAll()
            }
            state.head = head
        }
    }

    func keep(_ answer: Answer, _ grounds: Grounds, to question: Question) {
        misses.wrappingAdd(1, ordering: .relaxed)
        var places: Set<String>?
        if case .places(let found) = grounds { places = found }
        let cost =
            answer.body.readableBytes + Self.overhead + (places?.count ?? 0) * Self.placeOverhead
        guard cost <= mostBytes / 8 else { return }
        state.withLock { state in
            // Events behind it have struck already, and would have struck it.
            guard answer.position >= state.head else { return }
            state.remove(question)
            state.clock += 1
            state.entries[question] = Entry(
                answer: answer, places: places, cost: cost, used: state.clock)
            for place in places ?? [] { state.striking[place, default: []].insert(question) }
            state.bytes += cost
            if state.bytes > mostBytes { state.makeRoom(for: mostBytes) }
        }
    }

    func clear() { state.withLock { $0.removeAll() } }

    var bytes: Int { state.withLock { $0.bytes } }
}
