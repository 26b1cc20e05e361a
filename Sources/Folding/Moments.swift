import Core

/// When something may be due on a stream.
struct Moment<Key: StreamKey> {
    let due: Instant
    let key: Key
}

/// Moments, soonest first: a heap of plain numbers, since every event of a replay looks at its top.
struct Moments<Key: StreamKey> {
    private var heap: [Moment<Key>] = []
    /// The soonest ones where several are due at once, by stream in order of code point, the first one
    /// last: texts are looked up only when it comes to that.
    private var ready: [Moment<Key>] = []
    /// What came for the same instant since those were ordered: a cohort's timers are due at once, and
    /// each that fires may set another for that instant.
    private var arrived: [Moment<Key>] = []

    /// When the first one is due.
    var firstDue: Instant? { readyDue ?? heap.first?.due }

    private var readyDue: Instant? { ready.last?.due ?? arrived.first?.due }

    /// The first one: by due time, then stream by code point.
    mutating func first(_ names: Names) -> Moment<Key>? {
        if readyDue != nil {
            for moment in arrived { order(moment, names) }
            arrived.removeAll(keepingCapacity: true)
            return ready.last
        }
        guard let top = heap.first else { return nil }
        while let next = heap.first, next.due == top.due {
            removeTop()
            ready.append(next)
        }
        if ready.count > 1 {
            let texts = ready.map { (text: $0.key.text(names), moment: $0) }
            ready = texts.sorted { $1.text.precedes($0.text) }.map(\.moment)
        }
        return ready.last
    }

    /// Puts a moment among those that are ready.
    private mutating func order(_ moment: Moment<Key>, _ names: Names) {
        let text = moment.key.text(names)
        var (low, high) = (0, ready.count)
        while low < high {
            let middle = (low + high) / 2
            if text.precedes(ready[middle].key.text(names)) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        ready.insert(moment, at: low)
    }

    mutating func insert(_ moment: Moment<Key>) {
        if let readyDue {
            if moment.due == readyDue { return arrived.append(moment) }
            if moment.due < readyDue {
                let former = ready + arrived
                ready = []
                arrived = []
                for moment in former { push(moment) }
            }
        }
        push(moment)
    }

    /// Takes the first one away.
    mutating func removeFirst() {
        if ready.popLast() == nil { removeTop() }
    }

    /// Takes away one of those that are due first, whichever: where order means nothing, no text is
    /// looked up.
    mutating func takeAny() -> Moment<Key>? {
        if let moment = ready.popLast() ?? arrived.popLast() { return moment }
        defer { removeTop() }
        return heap.first
    }

    private mutating func push(_ moment: Moment<Key>) {
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
