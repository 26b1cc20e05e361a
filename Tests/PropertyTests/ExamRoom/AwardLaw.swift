import Core
import ExamRoomEvents
import TestSupport
import Testing

/// Points, badges and milestones (R25-R29), recounted from the events.
struct AwardLaw {
    private var book = AttemptBook()
    private var published: Set<String> = []
    // The policies that points hang on, as they stand.
    private var waitsForResults = false
    private var perPercent: Int64 = 1
    private var isNearest = false
    private var milestones: [Int64] = [1000, 5000, 10000]
    /// Points of each attempt that has some.
    private(set) var points: [String: Int] = [:]
    private var earned: Set<String> = []
    // What the present command still owes.
    private var due: [String] = []
    private var adjustments: [String: Int] = [:]
    private var touched: Set<String> = []

    init() {}

    /// The first event that breaks a rule, and how.
    static func broken(by events: [PastFact]) -> String? {
        var law = AwardLaw()
        var group = ""
        for event in events {
            let next = "\(event.command ?? "") \(event.at)"
            if next != group, let problem = law.unfinished() {
                return "\(problem) before \(event.text)"
            }
            group = next
            law.book.take(event)
            if let problem = law.problem(of: event) { return "\(problem): \(event.text)" }
        }
        return law.unfinished().map { "\($0) at the end" }
    }

    /// What a command has left undone.
    private mutating func unfinished() -> String? {
        if let attempt = due.first { return "no points for \(attempt)" }
        if let (attempt, wanted) = adjustments.first {
            return "the points of \(attempt) were not adjusted to \(wanted)"
        }
        return locked()
    }

    /// A milestone that somebody has reached and that is not unlocked; looked at where points were
    /// given, with the milestones of that moment.
    private mutating func locked() -> String? {
        for student in touched.sorted() {
            for milestone in milestones where total(of: student) >= milestone {
                if !earned.contains("\(student) \(milestone)") {
                    return "\(student) reached \(milestone) and it is not unlocked"
                }
            }
        }
        touched = []
        return nil
    }

    /// The sum over the student's attempts of the points last awarded or adjusted.
    func total(of student: String) -> Int {
        points.filter { book.sittings[$0.key]?.student == student }.map(\.value).reduce(0, +)
    }

    private func wanted(_ sitting: AttemptBook.Sitting) -> Int {
        guard !sitting.isSetAside, sitting.holds.isEmpty, let score = sitting.score else {
            return 0
        }
        let number = Int64(score) * 100 * perPercent
        let maximum = Int64(sitting.maxScore)
        return Int(isNearest ? AttemptBook.rounded(number, by: maximum) : number / maximum)
    }

    private mutating func problem(of event: PastFact) -> String? {
        let attempt = event.text("attempt")
        switch event.type {
        case "examroom.policy.adopted":
            if let problem = locked() { return problem }
            adopt(event)
        case "examroom.results.published", "examroom.results.withheld":
            guard !event.lost("results") else { return nil }
            let isPublished = event.type == "examroom.results.published"
            if isPublished { published.insert(event.text("exam")) }
            if !isPublished { published.remove(event.text("exam")) }
            if isPublished, waitsForResults { due += unpaid(at: event.text("exam")) }
        case "examroom.attempt.submitted":
            guard let sitting = book.sittings[attempt], book.counts(sitting) else { return nil }
            if !waitsForResults || published.contains(sitting.exam) { due.append(attempt) }
        case "examroom.grade.modified", "examroom.attempt.reconciled",
            "examroom.attempt.set-aside", "examroom.attempt.held", "examroom.attempt.released":
            guard let sitting = book.sittings[attempt] else { break }
            guard let old = points[attempt] else {
                guard event.type == "examroom.attempt.released", sitting.isCompleted,
                    book.counts(sitting)
                else { break }
                if !waitsForResults || published.contains(sitting.exam) { due.append(attempt) }
                break
            }
            let new = wanted(sitting)
            adjustments[attempt] = new == old ? nil : new
        case "examroom.points.awarded": return awarded(event)
        case "examroom.points.adjusted": return adjusted(event)
        case "examroom.badge.earned":
            let badge = event.text("student") + " " + event.text("badge")
            if !earned.insert(badge).inserted { return "a badge earned twice" }
        case "examroom.milestone.unlocked":
            let student = event.text("student")
            let milestone = event.number("milestone")
            if !earned.insert("\(student) \(milestone)").inserted {
                return "a milestone unlocked twice"
            }
            if !milestones.contains(Int64(milestone)) { return "no milestone of the policy" }
            if event.number("total") != total(of: student) { return "the total is another" }
            if total(of: student) < milestone { return "a milestone not reached" }
        default: break
        }
        return nil
    }

    private mutating func adopt(_ event: PastFact) {
        for change in event.data["changes"]?.members ?? [] where !event.lost(change.name) {
            switch change.name {
            case "awardsWhen": waitsForResults = change.value.string == "results"
            case "pointsPerPercent": perPercent = change.value.wholeNumber ?? perPercent
            case "pointsRounding": isNearest = change.value.string == "nearest"
            case "milestones": milestones = change.value.array?.compactMap(\.wholeNumber) ?? []
            default: break
            }
        }
    }

