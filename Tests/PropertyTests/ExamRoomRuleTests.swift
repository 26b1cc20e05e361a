import Engine
import Events
import TestSupport
import Testing

/// ExamRoom's rules as laws over what is recorded, whoever recorded it.
struct ExamRoomLaws {
    private var limits: [String: Int?] = [:]
    private var starts: [String: Int] = [:]
    private var deadlines: [String: Instant] = [:]
    private var closed: [String: Instant] = [:]
    private var points: [String: Int] = [:]
    private var ofAttempt: [String: Int] = [:]
    private var earned: Set<String> = []
    private var imported: Set<String> = []

    /// The first event that breaks a rule, and how.
    static func broken(by events: [PastFact]) -> String? {
        var laws = ExamRoomLaws()
        for event in events {
            if let problem = laws.problem(of: event) { return "\(problem): \(event.text)" }
        }
        return nil
    }

    private mutating func problem(of event: PastFact) -> String? {
        let attempt = event.text("attempt")
        switch event.type {
        case "examroom.exam.created", "examroom.exam.duplicated", "examroom.exam.imported":
            let limit = event.data["details"]?["maxAttempts"]?.wholeNumber
            limits[event.text("exam")] = limit.map { Int($0) }
        case "examroom.exam.revised":
            if let to = event.data["changes"]?["maxAttempts"]?["to"] {
                limits[event.text("exam")] = to.wholeNumber.map { Int($0) }
            }
        case "examroom.attempt.started":
            let seat = event.text("exam") + "/" + event.text("student")
            starts[seat, default: 0] += 1
            if let limit = limits[event.text("exam")] ?? nil, starts[seat, default: 0] > limit {
                return "an attempt beyond the limit of \(limit)"
            }
            if deadlines[attempt] != nil { return "an attempt started twice" }
            deadlines[attempt] = event.instant("deadline")
        case "examroom.attempt.imported":
            if deadlines[attempt] != nil { return "an attempt started before it was imported" }
            if event.number("score") > event.number("maxScore") {
                return "a score above the maximum"
            }
            starts[event.text("exam") + "/" + event.text("student"), default: 0] += 1
            imported.insert(attempt)
        case "examroom.answer.saved", "examroom.time.logged":
            guard let deadline = deadlines[attempt] else { return "an answer to no attempt" }
            if event.at >= deadline { return "an answer at or after the deadline" }
            // Answers may be told late, never after the closing was told.
            if closed[attempt] != nil { return "an answer to a closed attempt" }
        case "examroom.attempt.submitted":
            if closed[attempt] != nil { return "an attempt closed twice" }
            closed[attempt] = event.instant("closedAt")
            if let deadline = deadlines[attempt], event.instant("closedAt") > deadline {
                return "an attempt closed after its deadline"
            }
            let marks = event.data["marks"]?.array ?? []
            let sum = marks.reduce(0) { $0 + Int($1["points"]?.wholeNumber ?? 0) }
            if sum != event.number("score") { return "the score is not the sum of its marks" }
            if event.number("score") > event.number("maxScore") {
                return "a score above the maximum"
            }
        case "examroom.points.awarded":
            if imported.contains(attempt) { return "points for an imported attempt" }
            if ofAttempt[attempt] != nil { return "points awarded twice" }
            ofAttempt[attempt] = event.number("points")
            return total(event, adding: event.number("points"))
        case "examroom.points.adjusted":
            if ofAttempt[attempt] != event.number("oldPoints") {
                return "the old points are others"
            }
            ofAttempt[attempt] = event.number("newPoints")
            return total(event, adding: event.number("newPoints") - event.number("oldPoints"))
        case "examroom.badge.earned":
            let badge = event.text("student") + " " + event.text("badge")
            if !earned.insert(badge).inserted { return "a badge earned twice" }
        case "examroom.milestone.unlocked":
            let milestone = event.text("student") + " \(event.number("milestone"))"
            if !earned.insert(milestone).inserted { return "a milestone unlocked twice" }
            if event.number("total") < event.number("milestone") {
                return "a milestone not reached"
            }
        default: break
        }
        return nil
    }

    private mutating func total(_ event: PastFact, adding amount: Int) -> String? {
        let student = event.text("student")
        points[student, default: 0] += amount
        let sum = points[student, default: 0]
        return sum == event.number("total") ? nil : "the points add up to \(sum)"
    }

    /// What the student's view shows against the sum of what was awarded.
    static func wrongTotal(_ events: [PastFact], _ engine: Engine) throws -> String? {
        guard try engine.models().contains(where: { $0.name == "examroom.achievements" }) else {
            return nil
        }
        var laws = ExamRoomLaws()
        for event in events { _ = laws.problem(of: event) }
        for (student, sum) in laws.points.sorted(by: { $0.key < $1.key }) {
            let shown = try engine.show("examroom.achievements", key: student)
            let json = try JSON(parsing: shown.bytes)
            if !json.isNull, json["points"]?.wholeNumber != Int64(sum) {
                return "\(student) has \(sum) points, shown: \(shown.text)"
            }
        }
        return nil
    }
}

@Suite struct `ExamRoom's rules` {
    @Test(arguments: UInt64(900)..<924)
    func `hold over any history: attempt limits, deadlines, points`(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            try engine.run(commands)
            let events = try engine.allEvents()
            return try ExamRoomLaws.broken(by: events) ?? ExamRoomLaws.wrongTotal(events, engine)
        }
    }
}
