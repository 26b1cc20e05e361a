import Engine
import Core
import ExamRoomEvents
import TestSupport
import Testing

/// The three boards, made anew from the events (R31).
struct LeaderboardLaw {
    private struct Standing {
        let student: String
        let points: Int64
        /// Nil where nothing is published.
        let average: Int64?
        let completed: Int64
        let rate: Int64
        let handedIn: Int64

        func measures(_ board: String) -> [Int64] {
            switch board {
            case "points": [points, average ?? -1]
            case "average": [average ?? -1, completed]
            default: [rate, handedIn]
            }
        }
    }

    private var book = AttemptBook()
    private var students: Set<String> = []
    private var hiding: Set<String> = []
    /// Exams whose results are published.
    private var published: Set<String> = []
    private var waitsForResults = false
    private var points: [String: [String: Int64]] = [:]

    init(_ events: [PastFact]) {
        for event in events {
            book.take(event)
            let student = event.text("student")
            switch event.type {
            case "examroom.account.registered":
                if event.text("role") == "student" { students.insert(event.text("account")) }
            case "examroom.preference.chosen":
                guard !event.lost("leaderboard"),
                    let choice = event.data["changes"]?["leaderboard"]?.string
                else { continue }
                if choice == "hidden" { hiding.insert(event.text("account")) }
                if choice == "shown" { hiding.remove(event.text("account")) }
            case "examroom.points.awarded":
                points[student, default: [:]][event.text("attempt")] = Int64(event.number("points"))
            case "examroom.points.adjusted":
                points[student, default: [:]][event.text("attempt")] =
                    Int64(event.number("newPoints"))
            case "examroom.results.published":
                if !event.lost("results") { published.insert(event.text("exam")) }
            case "examroom.results.withheld":
                if !event.lost("results") { published.remove(event.text("exam")) }
            case "examroom.policy.adopted":
                guard !event.lost("awardsWhen"),
                    let choice = event.data["changes"]?["awardsWhen"]?.string
                else { continue }
                waitsForResults = choice == "results"
            default: break
            }
        }
    }

    private var standings: [Standing] {
        students.subtracting(book.deleted).subtracting(hiding).compactMap { student in
            let counting = book.counting(of: student)
            let completed = counting.filter(\.isCompleted)
            let told = completed.filter { published.contains($0.exam) }
            guard !(waitsForResults ? told : completed).isEmpty else { return nil }
            let percents = told.compactMap(\.percent).reduce(0, +)
            let handedIn = Int64(completed.filter(\.isHandedIn).count)
            return Standing(
                student: student, points: (points[student] ?? [:]).values.reduce(0, +),
                average: told.isEmpty
                    ? nil : AttemptBook.rounded(percents, by: Int64(told.count)),
                completed: Int64(completed.count),
                rate: AttemptBook.rounded(handedIn * 10_000, by: Int64(counting.count)),
                handedIn: handedIn)
        }
    }

    static func broken(by room: LivedRoom) throws -> String? {
        let law = LeaderboardLaw(room.events)
        let all = law.standings
        for board in ["points", "average", "completion"] {
            let sorted = all.sorted { left, right in
                let measures = [left.measures(board), right.measures(board)]
                if measures[0] != measures[1] {
                    return measures[1].lexicographicallyPrecedes(measures[0])
                }
                return left.student.precedes(right.student)
            }
            let wanted = sorted.map { standing in
                let above = all.filter { $0.measures(board)[0] > standing.measures(board)[0] }
                return Self.entry(standing, rank: 1 + above.count)
            }
            let whole = try room.show("leaderboard", board, ["page": "all"])
            let entries = whole["entries"]?.array ?? []
            if let found = difference(
                entries.map { Self.withoutName($0).description }, wanted.map(\.description))
            {
                return "\(board), \(found)"
            }
            if let found = try pages(board, room, entries) { return found }
            for student in law.students.sorted().prefix(5) {
                let rank = wanted.first { $0["student"]?.string == student }?["rank"] ?? .null
                let own = try room.show("leaderboard", board, ["student": student])["own"]
                if own?["rank"] != rank { return "\(board): \(student) is told \(own ?? .null)" }
            }
        }
        return nil
    }