    /// Completed counting attempts without points, in order of closing, then id (R26).
    private func unpaid(at exam: String) -> [String] {
        let attempts = book.sittings.values.filter {
            $0.exam == exam && $0.isCompleted && book.counts($0) && !$0.isImported
                && points[$0.id] == nil
        }
        return attempts.sorted { left, right in
            let instants = [left, right].map { $0.closing?.instant("closedAt") ?? .epoch }
            return instants[0] == instants[1]
                ? left.id.precedes(right.id) : instants[0] < instants[1]
        }.map(\.id)
    }

    private mutating func awarded(_ event: PastFact) -> String? {
        let attempt = event.text("attempt")
        guard let sitting = book.sittings[attempt] else { return "points for no attempt" }
        if points[attempt] != nil { return "points awarded twice" }
        guard due.first == attempt else { return "points that are not due, but for \(due)" }
        due.removeFirst()
        if event.number("points") != wanted(sitting) { return "\(wanted(sitting)) points are due" }
        if event.hundredths("percent") != sitting.percent { return "the percent is another" }
        return paid(event, event.number("points"))
    }

    private mutating func adjusted(_ event: PastFact) -> String? {
        let attempt = event.text("attempt")
        guard let old = points[attempt] else { return "no points to adjust" }
        if old != event.number("oldPoints") { return "the old points were \(old)" }
        guard let wanted = adjustments.removeValue(forKey: attempt) else {
            return "nothing was to be adjusted"
        }
        if event.number("newPoints") != wanted { return "\(wanted) points are due" }
        return paid(
            event, wanted,
            mayUnlock: book.sittings[attempt].map { !$0.isSetAside && $0.holds.isEmpty } ?? false)
    }

    private mutating func paid(
        _ event: PastFact, _ amount: Int, mayUnlock: Bool = true
    ) -> String? {
        points[event.text("attempt")] = amount
        let student = event.text("student")
        if mayUnlock { touched.insert(student) }
        return event.number("total") == total(of: student)
            ? nil : "the points of all attempts are \(total(of: student))"
    }

    // MARK: What the views show

    /// What the student's views show against the sums of what was awarded.
    static func hidden(in room: LivedRoom) throws -> String? {
        var law = AwardLaw()
        for event in room.events {
            law.book.take(event)
            _ = law.problem(of: event)
        }
        let everyone = try room.show("gamification", nil, ["page": "all"])
        for row in everyone["students"]?.array ?? [] {
            let student = row["student"]?.string ?? ""
            let own = room.events.filter { $0.stream == "examroom/awards/\(student)" }
            let view = try room.show("achievements", student)
            let badges = own.filter { $0.type == "examroom.badge.earned" }
            let milestones = own.filter { $0.type == "examroom.milestone.unlocked" }
            let shown: [(String, JSON?, JSON)] = [
                ("points", view["points"], .integer(Int64(law.total(of: student)))),
                ("points", row["points"], .integer(Int64(law.total(of: student)))),
                ("badges", view["badges"], .array(badges.map(Self.badge))),
                (
                    "badges", row["badges"],
                    .array(badges.map { $0.text("badge") }.sorted().map { .string($0) })
                ),
                (
                    "unlocked", view["unlocked"],
                    .array(
                        milestones.map { .integer(Int64($0.number("milestone"))) })
                ),
                ("history", view["history"], .array(own.compactMap(Self.line))),
            ]
            for (name, found, wanted) in shown where found != wanted {
                return "\(name) of \(student): \(found ?? .null), recounted \(wanted)"
            }
        }
        return nil
    }

    private static func badge(_ event: PastFact) -> JSON {
        .object(of: [
            ("attempt", event.data["attempt"] ?? .null), ("badge", event.data["badge"] ?? .null),
            ("earnedAt", .string("\(event.moment)")), ("name", event.data["name"] ?? .null),
        ])
    }

    private static func line(_ event: PastFact) -> JSON? {
        let amount: Int?
        let what: JSON
        switch event.type {
        case "examroom.points.awarded": (amount, what) = (event.number("points"), .string("points"))
        case "examroom.points.adjusted":
            (amount, what) = (
                event.number("newPoints") - event.number("oldPoints"), .string("points")
            )
        case "examroom.badge.earned": (amount, what) = (nil, event.data["badge"] ?? .null)
        case "examroom.milestone.unlocked":
            (amount, what) = (event.number("milestone"), .string("milestone"))
        default: return nil
        }
        return .object(of: [
            ("amount", amount.map { .integer(Int64($0)) } ?? .null),
            ("at", .string("\(event.moment)")), ("attempt", event.data["attempt"] ?? .null),
            ("what", what),
        ])
    }
}

@Suite struct `Points, badges and milestones` {
    @Test(
        "R25, R26, R27, R29: are given once, when they are due, and add up to the student's total",
        arguments: Life.some)
    func addUp(life: Life) {
        life.expect { try AwardLaw.broken(by: $0.events) ?? AwardLaw.hidden(in: $0) }
    }
}
