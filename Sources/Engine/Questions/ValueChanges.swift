import Core
import EventLog

/// Where a value of a document becomes another one as the journal grows.
struct ValueChange<Value: Equatable> {
    let position: Position
    let old: Value
    let new: Value
}

/// Finds the positions at which something about a document changes (ADR 0041).
///
/// Where the document has a basis, its events are folded once, one after the other, with a look behind each: exact. Where it
/// rests on every event, and there are more than `exactly`, a fold looks at some places, and the next one between those
/// that differ: what changes and changes back between two places that agree is not seen.
struct ValueChanges<Value: Equatable> {
    private let reader: Reader
    private let question: DocumentQuestion
    private let snapshot: JournalSnapshot
    /// The last position that counts.
    private let last: Position
    private let present: Present
    /// What is looked at.
    private let value: (Document) throws -> Value
    /// The first look at the document; a search among all events takes others behind it.
    let walk: DocumentWalk

    init(
        _ reader: Reader, _ question: DocumentQuestion, _ snapshot: JournalSnapshot,
        through last: Position, _ present: Present, _ value: @escaping (Document) throws -> Value
    ) throws {
        self.reader = reader
        self.question = question
        self.snapshot = snapshot
        self.last = last
        self.present = present
        self.value = value
        walk = try DocumentWalk(reader, question, snapshot, through: last)
    }

    enum Present {
        /// The same for every position: what is found was changed by events, not by time.
        case fixed(Instant)
        /// Of each position its own, as `show --as-of` has it.
        case ofEach
    }

    /// Which of the changes are wanted.
    enum Wanted {
        case all
        case first(Int)
        case last(Int)
    }

    /// In a journal of at most this many events each position is looked at, whatever the document rests on.
    private static var exactly: UInt64 { 4096 }
    /// How many places of a stretch a fold looks at.
    private static var places: UInt64 { 64 }

    /// As of no event at all. To be asked, like the changes, once, and before them.
    func start() throws -> Value { try look(walk, at: .zero, now: question.now ?? .epoch) }

    /// To be asked once: the document is walked through.
    func find(_ wanted: Wanted) throws -> [ValueChange<Value>] {
        if let basis = walk.basis { return try changes(along: basis, wanted) }
        if last.number <= Self.exactly {
            return Self.select(try look(walk, at: everyPosition), wanted)
        }
        return try searched(wanted)
    }

    /// Where the document may change, for who walks along it: every event of the basis, or of a short journal; else the first
    /// changes of the value that a search among all events finds, from some position on.
    func places(
        atMost most: Int, from first: () throws -> Position
    ) throws -> (start: Position, positions: [Position], isCut: Bool) {
        if let basis = walk.basis { return (.zero, basis, false) }
        if last.number <= Self.exactly { return (.zero, everyPosition, false) }
        let start = min(try first().previous, last)
        if walk.needsNoState {
            // Nearly every event changes it, and each look goes through all of them.
            let end = min(last.number, start.number + Self.places)
            let next = (start.number + 1..<max(start.number, end) + 1).map { Position($0) }
            return (start, next, end < last.number)
        }
        let found = try searched(.first(most), from: start).map(\.position)
        return (start, found, found.count == most)
    }

    private var everyPosition: [Position] { (1..<max(1, last.number + 1)).map { Position($0) } }

    /// Whether no event's change can go unseen.
    var isExact: Bool { last.number <= Self.exactly || walk.basis != nil }

    private static func select(
        _ changes: [ValueChange<Value>], _ wanted: Wanted
    ) -> [ValueChange<Value>] {
        switch wanted {
        case .all: changes
        case .first(let count): Array(changes.prefix(count))
        case .last(let count): Array(changes.suffix(count))
        }
    }

    private func now(at position: Position) throws -> Instant {
        switch present {
        case .fixed(let now): now
        case .ofEach: try snapshot.instant(at: position)
        }
    }

    private func look(_ walk: DocumentWalk, at position: Position, now: Instant) throws -> Value {
        try value(try walk.document(asOf: position, now: now))
    }

    /// The changes between ascending positions, the first of which is compared with no events at all.
    private func look(
        _ walk: DocumentWalk, at positions: [Position]
    ) throws -> [ValueChange<Value>] {
        var changes: [ValueChange<Value>] = []
        var old = try look(walk, at: .zero, now: now(at: .zero))
        for position in positions {
            let new = try look(walk, at: position, now: now(at: position))
            if new != old { changes.append(ValueChange(position: position, old: old, new: new)) }
            old = new
        }
        return changes
    }

    // MARK: Along a basis

