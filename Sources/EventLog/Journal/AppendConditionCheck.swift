import Core

extension AppendCondition {
    /// Throws `conflict` if the condition does not hold in the transaction.
    func check(_ index: JournalIndex) throws(JournalError) {
        switch self {
        case .revision(let stream, let count):
            let actual = try index.streamHead(stream)?.count ?? 0
            guard actual == count else {
                throw JournalError(
                    .conflict(.revision(stream: stream, actual: actual)),
                    "the stream has \(actual) events, not \(count)",
                    advice: "read the stream again and decide anew")
            }
        case .noEvents(let types, let tags, let after):
            guard after < index.head.position else { return }
            let query = EventQuery(types: types, tags: tags)
            if let found = try query.first(after: after, index) {
                throw JournalError(
                    .conflict(.event(at: found)),
                    "an event that the decision did not know of is at \(found.number)",
                    advice: "read the journal again and decide anew")
            }
        }
    }
}

/// Events of any of these types (empty: all) that bear all of these tags.
struct EventQuery {
    let types: [UInt16]
    let tags: [Symbol]

    /// The first such event after a position.
    func first(
        after position: Position, _ index: JournalIndex
    ) throws(JournalError) -> Position? {
        let range = position.number + 1...max(position.number + 1, index.head.position.number)
        var candidates: [UInt64]?
        for tag in tags {
            let list = try index.positions(.tag, tag.number, range, reversed: false, limit: .max)
            candidates = candidates.map { Self.intersection($0, list) } ?? list
            if candidates?.isEmpty == true { return nil }
        }
        guard !types.isEmpty else {
            return Position(candidates == nil ? range.lowerBound : candidates?.first ?? 0)
        }
        var first: UInt64?
        for type in types {
            let list = try index.positions(
                .type, UInt32(type), range, reversed: false, limit: candidates == nil ? 1 : .max)
            let found = candidates.map { Self.intersection($0, list) } ?? list
            if let here = found.first { first = min(first ?? here, here) }
        }
        return first.map { Position($0) }
    }

    /// What two ascending lists have in common.
    private static func intersection(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var common: [UInt64] = []
        var (here, there) = (0, 0)
        while here < left.count, there < right.count {
            if left[here] == right[there] {
                common.append(left[here])
                here += 1
                there += 1
            } else if left[here] < right[there] {
                here += 1
            } else {
                there += 1
            }
        }
        return common
    }
}
