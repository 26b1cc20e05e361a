import Core

/// The positions of events that a list shows, ascending: of a million events a page reads fifty.
struct FoundEvents {
    private enum Places {
        case some([Position])
        /// Every position up to this one.
        case all(Position)
    }

    private let places: Places

    init(through last: Position) {
        places = .all(last)
    }

    /// The events of the lists (nil: of the whole history) that the test takes.
    init(
        in lists: [EventList]?, of history: any History, where isWanted: (EventEnvelope) -> Bool
    ) {
        var found: [Position] = []
        let visit = { (event: EventEnvelope) in
            if isWanted(event) { found.append(event.metadata.position) }
            return true
        }
        if let lists {
            history.forEach(at: history.positions(in: lists), visit)
        } else {
            history.forEach(types: [], visit)
        }
        places = .some(found)
    }

    var count: Int {
        switch places {
        case .some(let positions): positions.count
        case .all(let last): Int(last.number)
        }
    }

    /// The position of the event that is `index` before the newest.
    private func newest(_ index: Int) -> Position {
        switch places {
        case .some(let positions): positions[positions.count - 1 - index]
        case .all(let last): Position(last.number - UInt64(index))
        }
    }

    /// How many events are read at once.
    private static let atOnce = 8192

    /// Writes the events of a page as an array, newest first. They are read oldest first and written down
    /// at once: an event that is kept would keep its block from being used again.
    func writeNewest(
        _ name: String, _ page: Page, _ history: any History, to output: inout JSONOutput,
        _ write: (inout JSONOutput, EventEnvelope) -> Void
    ) {
        output.json.key(name)
        output.json.beginArray()
        var rest = page.range(of: count)
        while !rest.isEmpty {
            let part = rest.prefix(Self.atOnce)
            rest = rest.dropFirst(part.count)
            var written = JSONOutput(names: output.names)
            var ends = [0]
            history.forEach(at: part.reversed().map { newest($0) }) { event in
                write(&written, event)
                ends.append(written.json.bytes.count)
                written.json.newline()
                return true
            }
            for place in ends.indices.dropFirst().reversed() {
                let start = place == 1 ? 0 : ends[place - 1] + 1
                output.json.canonical(written.json.bytes[start..<ends[place]])
            }
            output.drain()
        }
        output.json.endArray()
    }
}
