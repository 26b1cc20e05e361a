import EventLog
import Events

/// Whose personal data is erased: their personal fields read null in every event, past ones too.
struct Erasures {
    private struct Person: Hashable {
        let product: String
        let subject: Symbol
    }

    private var erased: Set<Person> = []
    /// A bit for each symbol that is an erased person's, of whichever product: with every event of a
    /// fold this is looked at first.
    private var marks: [UInt64] = []
    private var position = Position.zero

    /// Reads the erasures that came since.
    mutating func catchUp(
        _ snapshot: JournalSnapshot, _ types: JournalTypes, _ names: Names
    ) throws {
        let from = position + 1
        position = snapshot.head.position
        var people: [Person] = []
        let symbolCount = snapshot.head.symbolCount
        for number in types.numbers(matching: AccountErased.type) {
            let positions = try snapshot.positions(of: .type, UInt32(number), from: from)
            try snapshot.forEachEvent(at: positions) { event, body in
                var reader = BinaryReader(body, range: event.payload)
                if event.subject.number <= symbolCount,
                    let fact = AccountErased.decode(version: 1, from: &reader)
                {
                    let subject = names.text(fact.subject)
                    people.append(
                        Person(
                            product: String(subject.prefix { $0 != "/" }), subject: event.subject))
                }
                return true
            }
        }
        erased.formUnion(people)
        for person in people { mark(person.subject) }
    }

    private mutating func mark(_ subject: Symbol) {
        let place = Int(subject.number) >> 6
        if place >= marks.count {
            marks += Array(repeating: 0, count: place + 1 - marks.count)
        }
        marks[place] |= 1 << UInt64(subject.number & 63)
    }

    private func isMarked(_ subject: Symbol) -> Bool {
        let place = Int(subject.number) >> 6
        return place < marks.count && marks[place] >> UInt64(subject.number & 63) & 1 == 1
    }

    func hides(_ product: String, _ subject: Symbol) -> Bool {
        isMarked(subject) && !subject.isNone
            && erased.contains(Person(product: product, subject: subject))
    }
}
