import Commands
import Core
public import Engine
import Folding
import Projections

/// Who was there? One event, one rule, one read model: the smallest product.
enum RollCall: ProductNamespace {
    static let product = "rollcall"

    enum Lesson: Thing { static let noun = "lesson" }
    enum Student: Thing { static let noun = "student" }
    typealias LessonID = Identifier<Lesson>
    typealias StudentID = Identifier<Student>

    /// A student was there. Stream `rollcall/lesson/LESSON`.
    struct Marked: Payload {
        static let type = "rollcall.student.marked"
        static let streams = ["lesson"]
        static let sentence = "A student was marked as present."
        var lesson = LessonID.none
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("lesson", &lesson)
            coder.field("student", &student)
        }
    }
}

// What is so.
extension RollCall {
    struct LessonRow: Record {
        var present: [StudentID] = []

        mutating func fields<C: Coder>(_ coder: inout C) { coder.field("present", &present) }
    }

    final class State: FoldedState {
        static let product = RollCall.product
        static let foldVersion = 1
        static let routes = {
            var routes = Routes<State>()
            routes.on(Marked.self) { state, event, _ in
                state.lessons.update(event.lesson) { $0.present.append(event.student) }
            }
            return routes
        }()

        let space: TableSpace
        let names: Names
        let timers: Timers
        let lessons: Table<LessonID, LessonRow>

        init(space: TableSpace, names: Names) {
            (self.space, self.names) = (space, names)
            timers = Timers(in: space, names: names)
            lessons = Table("lessons", in: space)
        }

        func hidesPersonal(of subject: Symbol) -> Bool { false }
    }
}

// What may happen.
extension RollCall: Rules {
    static let commands: [CommandType<RollCall>] = [.init(Mark.self)]

    enum Rejection: String, RejectionCode {
        case forbidden
        case notFound = "not-found"
        case alreadyExists = "already-exists"
        case clockBehind = "clock-behind"
        case alreadyPresent = "already-present"

        var message: String { "The roll call says \(rawValue)." }
    }

    /// R1: a student is marked once for a lesson.
    struct Mark: ProductCommand {
        typealias Product = RollCall
        static let type = "rollcall.student.mark"
        var lesson = LessonID.none
        var student = StudentID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("lesson", &lesson)
            coder.field("student", &student)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let present = context.state.lessons[lesson]?.present ?? []
            if present.contains(student) { throw .alreadyPresent }
            context.record(Marked(lesson: lesson, student: student), on: lesson)
        }
    }

    static func erase(_ person: Symbol, in context: Context) throws(Rejection) { throw .forbidden }
}

// What can be asked.
extension Product {
    public static let rollCall = Product(
        RollCall.self, payloads: [PayloadType(RollCall.Marked.self)],
        models: [
            ReadModel<RollCall.State>(
                "rollcall.lesson", "Who was there?", key: "lesson",
                keys: { $0.names.texts($0.lessons.keys) }, basis: .on(.stream("lesson"))
            ) { state, request, output in
                guard let lesson = state.names.known(request.key),
                    let row = state.lessons[.init(lesson)]
                else { return false }
                output.object { $0.member("present", row.present) }
                return true
            }
        ], firstTable: 9000)
}
