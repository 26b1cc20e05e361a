import Commands
import ExamRoomCommands
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts

/// A room in memory with the rules on it: given commands, when one more, then what.
///
/// No journal and no engine: a decision is a function of state, command and instant.
final class Stage {
    enum Answer: Equatable {
        /// The types of the recorded facts, without `examroom.`.
        case accepted([String])
        /// The code, and the types of what was recorded of the refusal.
        case rejected(String, [String])
        case malformed(String)
        case unknown

        static func rejected(_ code: String) -> Answer { .rejected(code, []) }
    }

    let names = Names()
    let space = TableSpace()
    let room: ExamRoom.State
    private var recorded: [EventEnvelope] = []

    /// An event with its surroundings side by side.
    struct Fact {
        let type: String
        let at: Instant
        let actor: Symbol
        let stream: Symbol
        let cause: Position
        let payload: [UInt8]
    }

    var facts: [Fact] {
        recorded.map {
            Fact(
                type: $0.type.name, at: $0.metadata.at, actor: $0.metadata.actor,
                stream: $0.metadata.stream, cause: $0.metadata.cause, payload: $0.payload.bytes)
        }
    }

    private var next = Position(1)
    private let ledger = Ledger()
    /// The last position that every device held when they parted.
    var shared: UInt64?

    /// The commands that merges accepted; live ones have no ids here.
    private final class Ledger: IdempotencyIndex {
        var digests: [String: [UInt8]] = [:]

        func known(command id: String, _ digest: [UInt8]) -> KnownCommand {
            digests[id].map { $0 == digest ? .same : .other } ?? .unknown
        }
    }

    /// With admin A-1 and students S-1 and S-2, registered at eight on 2026-02-02.
    init() {
        room = ExamRoom.State(space: space, names: names)
        space.keepsChanges = true
        _ = send("system", "account.register", "08:00", Self.account("A-1", "admin"))
        for student in ["S-1", "S-2"] {
            _ = send("admin:A-1", "account.register", "08:00", Self.account(student, "student"))
        }
    }

    static func account(_ id: String, _ role: String, more: String = "") -> String {
        #"{"account":"\#(id)","role":"\#(role)","name":"\#(id)","#
            + #""credential":{"scheme":"bcrypt","salt":"s","digest":"d-\#(id)"}\#(more)}"#
    }

