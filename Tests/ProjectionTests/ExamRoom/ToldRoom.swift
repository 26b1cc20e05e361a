import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Projections
import ExamRoomProjections
import Testing

/// A room that is told events one by one, and the journal of what it was told.
///
/// Events are given as the JSON of their data, so that a test says no more than it means.
final class ToldRoom: History {
    let names = Names()
    let room: ExamRoom.State
    private var told: [Told] = []

    private struct Told {
        let metadata: EventMetadata
        let type: PayloadType
        let payload: [UInt8]
        let personal: [UInt8]
    }

    init() {
        room = ExamRoom.State(space: TableSpace(), names: names)
    }

    private static let types: [String: PayloadType] = Dictionary(
        uniqueKeysWithValues: (ExamRoom.payloads + [PayloadType(AccountErased.self)]).map {
            ($0.name, $0)
        })

    // MARK: Telling

    /// Folds one event; `about` is whose key its personal fields hang on.
    @discardableResult
    func tell(
        _ type: String, _ data: String, at instant: String, by actor: String = "admin:A-1",
        on stream: String = "examroom/test", device: String? = nil, about subject: String? = nil,
        command: String = "", origin: (device: String, at: String)? = nil
    ) throws -> Position {
        let type = try #require(Self.types[type], "no event type \(type)")
        var input = JSONInput(names: names, path: "data")
        let json = try JSON(parsing: Array(data.utf8))
        let payload = type.readJSON(json, &input)
        let bytes = try #require(payload, "\(input.problem ?? "unreadable")")
        var brought: Origin?
        if let origin {
            brought = Origin()
            brought?.device = InternedText(names.intern(origin.device))
            brought?.at = try Self.instant(origin.at)
        }
        let metadata = EventMetadata(
            position: Position(UInt64(told.count + 1)), at: try Self.instant(instant),
            actor: names.intern(actor), device: device.map { names.intern($0) } ?? .none,
            stream: names.intern(stream), subject: subject.map { names.intern($0) } ?? .none,
            cause: .zero, command: CommandName(command), origin: brought)
        let event = Told(
            metadata: metadata, type: type, payload: bytes.payload,
            personal: bytes.personal)
        told.append(event)
        if let handler = ExamRoom.State.routes.handler(of: type.name) {
            var reader = reader(of: event)
            #expect(handler.fold(room, metadata, type.version, &reader))
        }
        return metadata.position
    }

    private func reader(of event: Told) -> BinaryReader {
        let isHidden = room.hidesPersonal(of: event.metadata.subject)
        return BinaryReader(
            event.payload, personal: isHidden ? [] : event.personal, names: names)
    }

    static func instant(_ text: String) throws -> Instant {
        try #require(Instant(rfc3339: text), "\(text) is no instant")
    }

    // MARK: Reading back

    func forEach(types: [String], _ body: (EventEnvelope) -> Bool) {
        for event in told where types.isEmpty || types.contains(event.type.name) {
            let past = EventEnvelope(
                metadata: event.metadata, type: event.type, version: event.type.version,
                revision: 0, recordedAt: event.metadata.at, tags: [],
                place: SealingContext(
                    position: event.metadata.position, recordedAt: event.metadata.at),
                payload: reader(of: event))
            if !body(past) { return }
        }
    }

    func forEach(tags: [String], _ body: (EventEnvelope) -> Bool) {}

    /// The same, up to a position, told anew.
    func before(_ position: Position) throws -> ToldRoom {
        let earlier = ToldRoom()
        for event in told where event.metadata.position < position {
            var output = JSONOutput(names: names)
            var reader = reader(of: event)
            #expect(event.type.writeJSON(event.type.version, nil, &reader, &output))
            let device = event.metadata.device
            let subject = event.metadata.subject
            try earlier.tell(
                event.type.name, String(decoding: output.json.bytes, as: UTF8.self),
                at: "\(event.metadata.at)", by: names.text(event.metadata.actor),
                on: names.text(event.metadata.stream),
                device: device.isNone ? nil : names.text(device),
                about: subject.isNone ? nil : names.text(subject))
        }
        return earlier
    }

    /// The document of a model; nil where the view knows nothing of the key.
    func show(
        _ model: String, _ key: String = "", _ arguments: [String: String] = [:],
        now: String = "2026-03-01T00:00:00Z",
        past: @escaping (Position) -> PastState? = { _ in nil }
    ) throws -> JSON? {
        let readModel = try #require(ExamRoom.readModels.first { $0.name == "examroom.\(model)" })
        let request = ViewRequest(
            key: key, arguments: arguments, now: try Self.instant(now),
            through: Position(UInt64(self.told.count)), history: self, past: past)
        var output = JSONOutput(names: names)
        guard try readModel.view(room, request, &output) else { return nil }
        return try JSON(parsing: output.json.bytes)
    }
}

extension JSON {
    /// The value at a path of member names and places, `questions.0.chosen`; nil if there is none.
    func at(_ path: String) -> JSON? {
        path.split(separator: ".").reduce(self as JSON?) { value, step in
            if let place = Int(step) {
                guard let items = value?.array, items.indices.contains(place) else { return nil }
                return items[place]
            }
            return value?[String(step)]
        }
    }

    /// The canonical text at a path; "absent" where there is nothing.
    func text(_ path: String) -> String { at(path)?.description ?? "absent" }

    /// The canonical texts of one member in each element of a list.
    func column(_ list: String, _ member: String) -> [String] {
        (at(list)?.array ?? []).map { $0.text(member) }
    }
}

