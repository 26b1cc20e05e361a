import Core
import Engine
import TestSupport
import Testing

/// What the life of a dishonest student of ExamRoom must not show.
private enum SitterGains {
    /// The student's attempts that count, as they stand in the end (R24).
    private static func counting(_ life: DishonestLife) -> [AttemptBook.Sitting] {
        var book = AttemptBook()
        for event in life.events { book.take(event) }
        return book.sittings.values.filter {
            $0.student == "S-1" && !$0.isSetAside && $0.holds.isEmpty
        }.sorted { $0.id < $1.id }
    }

    private static func isRight(_ answer: PastFact) -> Bool {
        answer.data["chosen"]?.array == [.string("a")]
    }

    /// R43, R53: what is right in an attempt that began before the key was shown was saved live. Where feedback
    /// told the key at once, nothing is right that was wrong before.
    static func score(_ life: DishonestLife) -> String? {
        var shown: [String: Instant] = [:]
        for event in life.events where event.type == "examroom.results.published" {
            shown[event.text("exam")] = min(shown[event.text("exam")] ?? event.moment, event.moment)
        }
        for attempt in counting(life) {
            for mark in attempt.closing?.data["marks"]?.array ?? []
            where mark["correct"] == .bool(true) {
                let question = mark["question"]?.string ?? ""
                let answers = attempt.answers.filter { $0.text("question") == question }
                if attempt.start.data["answersFinal"] == .bool(true) {
                    if answers.allSatisfy(isRight) { continue }
                } else if shown[attempt.exam].map({ attempt.startedAt > $0 }) ?? false
                    || answers.contains(where: { isRight($0) && !$0.isMerged })
                {
                    continue
                }
                return "\(question) of \(attempt.closing?.text ?? "")"
            }
        }
        return nil
    }

    /// R15, R44: no more attempts than allowed.
    static func limit(_ life: DishonestLife) -> String? {
        for (exam, attempts) in Dictionary(grouping: counting(life), by: \.exam)
        where attempts.count > DishonestSitter.limits[exam, default: 0] {
            return "\(exam): \(attempts.map(\.id))"
        }
        return nil
    }

    /// R5, R15, R44, R54: none where and when there was none to be sat.
    static func outside(_ life: DishonestLife) -> String? {
        for attempt in counting(life) {
            let writes = life.events.filter { event in
                event.text("exam") == attempt.exam && event.moment <= attempt.startedAt
                    && (event.data["student"] ?? .string("S-1")) == .string("S-1")
            }
            func last(_ pair: [String]) -> String? {
                let names = pair.map { "examroom.\($0)" }
                let known = writes.filter { names.contains($0.type) }
                let latest = known.map(\.moment).max()
                // Of several at one instant any may be the last.
                return known.last { $0.moment == latest && $0.type == names[0] }?.type
                    ?? known.last?.type
            }
            if last(["exam.published", "exam.withdrawn"]) != "examroom.exam.published" {
                return "unpublished: \(attempt.start.text)"
            }
            if last(["student.unblocked", "student.blocked"]) == "examroom.student.blocked" {
                return "blocked: \(attempt.start.text)"
            }
            let window = [Instant("2026-02-03T08:00:00Z"), Instant("2026-02-06T08:00:00Z")]
            if attempt.exam == "window", !(window[0]..<window[1]).contains(attempt.startedAt) {
                return "window: \(attempt.start.text)"
            }
            let extra: Int64 = attempt.start.data["extension"]?.isNull == false ? 1_800 : 0
            let limit = (attempt.exam == "instant" ? 3_600 : 36_000) + extra
            if Int64(attempt.start.number("limitSeconds")) > limit {
                return "longer: \(attempt.start.text)"
            }
        }
        return nil
    }

    /// R25, R27: no more points than the attempts that count are worth.
    static func points(_ life: DishonestLife) -> String? {
        let worth = counting(life).map { attempt in
            (attempt.score ?? 0) * 100 / max(1, attempt.maxScore)
        }.reduce(0, +)
        let last = life.events.last {
            $0.type.hasPrefix("examroom.points.") && $0.text("student") == "S-1"
        }
        let total = last?.number("total") ?? 0
        return total > worth ? "\(total) of \(worth)" : nil
    }

    /// R28: a run of N dates takes N - 1 days less the 50 hours that the zones of the Earth are apart.
    static func streak(_ life: DishonestLife) -> String? {
        var closings: [String: [Instant]] = [:]
        for event in life.events where event.text("student") == "S-1" {
            guard let closedAt = event.optionalInstant("closedAt") else { continue }
            closings[event.text("localDate"), default: []].append(closedAt)
        }
        for event in life.events where event.text("badge").hasPrefix("streak-") {
            guard event.text("student") == "S-1", let basis = event.data["basis"] else { continue }
            let first = closings[basis["from"]?.string ?? ""]?.min()
            let last = closings[basis["to"]?.string ?? ""]?.max()
            guard let first, let last else { return "no closing: \(event.text)" }
            let days = basis["days"]?.wholeNumber ?? 0
            if last.milliseconds(since: first) < ((days - 1) * 24 - 50) * 3_600_000 {
                return "\(first) to \(last): \(event.text)"
            }
        }
        return nil
    }

