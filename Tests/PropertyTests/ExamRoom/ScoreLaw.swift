import Core
import ExamRoomEvents
import TestSupport
import Testing

/// Closings and results, scored anew from the paper and the answers (R16, R18, R19, R22, R43).
struct ScoreLaw {
    private var book = AttemptBook()
    private var zones = ZoneBook()

    /// What an attempt comes to when it is closed at an instant.
    private struct Scored {
        var answered = 0
        var correct = 0
        var score = 0
        var marks: [JSON] = []
    }

    static func broken(by events: [PastFact]) -> String? {
        var law = ScoreLaw()
        for event in events {
            if let problem = law.problem(of: event) { return "\(problem): \(event.text)" }
            law.book.take(event)
            law.zones.take(event)
        }
        return law.openEnd()
    }

    /// The last answers not after an instant: the greatest of (`answeredAt`, writer, position), or
    /// the least where the first answer stands.
    private static func last(
        of sitting: AttemptBook.Sitting, to question: String, right: Set<JSON>,
        by closedAt: Instant, isFirst: Bool
    ) -> PastFact? {
        let precedes = { (left: PastFact, right: PastFact) -> Bool in
            let instants = [left.instant("answeredAt"), right.instant("answeredAt")]
            if instants[0] != instants[1] { return instants[0] < instants[1] }
            if left.writer != right.writer { return left.writer.precedes(right.writer) }
            return left.position < right.position
        }
        let given = sitting.answers.filter {
            $0.text("question") == question && sitting.heldAnswers[$0.position] == nil
        }
        let inTime = { (answers: [PastFact]) in
            answers.filter { $0.instant("answeredAt") <= closedAt }
        }
        guard isFirst else { return inTime(given).max(by: precedes) }
        // Of several first answers the least stands, until an admin settles it (R53).
        let isRight = { (answer: PastFact) in
            answer.data["chosen"]?.array.map { !$0.isEmpty && Set($0) == right } ?? false
        }
        let admitted = given.filter { $0.position <= sitting.admittedThrough }
        let first = inTime(admitted.isEmpty ? given : admitted).min(by: precedes)
        guard admitted.isEmpty, let first, isRight(first) else { return first }
        return given.filter { !isRight($0) }.min(by: precedes) ?? first
    }

    /// Nil where an erasure hides what was answered.
    private func scored(
        _ sitting: AttemptBook.Sitting, at closedAt: Instant, before position: Int64
    ) -> Scored? {
        var scored = Scored()
        let isFirst = sitting.start.data["answersFinal"]?.bool == true
        let isErased = (book.erased[sitting.student] ?? .max) < position
        for question in sitting.start.data["paper"]?.array ?? [] {
            let id = question["question"]?.string ?? ""
            let answer = Self.last(
                of: sitting, to: id, right: Set(question["correct"]?.array ?? []), by: closedAt,
                isFirst: isFirst)
            let chosen = answer?.data["chosen"]?.array
            if answer != nil, chosen == nil, !isErased { return nil }
            let isAnswered = chosen?.isEmpty == false
            let isRight = Set(chosen ?? []) == Set(question["correct"]?.array ?? [])
            let points = isRight ? Int(question["points"]?.wholeNumber ?? 0) : 0
            let seconds = (sitting.answers + sitting.times).filter { $0.text("question") == id }
                .map { $0.number("seconds") }.reduce(0, +)
            scored.answered += isAnswered ? 1 : 0
            scored.correct += isRight ? 1 : 0
            scored.score += points
            scored.marks.append(
                .object(of: [
                    ("question", .string(id)), ("answered", .bool(isAnswered)),
                    ("correct", .bool(isRight)), ("points", .integer(Int64(points))),
                    ("seconds", .integer(Int64(seconds))),
                ]))
        }
        return scored
    }

    private func problem(of event: PastFact) -> String? {
        guard ["examroom.attempt.submitted", "examroom.attempt.reconciled"].contains(event.type),
            let sitting = book.sittings[event.text("attempt")]
        else { return nil }
        let closedAt = event.instant("closedAt")
        if let zone = zones.zone(of: sitting.student),
            event.text("localDate") != "\(zone.localDate(at: closedAt))"
        {
            return "the student's date is \(zone.localDate(at: closedAt))"
        }
        let seconds = closedAt.milliseconds(since: sitting.startedAt) / 1000
        if Int64(event.number("secondsTaken")) != seconds { return "it took \(seconds) s" }
        guard let scored = scored(sitting, at: closedAt, before: event.position) else { return nil }
        let maximum = Int64(sitting.maxScore)
        let percent = AttemptBook.rounded(Int64(scored.score) * 10_000, by: maximum)
        let mark = sitting.start.hundredths("passPercent") ?? 0
        let wanted: [(String, JSON)] = [
            ("answered", .integer(Int64(scored.answered))),
            ("correct", .integer(Int64(scored.correct))),
            ("score", .integer(Int64(scored.score))), ("maxScore", .integer(maximum)),
            ("percent", .hundredths(percent)),
            ("passed", .bool(Int64(scored.score) * 10_000 >= mark * maximum)),
            ("marks", .array(scored.marks)),
        ]
        for (field, value) in wanted where event.data[field]?.description != value.description {
            return "\(field) should be \(value)"
        }
        guard event.type == "examroom.attempt.reconciled", let before = sitting.closing else {
            return nil
        }
        let previous = JSON.object(of: [
            ("how", before.data["how"] ?? .null), ("closedAt", before.data["closedAt"] ?? .null),
            ("score", before.data["score"] ?? .null),
        ])
        return event.data["previous"] == previous ? nil : "before it was \(previous)"
    }

