public import Core

/// A moment at which the model itself has something to do (contract, Time).
public struct DueTimer: Hashable, Sendable {
    /// When it fires.
    public let due: Instant
    /// The stream that it belongs to; one name is set once on it.
    public let stream: TimerStream
    public let name: String
    /// The event that set it.
    public let cause: Position

    /// By due time, then stream, then name, both by code point.
    public func precedes(_ other: DueTimer, _ names: Names) -> Bool {
        if due != other.due { return due < other.due }
        if stream != other.stream {
            return stream.text(in: names).precedes(other.stream.text(in: names))
        }
        return name.precedes(other.name)
    }
}

/// The stream that a timer is on: folds never intern texts, so one that no event was written to is
/// known by its text (ADR 0016).
public enum TimerStream: Hashable, Sendable {
    /// A stream that has events.
    case known(Symbol)
    /// A stream that may have none yet, by its text.
    case named(String)

    /// The stream as text, `PRODUCT/NOUN/ID`.
    public func text(in names: Names) -> String {
        switch self {
        case .known(let symbol): names.text(symbol)
        case .named(let name): name
        }
    }
}

/// The timers that are pending, derived from events.
///
/// A kind of timer keeps to one of the two ways of naming streams.
public final class Timers {
    private let names: Names
    /// On streams that have events: attempts, of which a million may be open.
    private let known: TimerQueue<Identifier<EventStream>>
    /// On streams that may have none yet.
    private let named: TimerQueue<NamedStream>
    /// Those that follow from rows: settled before anybody sees what is pending.
    private let derived = Unchecked<[DerivedTimers]>([])
    /// Nothing is due before this, so that most events of a replay need not ask the queues.
    private let quietUntil = Unchecked(Instant.beginning)

    public init(in space: TableSpace, names: Names) {
        self.names = names
        known = TimerQueue("timers", in: space, names: names)
        named = TimerQueue("timers on named streams", in: space, names: names)
    }

    func add(_ timers: DerivedTimers) { derived.value.append(timers) }

    // MARK: What events do

    /// Sets timers; those of the same names on the same stream are replaced.
    public func set(_ timers: [Entry], on stream: Symbol) {
        known.set(timers, on: Identifier(stream))
        for timer in timers { quietUntil.value = min(quietUntil.value, timer.due) }
    }

    /// Sets a timer on a stream that may have no events yet.
    public func set(_ timer: Entry, onNamed stream: String) {
        named.set([timer], on: NamedStream(stream))
        quietUntil.value = min(quietUntil.value, timer.due)
    }

    /// Takes away the timers of a stream: the reason for them is gone.
    public func cancelAll(on stream: Symbol) { known.cancelAll(on: Identifier(stream)) }

    /// Cancels one timer of a stream, if it is pending.
    public func cancel(_ name: String, on stream: Symbol) {
        known.cancel(name, on: Identifier(stream))
    }

    /// Cancels one timer of a stream that may have no events yet.
    public func cancel(_ name: String, onNamed stream: String) {
        named.cancel(name, on: NamedStream(stream))
    }

    // MARK: What the clock does

    /// The soonest pending timer: by due time, then stream, then name, both by code point.
    public func next() -> DueTimer? {
        derive()
        guard let first = known.next() else { return named.next() }
        guard let second = named.next() else { return first }
        return second.precedes(first, names) ? second : first
    }

    /// Whether a timer may be due at the instant or before it: for most commands none is, and nobody looks further.
    public func mayBeDue(by instant: Instant) -> Bool {
        derive()
        guard quietUntil.value <= instant else { return false }
        quietUntil.value = soonest
        return quietUntil.value <= instant
    }

    /// The timer has fired, or its moment passed while its condition did not hold.
    public func spend(_ timer: DueTimer) {
        switch timer.stream {
        case .known(let stream): known.spend(timer, on: Identifier(stream))
        case .named(let stream): named.spend(timer, on: NamedStream(stream))
        }
    }

    /// The clock passed on: what was due before and left no event is spent.
    public func pass(_ instant: Instant) {
        for timers in derived.value { timers.pass(instant, of: self) }
        guard isDue(before: instant) else { return }
        known.pass(instant)
        named.pass(instant)
        quietUntil.value = soonest
    }

    /// Whether something that is set may be due before the instant.
    func isDue(before instant: Instant) -> Bool { quietUntil.value < instant }

    /// When something may be due first.
    private var soonest: Instant {
        min(
            known.firstDue ?? Instant(milliseconds: .max),
            named.firstDue ?? Instant(milliseconds: .max))
    }

    /// All pending timers, soonest first.
    public func pending() -> [DueTimer] {
        derive()
        return (known.pending() + named.pending()).sorted { $0.precedes($1, names) }
    }

    /// Called before the state is stored: brings the index by due time up to date.
    public func settle() {
        derive()
        known.settle()
        named.settle()
    }

    private func derive() {
        for timers in derived.value { timers.settle(self) }
    }

    /// The tables forgot what is stored: the heaps begin anew as well.
    public func forgetStored() {
        quietUntil.value = .beginning
        known.forgetStored()
        named.forgetStored()
    }
}

extension Instant {
    /// Before every other.
    fileprivate static var beginning: Instant { Instant(milliseconds: .min) }
}