    /// An exam EX-1 with questions Q-1 (one right option, one point) and Q-2 (two right, two
    /// points), published.
    func giveExam(_ details: String = "") {
        accept("admin:A-1", "exam.create", "08:01", #"{"exam":"EX-1","title":"T"\#(details)}"#)
        accept(
            "admin:A-1", "question.add", "08:02",
            #"{"exam":"EX-1","question":"Q-1","prompt":"?","options":[\#(Self.options("a"))]}"#)
        accept(
            "admin:A-1", "question.add", "08:03",
            #"{"exam":"EX-1","question":"Q-2","prompt":"?","points":2,"options":[\#(Self.options("ab"))]}"#
        )
        accept("admin:A-1", "exam.publish", "08:04", #"{"exam":"EX-1"}"#)
    }

    /// Options a, b, c of which the named ones are right.
    static func options(_ right: String) -> String {
        "abc".map { id in
            #"{"option":"\#(id)","text":"\#(id)","correct":\#(right.contains(id))}"#
        }.joined(separator: ",")
    }

    func adopt(_ changes: String) {
        accept("admin:A-1", "policy.adopt", "08:00", #"{"changes":{\#(changes)}}"#)
    }

    func accept(_ by: String, _ command: String, _ at: String, _ data: String) {
        let answer = send(by, command, at, data)
        if case .accepted = answer { return }
        preconditionFailure("\(command) was to be accepted: \(answer)")
    }

    /// Decides a command; `at` is a time of 2026-02-02, or a whole instant.
    func send(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) -> Answer {
        guard let type = ExamRoom.commands.first(where: { $0.name == "examroom.\(command)" })
        else {
            return .unknown
        }
        var input = JSONInput(names: names, path: "data")
        guard let json = try? JSON(parsing: data), let command = type.read(json, &input) else {
            return .malformed(input.problem ?? "not JSON")
        }
        guard let context = context(by, at, device) else { return .malformed("by or at") }
        do {
            try command.authorize(in: context)
            try command.decide(in: context)
            context.finish()
            return keep(context).map { .accepted($0) } ?? .unknown
        } catch {
            space.undoChanges()
            room.didUndo()
            guard let refusal = self.context(by, at, device) else { return .unknown }
            command.trace(of: error, in: refusal)
            return .rejected(error.rawValue, keep(refusal) ?? [])
        }
    }

    /// Fires what is due before an instant; the types of what was recorded.
    func fire(before at: String) -> [String] {
        var types: [String] = []
        while let timer = room.timers.next(), timer.due < Self.instant(at) {
            guard let actor = Actor("system", names: names) else { break }
            let context = DecisionContext<ExamRoom>(
                state: room,
                DecisionInput(
                    at: timer.due, actor: actor, device: .none, command: .none,
                    cause: timer.cause,
                    place: SealingContext(position: next, recordedAt: timer.due),
                    idempotency: ledger))
            ExamRoom.fire(timer, in: context)
            context.finish()
            room.timers.spend(timer)
            types += keep(context) ?? []
        }
        return types
    }

    private func context(_ by: String, _ at: String, _ device: String?) -> DecisionContext<
        ExamRoom
    >? {
        guard let actor = Actor(by, names: names) else { return nil }
        return DecisionContext(
            state: room,
            DecisionInput(
                at: Self.instant(at), actor: actor,
                device: device.map { names.intern($0) } ?? .none,
                command: CommandName("c-\(next.number)"),
                place: SealingContext(position: next, recordedAt: Self.instant(at)),
                idempotency: ledger))
    }

    private func keep(_ context: DecisionContext<ExamRoom>) -> [String]? {
        space.keepChanges()
        next = next + context.recorded.count
        recorded += context.recorded
        for command in context.merged { ledger.digests[command.id] = command.digest }
        return context.recorded.map { $0.type.name.replacing("examroom.", with: "") }
    }

    static func instant(_ text: String) -> Instant {
        let whole = text.contains("T") ? text : "2026-02-02T\(text):00Z"
        return Instant(rfc3339: whole) ?? .epoch
    }

    /// The last recorded fact of a type.
    func last<P: Payload>(_ type: P.Type) -> P? {
        lastWithOrigin(type)?.fact
    }

    /// The same, and where a merge brought it from.
    func lastWithOrigin<P: Payload>(_ type: P.Type) -> (fact: P, origin: Origin?)? {
        guard let event = recorded.last(where: { $0.type.name == P.type }) else { return nil }
        return event.read(type).map { ($0, event.metadata.origin) }
    }

    /// The last position.
    var head: UInt64 { next.number - 1 }

    func start(_ attempt: String, _ student: String, _ at: String) -> Answer {
        send(
            "student:\(student)", "attempt.start", at,
            #"{"attempt":"\#(attempt)","exam":"EX-1","student":"\#(student)"}"#)
    }

    func answer(
        _ attempt: String, _ student: String, _ question: String, _ chosen: String, _ at: String
    ) -> Answer {
        let ids = chosen.map { #""\#($0)""# }.joined(separator: ",")
        return send(
            "student:\(student)", "answer.save", at,
            #"{"attempt":"\#(attempt)","question":"\#(question)","chosen":[\#(ids)]}"#)
    }

    func submit(_ attempt: String, _ student: String, _ at: String) -> Answer {
        send("student:\(student)", "attempt.submit", at, #"{"attempt":"\#(attempt)"}"#)
    }
}
