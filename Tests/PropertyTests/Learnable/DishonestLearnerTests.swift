import Core
import Engine
import LearnableEvents
import TestSupport
import Testing

/// What the events of such a life must not show.
private enum LearnerGains {
    /// R5, R7, R8: one trial an account and a device, of the policy's length, and no paid time.
    static func access(_ life: DishonestLife) -> String? {
        var accounts: Set<String> = []
        var devices: Set<String> = []
        for event in life.events {
            if event.type.hasPrefix("learnable.subscription.") { return "paid: \(event.text)" }
            guard event.type == "learnable.trial.started" else { continue }
            if !accounts.insert(event.student).inserted { return "two trials: \(event.text)" }
            if !devices.insert(event.text("device")).inserted { return "again: \(event.text)" }
            if event.instant("endsAt") > event.at + 30 * 86_400 { return "long: \(event.text)" }
        }
        return nil
    }

    /// R6: without access nothing is made under `whole-app`, and no more than the limit under `premium-features`, of
    /// which what was made without access and is gone is part.
    static func limits(_ life: DishonestLife) -> String? {
        var ends: [String: Instant] = [:]
        var held: [String: Set<String>] = [:]
        var madeWithout: Set<String> = []
        var failed: Set<String> = []
        var spent: [String: Int] = [:]
        let isWholeApp = life.events.contains {
            $0.type == "learnable.policy.adopted" && $0.text.contains(#""whole-app""#)
        }
        let app: Set = [
            "learnable.topic.completed", "learnable.quiz.begun", "learnable.draft.submitted",
            "learnable.subject.acquired",
        ]
        for event in life.events {
            switch event.type {
            case "learnable.trial.started": ends[event.student] = event.instant("endsAt")
            case "learnable.student.started-over":
                let gone = held[event.student] ?? []
                spent[event.student, default: 0] +=
                    gone.intersection(madeWithout).subtracting(failed).count
                held[event.student] = []
            case "learnable.subject.deleted":
                held[event.student]?.remove(event.thing)
                if madeWithout.contains(event.thing), !failed.contains(event.thing) {
                    spent[event.student, default: 0] += 1
                }
            case "learnable.generation.failed": failed.insert(event.thing)
            case "learnable.generation.retried": failed.remove(event.thing)
            case "learnable.generation.requested":
                held[event.student, default: []].insert(event.thing)
                let hasAccess = event.at < ends[event.student] ?? .epoch
                if !hasAccess { madeWithout.insert(event.thing) }
                let count = (held[event.student]?.count ?? 0) + (spent[event.student] ?? 0)
                if !hasAccess, isWholeApp || count > 2 { return "beyond: \(event.text)" }
            case "learnable.offer.published":
                if event.at >= ends[event.student] ?? .epoch { return "sold: \(event.text)" }
            default: break
            }
            if isWholeApp, app.contains(event.type), event.at >= ends[event.student] ?? .epoch {
                return "without access: \(event.text)"
            }
        }
        return nil
    }

    /// R20, R21, R28, R29: one quiz a day, one verdict a question and quiz, and no step before its day.
    static func steps(_ life: DishonestLife) -> String? {
        var due: [String: Int] = [:]
        var mastered: Set<String> = []
        var answered: Set<String> = []
        var days: Set<String> = []
        for event in life.events {
            switch event.type {
            case "learnable.quiz.answered", "learnable.quiz.self-assessed":
                let key = "\(event.type) \(event.thing) \(event.text("question"))"
                if !answered.insert(key).inserted { return "twice: \(event.text)" }
            case "learnable.quiz.completed" where event.text("kind") == "daily":
                let key = "\(event.student) \(event.text("day"))"
                if !days.insert(key).inserted { return "two a day: \(event.text)" }
            case "learnable.student.started-over":
                days = days.filter { !$0.hasPrefix("\(event.student) ") }
            default:
                guard event.isQuestion, event.data["due"] != nil else { continue }
                // Above a mastered question there is no step: it may be answered in a quiz of before its
                // recurrence was enabled again (R21, R22).
                if event.data["quiz"] != nil, event.day("day") < due[event.thing] ?? .max,
                    !mastered.contains(event.thing)
                {
                    return "early: \(event.text)"
                }
                if event.type == "learnable.question.mastered" { mastered.insert(event.thing) }
                due[event.thing] = event.day("due")
            }
        }
        return nil
    }

    /// R1: no day comes twice.
    static func days(_ life: DishonestLife) -> String? {
        var latest: [String: Int] = [:]
        for event in life.events {
            guard
                ["quiz.begun", "quiz.skipped", "app.opened", "topic.opened", "question.scheduled"]
                    .contains(String(event.type.trimmingPrefix("learnable.")))
            else { continue }
            if event.day("day") < latest[event.student] ?? .min { return event.text }
            latest[event.student] = event.day("day")
        }
        return nil
    }

    /// R32: a streak goes on over no day on which something was due.
    static func streaks(_ life: DishonestLife) -> String? {
        var zones: [String: String] = [:]
        var subjects: [String: String] = [:]
        var due: [String: (student: String, day: Int)] = [:]
        var missed: [String: Set<Int>] = [:]
        var last: [String: (day: Int, streak: Int)] = [:]
        /// From its due date to the day before it was judged or taken away, a question was due.
        func leave(_ question: String, on day: Int) {
            guard let entry = due.removeValue(forKey: question), entry.day < day else { return }
            missed[entry.student, default: []].formUnion(entry.day..<day)
        }
        var moved: [String: Int] = [:]
        var gone: Set<String> = []
        func today(_ event: PastFact) -> Int {
            let zone = TimeZones.zone(named: zones[event.student] ?? "") ?? .utc
            return max(Int(zone.localDate(at: event.at).days), moved[event.student] ?? .min)
        }
        for event in life.events {
            switch event.type {
            case "learnable.student.joined": zones[event.student] = event.text("timeZone")
            case "learnable.student.relocated":
                moved[event.student] = today(event)
                zones[event.student] = event.text("to")
            case "learnable.question.deleted", "learnable.recurrence.disabled":
                leave(event.thing, on: today(event))
                gone.insert(event.thing)
            case "learnable.subject.deleted":
                for (question, subject) in subjects where subject == event.thing {
                    leave(question, on: today(event))
                }
            case "learnable.student.started-over":
                due = due.filter { $0.value.student != event.student }
                (missed[event.student], last[event.student]) = (nil, nil)
            case "learnable.quiz.completed" where event.text("kind") == "daily":
                let day = event.day("day")
                let streak = event.number("streak")
                if let before = last[event.student], day > before.day {
                    let between = Set(before.day + 1..<day)
                    let open = due.values.contains {
                        $0.student == event.student && $0.day < day && !between.isEmpty
                    }
                    let gap = between.intersection(missed[event.student] ?? [])
                    if streak > 1, !gap.isEmpty || open { return "\(gap.sorted()): \(event.text)" }
                }
                if day >= last[event.student]?.day ?? .min { last[event.student] = (day, streak) }
            default:
                guard event.isQuestion, event.data["due"] != nil else { continue }
                leave(event.thing, on: event.day("day"))
                if event.type == "learnable.question.pooled" {
                    subjects[event.thing] = event.text("subject")
                }
                // One that was disabled while a quiz asked it is judged there, and does not come back.
                if event.type == "learnable.recurrence.enabled" { gone.remove(event.thing) }
                if gone.contains(event.thing) { continue }
                due[event.thing] = (event.student, event.day("due"))
            }
        }
        return nil
    }

    /// R35: nobody studied longer than time went by.
    static func study(_ life: DishonestLife) -> String? {
        var seconds: [String: Int64] = [:]
        var began: [String: Instant] = [:]
        for event in life.events {
            switch event.type {
            case "learnable.student.joined", "learnable.student.started-over":
                (began[event.student], seconds[event.student]) = (event.at, 0)
            case "learnable.study.recorded":
                seconds[event.student, default: 0] += Int64(event.number("seconds"))
                let passed = event.at.milliseconds(since: began[event.student] ?? event.at) / 1000
                if seconds[event.student] ?? 0 > passed { return "more than time: \(event.text)" }
            default: break
            }
        }
        return nil
    }

    /// R41, R42: what costs something is not had for nothing, nor twice, nor of one's own; nothing is earned by it.
    static func shop(_ life: DishonestLife) -> String? {
        for event in life.events where event.type == "learnable.offer.acquired" {
            if event.data["price"]?["amount"]?.wholeNumber != 0 { return "unpaid: \(event.text)" }
            if event.number("authorAmount") != 0 { return "earned: \(event.text)" }
            if event.student == event.text("buyer") { return "own: \(event.text)" }
        }
        return nil
    }
}

@Suite struct `A dishonest learner` {
    private let search = DishonestSearch<DishonestLearner>(
        firstSeed: 5_200, lives: 12, steps: 220,
        gains: [
            ForbiddenGain("access", LearnerGains.access),
            ForbiddenGain("limits", LearnerGains.limits),
            ForbiddenGain("steps", LearnerGains.steps), ForbiddenGain("days", LearnerGains.days),
            ForbiddenGain("streaks", LearnerGains.streaks),
            ForbiddenGain("study", LearnerGains.study), ForbiddenGain("shop", LearnerGains.shop),
        ],
        actors: DishonestLearner.actors,
        fields: ["quiz.completed": "streak"],
        reach: [
            "told quiz.answer": 500, "told question.delete": 30, "told recurrence.disable": 60,
            "told recurrence.enable": 40, "told student.relocate": 25, "told student.start-over": 3,
            "told study.record": 18, "told subject.delete": 3, "told offer.acquire": 1,
            "told app.open": 80, "told quiz.skip": 12, "question.advanced": 200,
            "question.mastered": 50, "question.scheduled": 200, "quiz.completed": 150,
            "quiz.completed 2": 20, "quiz.completed 3": 10, "quiz.completed 4": 3,
            "quiz.missed": 80, "quiz.lapsed": 8, "quiz.abandoned": 10, "trial.started": 18,
            "trial.refused": 30, "trial.ended": 15, "generation.requested": 30,
        ])