    private static let own: Set = [
        "attempt.started", "attempt.submitted", "attempt.reconciled", "attempt.held",
        "attempt.released", "attempt.resubmitted", "answer.saved", "answer.held",
        "points.awarded", "points.adjusted", "badge.earned", "milestone.unlocked",
        "violation.recorded", "profile.revised", "conflict.detected", "batch.merged",
        "notification.raised", "time.warned", "attempt.discarded",
    ]

    /// R5, R38: what only others may do, by the student's name or in the student's batches.
    static func presumption(_ life: DishonestLife) -> String? {
        let batches = Set(life.commands.filter { $0.by == DishonestSitter.by }.map(\.id))
        for event in life.events where batches.contains(event.command ?? "") {
            if !own.contains(String(event.type.trimmingPrefix("examroom."))) { return event.text }
            let student = event.text("student")
            if !student.isEmpty, student != "S-1" { return "another's: \(event.text)" }
        }
        return nil
    }

    /// What the rules themselves say of any history, recounted from the events.
    static func rules(_ life: DishonestLife) throws -> String? {
        try AttemptLaw.broken(by: life.events) ?? ScoreLaw.broken(by: life.events)
            ?? AwardLaw.broken(by: life.events)
            ?? LeaderboardLaw.broken(by: LivedRoom(life.journal, life.engine))
    }
}

@Suite struct `A dishonest student of ExamRoom` {
    private let search = DishonestSearch<DishonestSitter>(
        firstSeed: 6_100, lives: 16, steps: 160,
        gains: [
            ForbiddenGain("score", SitterGains.score), ForbiddenGain("limit", SitterGains.limit),
            ForbiddenGain("outside", SitterGains.outside),
            ForbiddenGain("points", SitterGains.points),
            ForbiddenGain("streak", SitterGains.streak),
            ForbiddenGain("presumption", SitterGains.presumption),
            ForbiddenGain("rules", SitterGains.rules),
        ],
        actors: [DishonestSitter.by],
        fields: ["badge.earned": "badge", "conflict.detected": "kind"],
        reach: [
            "told device.merge": 500, "told attempt.start": 70, "told answer.save": 130,
            "told attempt.submit": 40, "told attempt.discard": 15, "told profile.revise": 35,
            "answer.held": 25, "attempt.held": 50, "attempt.reconciled": 90,
            "attempt.resubmitted": 30, "attempt.submitted": 150, "points.adjusted": 20,
            "badge.earned perfect-score": 5, "badge.earned speed-demon": 6,
            "badge.earned streak-3": 5, "badge.earned streak-5": 4, "milestone.unlocked": 8,
            "conflict.detected attempt-limit": 20, "conflict.detected blocked-attempt": 8,
            "conflict.detected late-answers": 20, "conflict.detected start-outside": 15,
            "violation.recorded": 100,
        ])

    @Test
    func
        `gains no score, attempt, point, badge or right by a forged journal, a wrong clock or a zone`()
        throws
    {
        try search.expectNoGain()
    }

    @Test(arguments: ["score", "limit", "outside"])
    func `is found out where an admin lets count what came late, outside or beyond the limit`(
        gain: String
    )
        throws
    {
        #expect(
            try search.finds(gain) { life in
                try life.told { command in
                    guard command.command == "examroom.conflict.resolve" else { return [command] }
                    return [
                        command.with([
                            ("conflict", command.data["conflict"] ?? .null),
                            ("choice", .string("keep")),
                        ])
                    ]
                }
            })
    }

    @Test func `is found out under broken rules of limits and points`() throws {
        #expect(
            try search.finds("limit") { life in
                try life.told { command in
                    guard command.command == "examroom.exam.create" else { return [command] }
                    return [command.with("maxAttempts", .null)]
                }
            })
        #expect(
            try search.finds("points") { life in
                try life.told { command in
                    guard command.command == "examroom.policy.adopt", command.by == "admin:A-1"
                    else { return [command] }
                    let changes = JSON.object(of: [("pointsPerPercent", .integer(3))])
                    return [command.with([("changes", changes)])]
                }
            })
    }

    @Test func `is found out in a story told otherwise`() throws {
        #expect(
            try search.finds("presumption") { life in
                life.telling { event in
                    // As if the student's batches had brought an admin's acts.
                    event.type == "examroom.batch.merged"
                        ? [event.typed("examroom.grade.modified")] : [event]
                }
            })
        #expect(
            try search.finds("streak") { life in
                life.telling { event in
                    guard event.type == "examroom.badge.earned",
                        event.text("badge") == "first-steps"
                    else { return [event] }
                    let basis = JSON.object(of: [
                        ("days", .integer(9)), ("from", .string("2026-02-02")),
                        ("to", .string("2026-02-02")),
                    ])
                    return [event.with("badge", .string("streak-9")).with("basis", basis)]
                }
            })
        #expect(
            try search.finds("rules") { life in
                life.telling { event in
                    event.type == "examroom.attempt.submitted"
                        ? [event.with("score", .integer(3))] : [event]
                }
            })
    }
}