// MARK: What many tests begin with

extension ToldRoom {
    func register(
        _ account: String, role: String = "student", name: String = "Amal", zone: String? = nil,
        at instant: String = "2026-02-01T08:00:00Z"
    ) throws {
        let zone = zone.map { "\"\($0)\"" } ?? "null"
        try tell(
            "examroom.account.registered",
            """
            {"account":"\(account)","role":"\(role)","name":"\(name)","email":null,
            "timeZone":\(zone),"credential":{"scheme":"bcrypt","salt":"s","digest":"d"},
            "temporary":false,"source":"admin"}
            """, at: instant, about: account)
    }

    func exam(
        _ exam: String = "EX-1", title: String = "Algebra", minutes: Int = 60,
        attempts: String = "1", opens: String? = nil, closes: String? = nil,
        shuffle: Bool = false, at instant: String = "2026-02-01T08:05:00Z"
    ) throws {
        let opens = opens.map { "\"\($0)\"" } ?? "null"
        let closes = closes.map { "\"\($0)\"" } ?? "null"
        try tell(
            "examroom.exam.created",
            """
            {"exam":"\(exam)","details":{"title":"\(title)","description":"",
            "durationMinutes":\(minutes),"window":{"opensAt":\(opens),"closesAt":\(closes)},
            "maxAttempts":\(attempts),"shuffleQuestions":\(shuffle),"shuffleOptions":\(shuffle),
            "feedback":"after","passPercent":50}}
            """, at: instant)
    }

    func question(
        _ question: String, of exam: String = "EX-1", points: Int = 1,
        at instant: String = "2026-02-01T08:10:00Z", device: String? = nil
    ) throws {
        let options = ["a", "b", "c", "d"].map {
            "{\"option\":\"\($0)\",\"text\":\"\($0)\",\"correct\":\($0 == "a")}"
        }
        try tell(
            "examroom.question.added",
            """
            {"exam":"\(exam)","question":"\(question)","content":{"prompt":"?",
            "options":[\(options.joined(separator: ","))],"points":\(points),"explanation":null}}
            """, at: instant, device: device)
    }

    func publish(_ exam: String = "EX-1", at instant: String = "2026-02-01T09:00:00Z") throws {
        try tell(
            "examroom.exam.published", "{\"exam\":\"\(exam)\",\"questions\":1,\"maxScore\":1}",
            at: instant)
    }

    /// A paper of as many questions, `Q-1` on, one point each, `a` the right option.
    func start(
        _ attempt: String, of student: String, exam: String = "EX-1", questions: Int = 1,
        minutes: Int = 60, warnings: String = "[300,60]", instant feedback: Bool = false,
        at instant: String = "2026-02-02T09:00:00Z"
    ) throws {
        let paper = (1...questions).map {
            """
            {"question":"Q-\($0)","prompt":"?","options":[{"option":"a","text":"A"},
            {"option":"b","text":"B"}],"correct":["a"],"points":1,"explanation":"so",
            "image":null}
            """
        }
        let deadline = try Self.instant(instant) + Int64(minutes * 60)
        try tell(
            "examroom.attempt.started",
            """
            {"attempt":"\(attempt)","exam":"\(exam)","student":"\(student)","title":"Algebra",
            "startedAt":"\(instant)","durationSeconds":\(minutes * 60),"extension":null,
            "limitSeconds":\(minutes * 60),"deadline":"\(deadline)",
            "feedback":"\(feedback ? "instant" : "after")","answersFinal":false,
            "passPercent":50,"maxScore":\(questions),"warnings":\(warnings),
            "paper":[\(paper.joined(separator: ","))]}
            """, at: instant, by: "student:\(student)", on: "examroom/attempt/\(attempt)",
            about: student)
    }

    func answer(
        _ attempt: String, of student: String, _ question: String, _ chosen: String,
        feedback: String = "null", at instant: String = "2026-02-02T09:10:00Z"
    ) throws {
        try tell(
            "examroom.answer.saved",
            """
            {"attempt":"\(attempt)","question":"\(question)","chosen":\(chosen),"seconds":5,
            "answeredAt":"\(instant)","feedback":\(feedback)}
            """, at: instant, by: "student:\(student)", on: "examroom/attempt/\(attempt)",
            about: student)
    }

    /// Closes with so many of the paper's questions right.
    func submit(
        _ attempt: String, of student: String, exam: String = "EX-1",
        right: Int = 1, of max: Int = 1, seconds: Int = 600, how: String = "student",
        at instant: String = "2026-02-02T09:30:00Z"
    ) throws {
        let marks = (1...max).map {
            """
            {"question":"Q-\($0)","answered":\($0 <= right),"correct":\($0 <= right),
            "points":\($0 <= right ? 1 : 0),"seconds":\($0 * 5)}
            """
        }
        let percent = JSON.hundredths(Percent(right, of: max).hundredths)
        try tell(
            "examroom.attempt.submitted",
            """
            {"attempt":"\(attempt)","exam":"\(exam)","student":"\(student)","how":"\(how)",
            "closedAt":"\(instant)","localDate":"\(instant.prefix(10))","secondsTaken":\(seconds),
            "answered":\(right),"correct":\(right),"score":\(right),"maxScore":\(max),
            "percent":\(percent),"passed":\(right * 2 >= max),
            "marks":[\(marks.joined(separator: ","))]}
            """, at: instant, by: how == "student" ? "student:\(student)" : "system",
            on: "examroom/attempt/\(attempt)", about: student)
    }
}