    @Test func `gains no access, step, day, streak, time or copy`() throws {
        try search.expectNoGain()
    }

    @Test(arguments: [
        ("access", "trial.started"), ("steps", "quiz.answered"), ("study", "study.recorded"),
    ])
    func `is found out where something happened twice`(gain: String, type: String) throws {
        #expect(
            try search.finds(gain) { life in
                life.telling { event in
                    guard event.type == "learnable.\(type)" else { return [event] }
                    return [event]
                        + Array(repeating: event, count: type == "study.recorded" ? 999 : 1)
                }
            })
    }

    @Test(arguments: [
        ("limits", "trial.started", "endsAt", JSON.string("2026-03-20T06:00:01Z")),
        ("steps", "question.scheduled", "day", .string("2026-03-01")),
        ("days", "app.opened", "day", .string("2026-03-01")),
        ("streaks", "quiz.completed", "streak", .integer(9)),
        ("shop", "offer.acquired", "authorAmount", .integer(500)),
    ])
    func `is found out in a story told otherwise`(
        gain: String, type: String, field: String, value: JSON
    ) throws {
        #expect(
            try search.finds(gain) { life in
                life.telling { event in
                    event.type == "learnable.\(type)" ? [event.with(field, value)] : [event]
                }
            })
    }

    @Test(arguments: [
        ("limits", "subjects.freeLimit", JSON.integer(9)),
        ("access", "trial.tracking", .string("account")),
    ])
    func `is found out where a limit is lifted`(gain: String, policy: String, value: JSON) throws {
        #expect(
            try search.finds(gain) { life in
                try life.told { command in
                    guard command.command == "learnable.policy.adopt" else { return [command] }
                    let changes = (command.data["changes"]?.members ?? []).map {
                        ($0.name, $0.value)
                    }
                    .filter { $0.0 != policy }
                    return [command.with("changes", .object(of: changes + [(policy, value)]))]
                }
            })
    }
}
