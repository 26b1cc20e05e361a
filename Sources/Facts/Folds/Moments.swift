import Events

/// When something may be due on a stream.
struct Moment<Place: TimerPlace> {
    let due: Instant
    let place: Place

    /// By due time, then stream by code point.
    func precedes(_ other: Self, _ names: Names) -> Bool {
        if due != other.due { return due < other.due }
        if place == other.place { return false }
        return place.text(names).precedes(other.place.text(names))
    }
}

/// Moments, soonest first: a heap of plain numbers, since every event of a replay looks at its top.
struct Moments<Place: TimerPlace> {
    private var heap: [Moment<Place>] = []

    var first: Moment<Place>? { heap.first }

    mutating func insert(_ moment: Moment<Place>, _ names: Names) {
        var child = heap.count
        heap.append(moment)
        while child > 0 {
            let parent = (child - 1) / 2
            guard moment.precedes(heap[parent], names) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = moment
    }

    mutating func removeFirst(_ names: Names) {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child], names) { child += 1 }
            guard heap[child].precedes(last, names) else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = last
    }
}
