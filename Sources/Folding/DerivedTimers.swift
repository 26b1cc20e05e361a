public import Core

/// A timer of things whose due time follows from their rows (ADR 0057): a handler marks the thing, and when the timer is
/// due is worked out once somebody asks what comes next. While commands are decided that is before each of them, in a replay
/// once at its end.
///
/// What comes of a mark is what setting or cancelling the timer at that moment would have come to: so every
/// handler that changes what the rule reads marks the thing, and a mark before it is told by the later one.
public final class DerivedTimers: Undoable {
    private let name: String
    private let space: TableSpace
    private let marks = Unchecked(Marks())
    private let rule = Unchecked(Rule(stream: { _ in "" }, due: { _ in nil }))

    /// When the timer of a thing is due, by its rows; nil for not at all.
    private struct Rule {
        let stream: (Symbol) -> String
        let due: (Symbol) -> Instant?
    }

    /// The timer of a name, on streams that may have no events.
    public init(_ name: String, of timers: Timers, in space: TableSpace) {
        self.name = name
        self.space = space
        timers.add(self)
    }

    /// Says which stream a thing's timer is on, and when it is due. Asked of the rows as they are then.
    public func follow(
        stream: @escaping (Symbol) -> String, due: @escaping (Symbol) -> Instant?
    ) {
        rule.value = Rule(stream: stream, due: due)
    }

    // MARK: Marking

    /// The rows that the thing's timer follows from changed with an event, the cause of what comes of it.
    public func mark<Thing>(_ thing: Identifier<Thing>, cause: Position) {
        if space.keepsChanges {
            if marks.value.undo.isEmpty { space.note(self) }
            marks.value.keep(thing.symbol)
        }
        marks.value.set(Mark(thing: thing.symbol, cause: cause, passings: marks.value.passings))
    }

    /// A thing whose rows changed.
    private struct Mark {
        let thing: Symbol
        let cause: Position
        /// How often the clock had passed on before.
        let passings: Int
    }

    private struct Marks {
        var list: [Mark] = []
        /// Where a thing's mark is: one more than its place.
        var places = PagedNumbers()
        /// What marks took the place of; nil for none.
        var undo: [(thing: Symbol, former: Mark?)] = []
        /// How far the clock came last, and how often it passed on.
        var clock = Instant(milliseconds: .min)
        var passings = 0

        mutating func set(_ mark: Mark) {
            let place = Int(places[Int(mark.thing.number)])
            if place > 0 {
                list[place - 1] = mark
            } else {
                list.append(mark)
                places[Int(mark.thing.number)] = UInt32(list.count)
            }
        }

        mutating func keep(_ thing: Symbol) {
            let place = Int(places[Int(thing.number)])
            undo.append((thing, place > 0 ? list[place - 1] : nil))
        }

        mutating func takeBack() {
            while let (thing, former) = undo.popLast() {
                if let former {
                    set(former)
                } else if places[Int(thing.number)] != 0 {
                    // New marks are behind all others, and are taken back from the last one on.
                    list.removeLast()
                    places[Int(thing.number)] = 0
                }
            }
        }

        /// Gives all marks away.
        mutating func takeAll() -> [Mark] {
            for mark in list { places[Int(mark.thing.number)] = 0 }
            defer { list.removeAll(keepingCapacity: true) }
            undo.removeAll()
            return list
        }
    }

    public func keepChanges() { marks.value.undo.removeAll(keepingCapacity: true) }

    public func undoChanges() { marks.value.takeBack() }

    // MARK: What comes of the marks

    /// The clock passes on: a timer that was due before it, and left no event, will be spent.
    func pass(_ instant: Instant, of timers: Timers) {
        // Marks say only what the clock came to last.
        if instant < marks.value.clock { settle(timers) }
        marks.value.clock = instant
        marks.value.passings += 1
    }

    /// Sets or cancels the timers of the marked things. No refusal undoes it: what is marked then is decided.
    func settle(_ timers: Timers) {
        guard !marks.value.list.isEmpty else { return }
        let (clock, passings) = (marks.value.clock, marks.value.passings)
        space.withoutUndo {
            for mark in marks.value.takeAll() {
                let stream = rule.value.stream(mark.thing)
                if let due = rule.value.due(mark.thing), mark.passings == passings || due >= clock {
                    timers.set(.init(name, due: due, cause: mark.cause), onNamed: stream)
                } else {
                    timers.cancel(name, onNamed: stream)
                }
            }
        }
    }
}