    /// The pages one after the other are the whole.
    private static func pages(
        _ board: String, _ room: LivedRoom, _ entries: [JSON]
    ) throws -> String? {
        var joined: [JSON] = []
        var page = 1
        while true {
            let view = try room.show("leaderboard", board, ["page": "\(page)"])
            joined += view["entries"]?.array ?? []
            if view["total"]?.wholeNumber != Int64(entries.count) { return "the total: \(view)" }
            if Int64(page) >= view["pages"]?.wholeNumber ?? 1 { break }
            page += 1
        }
        if page != max(1, (entries.count + 49) / 50) { return "\(board) has \(page) pages" }
        return joined == entries ? nil : "the pages of \(board) are not the whole"
    }

    private static func entry(_ standing: Standing, rank: Int) -> JSON {
        .object(of: [
            ("averagePercent", standing.average.map { .hundredths($0) } ?? .null),
            ("completed", .integer(standing.completed)),
            ("completionRate", .hundredths(standing.rate)), ("points", .integer(standing.points)),
            ("rank", .integer(Int64(rank))), ("student", .string(standing.student)),
        ])
    }

    static func withoutName(_ entry: JSON) -> JSON {
        .object((entry.members ?? []).filter { $0.name != "name" })
    }
}

@Suite struct `Leaderboards` {
    @Test(
        "R31: are sorted by the printed measures, then id, ranked by the first, page by page",
        arguments: Life.some)
    func areSorted(life: Life) {
        life.expect { try LeaderboardLaw.broken(by: $0) }
    }

    /// A hall of students who tie often, registered in one order or another.
    private static func hall(seed: UInt64, isReversed: Bool) throws -> LivedRoom {
        var random = SplitMix64(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        let open = Instant("2026-02-02T08:00:00Z")
        var commands: [TestCommand] = []
        func tell(_ command: String, by: String = "system", _ data: [(String, JSON)]) {
            let at = open + Int64(commands.count)
            commands.append(
                TestCommand("c-\(command)-\(data)", "examroom.\(command)", at: at, by: by, data))
        }
        let students = (0..<117).map { "S-\($0 * 37 % 117)" }
        var registrations: [TestCommand] = []
        for student in students {
            tell(
                "account.register",
                [
                    ("account", .string(student)), ("role", .string("student")),
                    ("name", .string("Somebody")),
                    (
                        "credential",
                        .object(of: [
                            ("scheme", .string("bcrypt")), ("salt", .string("s")),
                            ("digest", .string("d")),
                        ])
                    ),
                ])
            commands[commands.count - 1].id = student
            commands[commands.count - 1].at = open
        }
        registrations = commands
        if isReversed { registrations.reverse() }
        commands = []
        tell("exam.create", [("exam", .string("EX-1")), ("title", .string("T"))])
        for question in ["Q-1", "Q-2"] {
            let options = ["a", "b"].map { option in
                JSON.object(of: [
                    ("option", .string(option)), ("text", .string(option)),
                    ("correct", .bool(option == "a")),
                ])
            }
            tell(
                "question.add",
                [
                    ("exam", .string("EX-1")), ("question", .string(question)),
                    ("prompt", .string("?")), ("options", .array(options)),
                ])
        }
        tell("exam.publish", [("exam", .string("EX-1"))])
        for student in students {
            let by = "student:\(student)"
            let attempt: (String, JSON) = ("attempt", .string("AT-\(student)"))
            tell(
                "attempt.start", by: by,
                [attempt, ("exam", .string("EX-1")), ("student", .string(student))])
            for question in ["Q-1", "Q-2"] where below(3) > 0 {
                tell(
                    "answer.save", by: by,
                    [attempt, ("question", .string(question)), ("chosen", .array([.string("a")]))])
            }
            if below(4) > 0 { tell("attempt.submit", by: by, [attempt]) }
        }
        commands.append(
            TestCommand("end", "clock.advance", at: open + Int64(below(2) * 90_000), by: "system"))
        for index in commands.indices { commands[index].id = "c-\(index)" }
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        try engine.run(registrations + commands)
        return try LivedRoom(journal, engine)
    }

    @Test(
        "R31: do not hang on whose id was met first, over several pages", arguments: [UInt64(1)])
    func doNotHangOnIDs(seed: UInt64) throws {
        let rooms = try [false, true].map { try Self.hall(seed: seed, isReversed: $0) }
        for room in rooms { #expect(try LeaderboardLaw.broken(by: room) == nil) }
        for board in ["points", "average", "completion"] {
            let boards = try rooms.map { try $0.show("leaderboard", board, ["page": "all"]) }
            #expect(boards[0] == boards[1])
            #expect(boards[0]["total"]?.wholeNumber ?? 0 > 50)
        }
    }
}
