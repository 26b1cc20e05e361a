import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// The owner of an inbox: `student:ID` or `coach:ID`.
    struct Recipient: FieldValue {
        let isCoach: Bool
        let person: PersonID

        static func student(_ id: StudentID) -> Self { .init(isCoach: false, .init(id)) }
        static func coach(_ id: CoachID) -> Self { .init(isCoach: true, .init(id)) }

        private init(isCoach: Bool, _ person: PersonID) {
            self.isCoach = isCoach
            self.person = person
        }

        var kind: String { isCoach ? "coach" : "student" }

        func text(_ names: Names) -> String { "\(kind):\(names.text(person))" }

        static var empty: Self { .init(isCoach: false, .none) }
        static var schema: String { "recipient" }

        func write(to writer: inout BinaryWriter) {
            isCoach.write(to: &writer)
            person.write(to: &writer)
        }

        static func read(from reader: inout BinaryReader) -> Self {
            let isCoach = Bool.read(from: &reader)
            return .init(isCoach: isCoach, PersonID.read(from: &reader))
        }

        func write(to output: inout JSONOutput) {
            output.json.string(text(output.names))
        }

        static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
            for (kind, isCoach) in [("student:", false), ("coach:", true)] {
                guard let text = json.string, text.hasPrefix(kind),
                    case let id = String(text.dropFirst(kind.count)), IdentifierForm.accepts(id)
                else { continue }
                return .init(isCoach: isCoach, PersonID(input.names.intern(id)))
            }
            input.fail("expected student:ID or coach:ID")
            return nil
        }
    }

    /// Opens a notification in the sender's inbox.
    struct OpenNotification: Command {
        static let type = "quranflow.notification.open"
        var recipient = Recipient.empty
        var number = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("recipient", &recipient)
            coder.number("number", &number)
        }

        static func kinds(in state: State) -> [Actor.Kind] { [.student, .coach, .system] }

        func senders(in state: State) -> Senders {
            .one(recipient.isCoach ? .coach : .student, recipient.person)
        }

        func decide(in context: Context) throws(Rejection) {
            let notice = try context.find(notification: number, of: recipient)
            try context.checkCoachIsActive()
            if notice.isOpened { throw .alreadyOpened }
            context.recordOpened(number, by: recipient)
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// Records that a recipient opened a notification.
    func recordOpened(_ number: Int, by recipient: QuranFlow.Recipient) {
        record(
            QuranFlow.Notification.Opened(
                number: number),
            on: inboxStream(recipient),
            about: (recipient.kind, recipient.person.symbol))
    }

    /// Opens the student's notification of what they looked at elsewhere, if there is one still unopened.
    func openNotification(_ number: Int, of student: QuranFlow.StudentID) {
        guard number > 0,
            state.notifications[.init(.init(student), Ordinal(number))]?.isOpened == false
        else { return }
        recordOpened(number, by: .student(student))
    }
}
