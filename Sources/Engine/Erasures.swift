import EventLog
import Events

/// Whose personal data is erased: their personal fields read null in every event, past ones too.
struct Erasures {
    private struct Person: Hashable {
        let product: String
        let subject: Symbol
    }

    private var erased: Set<Person> = []
    private var position = Position.zero

    /// Reads the erasures that came since.
    mutating func catchUp(
        _ snapshot: JournalSnapshot, _ types: JournalTypes, _ names: Names
    ) throws {
        let from = position + 1
        position = snapshot.head.position
        var people: [Person] = []
        for number in types.numbers(matching: AccountErased.type) {
            let positions = try snapshot.positions(of: .type, UInt32(number), from: from)
            try snapshot.forEachEvent(at: positions) { event, body in
                var reader = BinaryReader(body, range: event.payload)
                if let fact = AccountErased.decode(version: 1, from: &reader) {
                    let subject = names.text(fact.subject)
                    people.append(
                        Person(
                            product: String(subject.prefix { $0 != "/" }), subject: event.subject))
                }
                return true
            }
        }
        erased.formUnion(people)
    }

    var isEmpty: Bool { erased.isEmpty }

    func hides(_ product: String, _ subject: Symbol) -> Bool {
        !erased.isEmpty && !subject.isNone
            && erased.contains(Person(product: product, subject: subject))
    }
}
