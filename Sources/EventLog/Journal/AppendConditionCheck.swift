import Events

extension AppendCondition {
    /// Throws `conflict` if the condition does not hold in the transaction.
    func check(
        _ head: Head, _ access: TransactionAccess, _ databases: JournalDatabases
    ) throws(JournalError) {
        switch self {
        case .revision(let stream, let count):
            let list = try PostingList(access, databases.index, .stream, stream.number)
            let actual = list.head?.count ?? 0
            guard actual == count else {
                throw JournalError(
                    .conflict(.revision(stream: stream, actual: actual)),
                    "the stream has \(actual) events, not \(count)",
                    advice: "read the stream again and decide anew")
            }
        case .noEvents(let types, let tags, let after):
            guard after < head.position else { return }
            let query = EventQuery(types: types, tags: tags)
            if let found = try query.first(after: after, head, access, databases) {
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

    /// The first such event after a position. Walks the posting lists side by side, each leaping
    /// to where the others stand.
    func first(
        after position: Position, _ head: Head, _ access: TransactionAccess,
        _ databases: JournalDatabases
    ) throws(JournalError) -> Position? {
        var tagLists: [PostingList] = []
        for tag in tags {
            tagLists.append(try PostingList(access, databases.index, .tag, tag.number))
        }
        var typeLists: [PostingList] = []
        for type in types {
            typeLists.append(try PostingList(access, databases.index, .type, UInt32(type)))
        }
        var candidate = position.number + 1
        search: while candidate <= head.position.number {
            for index in tagLists.indices {
                guard let next = try tagLists[index].next(from: candidate) else { return nil }
                guard next == candidate else {
                    candidate = next
                    continue search
                }
            }
            guard !types.isEmpty else { return Position(candidate) }
            var nearest: UInt64?
            for index in typeLists.indices {
                guard let next = try typeLists[index].next(from: candidate) else { continue }
                if next == candidate { return Position(candidate) }
                nearest = min(nearest ?? next, next)
            }
            guard let nearest else { return nil }
            candidate = nearest
        }
        return nil
    }
}