    /// Whether an answer that a merge brought to a closed attempt was left out (R43).
    private func openEnd() -> String? {
        for sitting in book.sittings.values.sorted(by: { $0.id < $1.id }) {
            guard !sitting.isImported, let closing = sitting.closing else { continue }
            let now = scored(sitting, at: closing.instant("closedAt"), before: .max)
            guard let now, book.erased[sitting.student] == nil else { continue }
            let stands = closing.data["marks"]?.array?.map { $0["correct"] } ?? []
            if now.score != closing.number("score") || now.marks.map({ $0["correct"] }) != stands {
                return "\(sitting.id) comes to \(now.score) by now, closed as \(closing.text)"
            }
        }
        return nil
    }

    // MARK: Results

    /// What `examroom.results` shows against the attempts that count, scored as R22 says.
    static func hidden(in room: LivedRoom) throws -> String? {
        let book = AttemptBook(room.events)
        let exams = Set(
            room.events.filter { $0.stream.hasPrefix("examroom/exam/") }.map { $0.text("exam") })
        for exam in exams.sorted() {
            let all = book.sittings.values.filter { $0.exam == exam && book.counts($0) }
            let newest = all.sorted {
                $0.startedAt == $1.startedAt
                    ? $0.id.precedes($1.id) : $0.startedAt > $1.startedAt
            }
            let view = try room.show("results", exam, ["page": "all"])
            let shown = (view["results"]?.array ?? []).map { row in
                JSON.object((row.members ?? []).filter { $0.name != "name" })
            }
            let wanted = newest.map { line($0, book) }
            if let index = (0..<max(shown.count, wanted.count)).first(where: {
                !shown.indices.contains($0) || !wanted.indices.contains($0)
                    || shown[$0].description != wanted[$0].description
            }) {
                let found = shown.indices.contains(index) ? shown[index] : .null
                let due = wanted.indices.contains(index) ? wanted[index] : .null
                return "results of \(exam), line \(index): \(found)\n  scored anew: \(due)"
            }
        }
        return nil
    }

    private static func line(_ sitting: AttemptBook.Sitting, _ book: AttemptBook) -> JSON {
        // The place among the student's attempts by (start, writer, id).
        let number = book.sittings.values.filter { other in
            guard other.exam == sitting.exam, other.student == sitting.student else { return false }
            if other.startedAt != sitting.startedAt { return other.startedAt < sitting.startedAt }
            if other.start.writer != sitting.start.writer {
                return other.start.writer.precedes(sitting.start.writer)
            }
            return !sitting.id.precedes(other.id)
        }.count
        return .object(of: [
            ("attempt", .string(sitting.id)),
            ("closedAt", sitting.closing?.data["closedAt"] ?? .null),
            ("extended", .bool(sitting.start.data["extension"]?.isNull == false)),
            ("how", sitting.closing?.data["how"] ?? .null),
            ("maxScore", .integer(Int64(sitting.maxScore))),
            ("modified", .bool(!sitting.grades.isEmpty)), ("number", .integer(Int64(number))),
            ("passed", sitting.isPassed.map { .bool($0) } ?? .null),
            ("percent", sitting.percent.map { .hundredths($0) } ?? .null),
            ("score", sitting.score.map { .integer(Int64($0)) } ?? .null),
            ("startedAt", sitting.start.data["startedAt"] ?? .null),
            ("state", .string(sitting.isCompleted ? "closed" : "open")),
            ("student", .string(sitting.student)),
        ])
    }
}

@Suite struct `Scores` {
    @Test(
        "R16, R18, R19, R43: follow from the paper and the last answers not after the closing",
        arguments: Life.some)
    func followFromTheAnswers(life: Life) {
        life.expect { ScoreLaw.broken(by: $0.events) }
    }

    @Test(
        "R22, R24: of results are those that count, of the attempts that count",
        arguments: Life.some)
    func areThoseThatCount(life: Life) {
        life.expect { try ScoreLaw.hidden(in: $0) }
    }
}