    private func changes(
        along basis: [Position], _ wanted: Wanted
    ) throws -> [ValueChange<Value>] {
        guard case .ofEach = present else { return Self.select(try look(walk, at: basis), wanted) }
        var changes: [ValueChange<Value>] = []
        func isDone() -> Bool {
            if case .first(let count) = wanted { changes.count >= count } else { false }
        }
        var old = try look(walk, at: .zero, now: .epoch)
        // Before the first event of the basis, too, time passes.
        let stretches = [Position.zero] + basis
        let instants = try [Instant.epoch] + snapshot.instants(at: basis)
        for (index, start) in stretches.enumerated() where !isDone() {
            let new = try look(walk, at: start, now: instants[index])
            if new != old { changes.append(ValueChange(position: start, old: old, new: new)) }
            let end = index + 1 < stretches.count ? stretches[index + 1].previous : last
            old = try timeChanges(from: (start, instants[index]), new, through: end, &changes)
        }
        return Self.select(changes, wanted)
    }

    /// What time alone changes from one event of the basis to before the next; the value at the end.
    ///
    /// In a short journal each position is asked. In a longer one a value that changes and changes back in between is not
    /// seen.
    private func timeChanges(
        from start: (position: Position, at: Instant), _ value: Value, through end: Position,
        _ changes: inout [ValueChange<Value>]
    ) throws -> Value {
        guard end > start.position else { return value }
        var known = (at: start.at, value: value)
        func seen(at position: Position) throws -> Value {
            let at = try snapshot.instant(at: position)
            if at != known.at { known = (at, try look(walk, at: start.position, now: at)) }
            return known.value
        }
        var turned = start.position
        var value = value
        func turn(at position: Position, to new: Value) {
            changes.append(ValueChange(position: position, old: value, new: new))
            turned = position
            value = new
        }
        if last.number <= Self.exactly {
            while turned < end {
                let next = turned + 1
                let new = try seen(at: next)
                if new != value { turn(at: next, to: new) } else { turned = next }
            }
            return value
        }
        let final = try seen(at: end)
        while final != value {
            var low = turned
            var high = end
            while low.number + 1 < high.number {
                let middle = Position((low.number + high.number) / 2)
                if try seen(at: middle) == value { low = middle } else { high = middle }
            }
            turn(at: high, to: try seen(at: high))
        }
        return value
    }

    // MARK: Among all events

    private struct Stretch {
        let start: (position: Position, value: Value)
        let end: (position: Position, value: Value)

        var change: ValueChange<Value>? {
            guard start.value != end.value, end.position == start.position + 1 else { return nil }
            return ValueChange(position: end.position, old: start.value, new: end.value)
        }
    }

    private func searched(
        _ wanted: Wanted, from start: Position = .zero
    ) throws -> [ValueChange<Value>] {
        var stretches = try stretches(through: Self.places(from: start, to: last), wanted)
        while stretches.contains(where: { $0.change == nil }) {
            var places: [Position] = []
            for stretch in stretches {
                places += Self.places(from: stretch.start.position, to: stretch.end.position)
            }
            stretches = Self.select(try self.stretches(through: places, wanted), wanted)
        }
        return stretches.compactMap(\.change)
    }

    /// Places that lie evenly in a stretch, its ends among them.
    private static func places(from start: Position, to end: Position) -> [Position] {
        guard start < end else { return [start] }
        let length = end.number - start.number
        let count = min(length, places)
        return (0...count).map { Position(start.number + length * $0 / count) }
    }

    /// The stretches between ascending places whose ends differ; where the first ones are wanted, no others are looked for.
    private func stretches(
        through places: [Position], _ wanted: Wanted
    ) throws -> [Stretch] {
        let most = if case .first(let count) = wanted { count } else { Int.max }
        let walk = try DocumentWalk(reader, question, snapshot, through: last)
        var stretches: [Stretch] = []
        var previous: (position: Position, value: Value)?
        for position in places where position != previous?.position {
            let found = (position, try look(walk, at: position, now: now(at: position)))
            if let previous, previous.value != found.1 {
                stretches.append(Stretch(start: previous, end: found))
                if stretches.count == most { break }
            }
            previous = found
        }
        return stretches
    }

    private static func select(_ stretches: [Stretch], _ wanted: Wanted) -> [Stretch] {
        switch wanted {
        case .all: stretches
        case .first(let count): Array(stretches.prefix(count))
        case .last(let count): Array(stretches.suffix(count))
        }
    }
}

extension Position {
    /// The one before; zero stays zero.
    var previous: Position { Position(number > 0 ? number - 1 : 0) }
}
