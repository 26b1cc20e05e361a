import Events

/// When something may be due on a stream.
struct Moment<Place: TimerPlace> {
    let due: Instant
    let place: Place
}

/// Moments, soonest first: a heap of plain numbers, since every event of a replay looks at its top.
struct Moments<Place: TimerPlace> {
    private var heap: [Moment<Place>] = []
    /// The soonest ones where several are due at once, by stream in order of code point, the first one
    /// last: texts are looked up only when it comes to that.
    private var ready: [Moment<Place>] = []

    /// When the first one is due.
    var firstDue: Instant? { ready.last?.due ?? heap.first?.due }

    /// The first one: by due time, then stream by code point.
    mutating func first(_ names: Names) -> Moment<Place>? {
        if let first = ready.last { return first }
        guard let top = heap.first else { return nil }
        while let next = heap.first, next.due == top.due {
            removeTop()
            ready.append(next)
        }
        if ready.count > 1 {
            let texts = ready.map { (text: $0.place.text(names), moment: $0) }
            ready = texts.sorted { $1.text.precedes($0.text) }.map(\.moment)
        }
        return ready.last
    }

    mutating func insert(_ moment: Moment<Place>) {
        if let first = ready.last, moment.due <= first.due {
            let former = ready
            ready = []
            for moment in former { push(moment) }
        }
        push(moment)
    }

    /// Takes the first one away.
    mutating func removeFirst() {
        if ready.popLast() == nil { removeTop() }
    }

    private mutating func push(_ moment: Moment<Place>) {
        var child = heap.count
        heap.append(moment)
        while child > 0 {
            let parent = (child - 1) / 2
            guard moment.due < heap[parent].due else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = moment
    }

    private mutating func removeTop() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].due < heap[child].due { child += 1 }
            guard heap[child].due < last.due else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = last
    }
}
