import Core
import Engine
import Hummingbird
import NIOCore
import Synchronization

/// What a listener wants of the events.
struct EventWish: Sendable, Hashable {
    var stream: String?
    /// A type, or a prefix and `*`.
    var type: String?
    var tag: String?
    var by: String?
    /// The products that the listener has to do with; nil for all.
    var products: Set<String>?
    /// When what is wanted happened, where the filter goes by a position instead.
    var since: Instant?
    var until: Instant?

    var filter: EventFilter {
        var filter = EventFilter()
        filter.stream = stream
        filter.type = type
        filter.tag = tag
        filter.by = by
        if type == nil, let products, products.count == 1, let only = products.first {
            filter.type = only + ".*"
        }
        return filter
    }

    /// What the filter cannot say.
    func admits(_ event: Event) -> Bool {
        if let since, event.at < since { return false }
        if let until, event.at > until { return false }
        return products.map { $0.contains(String(event.type.prefix { $0 != "." })) } ?? true
    }
}

/// The newest events, each rendered once for all who listen (docs/service.md, Live).
///
/// A listener reads from it by position, at its own pace; one that falls out of it reads the journal until it is inside
/// again. Nothing is queued for anybody, so that memory does not grow with their number or their slowness.
final class EventRing: Sendable {
    /// Why a listener wakes.
    enum Wake: Sendable {
        case news, tick, over
        /// Their connection takes no more for now.
        case full
    }

    /// What a listener gets at once.
    struct Batch: Sendable {
        /// Frames of server-sent events, one behind the other.
        var frames = ByteBuffer()
        var count = 0
        /// No wanted event up to here is missing.
        var through: Position
        /// Whether more is there than is written at once.
        var isCut = false
    }

    private struct Entry: Sendable {
        let position: Position
        let type: String
        let stream: String
        let by: String
        let tags: [String]
        let frame: ByteBuffer

        init(_ event: Event) {
            position = event.position
            type = event.type
            stream = event.stream
            let value = event.value
            by = value["by"].string ?? ""
            tags = (value["tags"].items ?? []).compactMap(\.string)
            var frame = ByteBuffer()
            EventStream.append("event", id: event.position, event.document.bytes, to: &frame)
            self.frame = frame
        }

        func isWanted(_ wish: EventWish) -> Bool {
            if let wanted = wish.type {
                guard wanted.hasSuffix("*") ? type.hasPrefix(wanted.dropLast()) : type == wanted
                else { return false }
            }
            if let wanted = wish.stream, wanted != stream { return false }
            if let wanted = wish.by, wanted != by { return false }
            if let wanted = wish.tag, !tags.contains(wanted) { return false }
            if let products = wish.products, !products.contains(String(type.prefix { $0 != "." })) {
                return false
            }
            return true
        }
    }

    private struct State {
        /// Behind one another without a gap; the first is at `entries.startIndex`.
        var entries: ArraySlice<Entry> = []
        var bytes = 0
        var head = Position.zero
        var waiting: [ObjectIdentifier: CheckedContinuation<Wake, Never>] = [:]
        var fans: [ObjectIdentifier: EventFan] = [:]
        var isOver = false

        mutating func takeWaiting() -> [CheckedContinuation<Wake, Never>] {
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    private static let mostEntries = 1 << 16
    private static let mostBytes = 64 << 20
    /// A listener writes at most so much at once, or one event. A power of two: a buffer's capacity is one.
    static let batchBytes = 32 << 10
    /// How often a listener that hears nothing is woken.
    private static let tick = Duration.seconds(5)

    private let engine: EventEngine
    private let state: Mutex<State>
    private let listeners = Atomic<Int>(0)

    init(_ engine: EventEngine, from head: Position) {
        self.engine = engine
        var state = State()
        state.head = head
        self.state = Mutex(state)
    }

    var listenerCount: Int { listeners.load(ordering: .relaxed) }

    func listen<R>(_ body: (Listener) async throws -> R) async rethrows -> R {
        listeners.wrappingAdd(1, ordering: .relaxed)
        defer { listeners.wrappingSubtract(1, ordering: .relaxed) }
        return try await body(Listener())
    }

    /// Somebody who listens, as long as their connection is there.
    final class Listener: Sendable {
        fileprivate let isGone = Flag()
        fileprivate let fan = Mutex<EventFan?>(nil)

        /// Whether the connection has ended, or who listens may listen no longer.
        var isOver: Bool { isGone.isSet }
    }

    /// The listener's connection has ended: it wakes, and waits for nothing any more.
    func leave(_ listener: Listener) {
        listener.isGone.set()
        listener.fan.withLock { $0 }?.leave(listener)
        let waiting = state.withLock { $0.waiting.removeValue(forKey: ObjectIdentifier(listener)) }
        waiting?.resume(returning: .over)
    }

    // MARK: Filling

    /// Reads what is appended until the task is cancelled.
    func fill() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: Self.tick)
                    self.wake(.tick)
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    let head = self.state.withLock { $0.head }
                    guard try await self.engine.hasNews(after: head, within: .seconds(60)) else {
                        continue
                    }
                    self.add(try await self.engine.page(after: head))
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private func add(_ page: EventPage) {
        let entries = page.events.map { Entry($0) }
        // What was rendered before shows what is erased now: who wants it reads the journal.
        let isErasure = page.events.contains { engine.destroysKey($0.type) }
        let woken = state.withLock { state in
            if isErasure {
                state.entries = []
                state.bytes = 0
            }
            state.entries.append(contentsOf: entries)
            state.bytes += entries.reduce(0) { $0 + $1.frame.readableBytes }
            while state.entries.count > Self.mostEntries || state.bytes > Self.mostBytes,
                let first = state.entries.popFirst()
            {
                state.bytes -= first.frame.readableBytes
            }
            state.head = page.through
            return state.takeWaiting()
        }
        for fan in fans { fan.spread(self) }
        for each in woken { each.resume(returning: .news) }
    }

    private var fans: [EventFan] { state.withLock { Array($0.fans.values) } }

    private func wake(_ wake: Wake) {
        for fan in fans { fan.wake(wake) }
        let woken = state.withLock { $0.takeWaiting() }
        for each in woken { each.resume(returning: wake) }
    }

    /// Ends all who listen, now and later.
    func end() {
        let woken = state.withLock { state in
            state.isOver = true
            return state.takeWaiting()
        }
        for each in woken { each.resume(returning: .over) }
        for fan in fans { fan.wake(.over) }
    }

    // MARK: Listening

    /// Whether nobody is to listen, or this one is not.
    func isOver(_ listener: Listener) -> Bool {
        listener.isGone.isSet || state.withLock { $0.isOver }
    }

    /// Has what comes written to a listener who has everything so far, on their event loop, until something else is to be
    /// done; up to where they have it then, and up to where something was written.
    func push(
        to channel: any Channel, _ listener: Listener, after position: Position, _ wish: EventWish
    ) async -> EventFan.End {
        let fan = state.withLock { state in
            let id = ObjectIdentifier(channel.eventLoop)
            if let known = state.fans[id] { return known }
            let made = EventFan(channel.eventLoop)
            state.fans[id] = made
            return made
        }
        listener.fan.withLock { $0 = fan }
        defer { listener.fan.withLock { $0 = nil } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                fan.join(
                    EventFan.Member(channel, wish, after: position, continuation), listener,
                    of: self)
            }
        } onCancel: {
            leave(listener)
        }
    }

    /// The wanted events behind a position; nil where that lies before the ring.
    func batch(after position: Position, _ wish: EventWish) -> Batch? {
        var batch = Batch(through: position)
        var bytes = 0
        let frames = state.withLock { state -> [ByteBuffer]? in
            if position >= state.head { return [] }
            guard let first = state.entries.first, position.number + 1 >= first.position.number
            else { return nil }
            var frames: [ByteBuffer] = []
            let start = state.entries.startIndex + Int(position.number + 1 - first.position.number)
            for entry in state.entries[start...] {
                if entry.isWanted(wish) {
                    let length = entry.frame.readableBytes
                    if !frames.isEmpty, bytes + length > Self.batchBytes {
                        batch.isCut = true
                        break
                    }
                    frames.append(entry.frame)
                    bytes += length
                }
                batch.through = entry.position
            }
            return frames
        }
        guard let frames else { return nil }
        batch.count = frames.count
        if frames.count == 1 {
            batch.frames = frames[0]
        } else {
            batch.frames.reserveCapacity(bytes)
            for frame in frames { batch.frames.writeImmutableBuffer(frame) }
        }
        return batch
    }

    /// Waits until there is something behind a position, or a while has passed.
    func wait(after position: Position, _ listener: Listener) async -> Wake {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wake = state.withLock { state -> Wake? in
                    // A cancellation from here on finds the waiter.
                    if state.isOver || listener.isGone.isSet || Task.isCancelled { return .over }
                    if state.head > position { return .news }
                    state.waiting[ObjectIdentifier(listener)] = continuation
                    return nil
                }
                if let wake { continuation.resume(returning: wake) }
            }
        } onCancel: {
            leave(listener)
        }
    }
}
