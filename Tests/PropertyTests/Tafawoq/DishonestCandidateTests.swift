import Core
import Engine
import TestSupport
import Testing

/// What the life of a dishonest student of Tafawoq must not show.
private enum CandidateGains {
    private static func sitting(_ event: PastFact) -> String {
        if event.name == "question.voided" { return event.text("id") }
        return event.text("exam") + event.text("practice")
    }

    /// R27, R30, R32: right is what was answered rightly last, in time; left out is little, and nothing answered.
    static func score(_ life: DishonestLife) -> String? {
        var choices: [String: [String: (at: Instant, choice: Int64?)]] = [:]
        var chosen: [String: Set<String>] = [:]
        var voided: [String: Set<String>] = [:]
        var deadlines: [String: Instant] = [:]
        for event in life.events {
            let id = sitting(event)
            switch event.name {
            case "exam.delivered", "exam.resumed": deadlines[id] = event.instant("deadline")
            case "question.voided":
                let question = event.text("question")
                if chosen[id]?.contains(question) ?? false {
                    return "answered, left out: \(event.text)"
                }
                voided[id, default: []].insert(question)
            case "exam.answered", "practice.answered":
                for answer in event.data["answers"]?.array ?? [] {
                    let at = Instant(answer["answeredAt"]?.string ?? "")
                    let question = answer["question"]?.string ?? ""
                    if let deadline = deadlines[id], at > deadline { return "late: \(event.text)" }
                    let choice = answer["choice"]?.wholeNumber
                    if choice != nil { chosen[id, default: []].insert(question) }
                    if let last = choices[id]?[question], last.at > at { continue }
                    choices[id, default: [:]][question] = (at, choice)
                }
            case "exam.completed", "practice.completed":
                let out = voided[id] ?? []
                let right = (choices[id] ?? [:]).filter { question, last in
                    let n = Int64(question.dropFirst()) ?? -1
                    return last.choice == n % 4 && !out.contains(question)
                }
                if event.number("correct") != right.count { return "\(right.count): \(event.text)" }
                if event.number("voided") > 1 { return "left out: \(event.text)" }
                if event.name == "exam.completed", event.number("questions") != 8 {
                    return event.text
                }
            default: break
            }
        }
        return nil
    }

    /// R23: one exam that counts in seven days, or in a week, for an account without premium.
    static func exams(_ life: DishonestLife) -> String? {
        var started: [String: PastFact] = [:]
        var counting: [String: Set<String>] = [:]
        let isRolling = life.events.contains { $0.text.contains(#""rolling-7-days""#) }
        for event in life.events {
            let id = event.text("exam")
            if event.name == "exam.started" { started[id] = event }
            guard event.flag("counts"), started[id]?.text("tier") == "free" else { continue }
            counting[event.text("student"), default: []].insert(id)
        }
        for (_, exams) in counting {
            let facts = exams.compactMap { started[$0] }.sorted { $0.position < $1.position }
            for (one, next) in zip(facts, facts.dropFirst()) {
                let isNear =
                    isRolling
                    ? next.at.milliseconds(since: one.at) < 7 * 86_400_000
                    : one.text("weekStart") == next.text("weekStart")
                if isNear { return "\(one.text) \(next.text)" }
            }
        }
        return nil
    }

    /// R28, R40: no longer than went by, an exam than it lasts, a practice than answers show.
    static func time(_ life: DishonestLife) -> String? {
        var delivered: [String: Instant] = [:]
        var told: [String: Int] = [:]
        for event in life.events {
            let id = sitting(event)
            switch event.name {
            case "exam.delivered", "practice.delivered": delivered[id] = event.at
            case "practice.answered", "exam.answered":
                told[id, default: 0] += event.data["answers"]?.array?.count ?? 0
            case "exam.completed", "practice.completed":
                let passed = event.at.milliseconds(since: delivered[id] ?? event.at) / 1_000
                let isExam = event.name == "exam.completed"
                let most = isExam ? 3_600 : 600 * (told[id, default: 0] + 1)
                if event.number("seconds") > min(Int(passed), most) { return event.text }
            default: break
            }
        }
        return nil
    }

    /// Until when each account is premium, by the events (R10), and what was paid for it.
    private struct Premium {
        var until = Instant.epoch
        var since = Instant.epoch
        var milliseconds: Int64 = 0
        var paid: Int64 = 0
        var trials: Int64 = 0

        private static let grace: Int64 = 259_200

        mutating func take(_ event: PastFact) {
            switch event.name {
            case "trial.started": until = event.instant("endsAt") + Self.grace
            case "subscription.activated", "subscription.renewed":
                until = event.instant("periodEnd") + (event.flag("cancelled") ? 0 : Self.grace)
            case "renewal.requested", "renewal.failed": until = event.instant("accessUntil")
            case "subscription.cancelled": until = event.instant("endsAt")
            case "subscription.downgraded": until = .epoch
            default: break
            }
        }

        mutating func pass(to now: Instant) {
            milliseconds += max(0, min(until, now).milliseconds(since: since))
            since = now
        }
    }

    /// R10-R20: one trial an account; of other premium a month for each payment, which counts once. After each of
    /// them grace until the provider tells of a failure, and again from there.
    static func premium(_ life: DishonestLife) -> String? {
        let grace: Int64 = 259_200
        var accounts: [String: Premium] = [:]
        var payments: Set<String> = []
        for event in life.events where event.stream.hasPrefix("tafawoq/subscription/") {
            let student = event.text("student")
            var premium = accounts[student] ?? Premium()
            premium.pass(to: event.at)
            switch event.name {
            case "trial.started", "subscription.activated", "subscription.renewed":
                let payment = event.text("providerEvent")
                let isTold = life.commands.contains { command in
                    command.data["providerEvent"]?.string == payment
                        && command.data["kind"]?.string?.hasSuffix("-paid") == true
                        && command.by.hasPrefix("service:")
                        && command.data["student"]?.string == student
                }
                if !isTold { return "not paid: \(event.text)" }
                if !payments.insert(payment).inserted { return "paid once: \(event.text)" }
                if event.name == "trial.started" {
                    premium.trials += 1
                } else {
                    premium.paid += 1
                }
            default: break
            }
            premium.take(event)
            let most =
                premium.trials * 7 * 86_400 + premium.paid * 31 * 86_400
                + (premium.trials + premium.paid) * 2 * grace
            if premium.trials > 1 || premium.milliseconds > most * 1_000 {
                return "\(premium.milliseconds / 1_000) of \(most): \(event.text)"
            }
            accounts[student] = premium
        }
        return nil
    }

    /// R10, R38, R44: what is for premium alone, and the limits of those without it.
    static func limits(_ life: DishonestLife) -> String? {
        var accounts: [String: Premium] = [:]
        for event in life.events {
            let student = event.text("student")
            let isPremium = event.at < accounts[student]?.until ?? .epoch
            switch event.name {
            case "practice.started" where !isPremium:
                let categories = event.data["categories"]?.array?.count ?? 0
                if event.number("questions") > 2 || categories > 1 { return event.text }
            case "exam.started", "practice.started":
                if (event.text("tier") == "premium") != isPremium { return "tier: \(event.text)" }
            case "report.exported", "study.scheduled":
                if !isPremium { return event.text }
            default: accounts[student, default: Premium()].take(event)
            }
        }
        return nil
    }

    /// R8, R31: nothing goes on by who signed out, and an exam on two devices is flagged.
    static func devices(_ life: DishonestLife) -> String? {
        var open: [String: [String: Instant]] = [:]
        var began: [String: String] = [:]
        var flagged: Set<String> = []
        let by = Dictionary(life.commands.map { ($0.id, $0) }) { first, _ in first }
        for event in life.events where event.name == "exam.flagged" {
            if event.text("pattern") == "device-change" { flagged.insert(event.text("exam")) }
        }
        for event in life.events {
            let student = event.text("student")
            switch event.name {
            case "session.opened":
                open[student, default: [:]][event.text("session")] = event.instant("expiresAt")
            case "session.ended": open[student]?[event.text("session")] = nil
            case "exam.started": began[event.text("exam")] = event.text("device")
            case "exam.answered":
                let device = event.text("device")
                let first = began[event.text("exam")] ?? device
                if device != first, !device.isEmpty, !flagged.contains(event.text("exam")) {
                    return "unflagged: \(event.text)"
                }
            default: break
            }
            guard let command = by[event.command ?? ""], command.by == "student:\(student)",
                command.at == event.at, !event.name.hasPrefix("session."),
                let sessions = open[student]
            else { continue }
            if event.name != "access.refused", !sessions.values.contains(where: { $0 >= event.at })
            {
                return "signed out: \(event.text)"
            }
        }
        return nil
    }

    /// What others do, by the student's own name.
    static func presumption(_ life: DishonestLife) -> String? {
        let told = Set(life.commands.filter { DishonestCandidate.actors.contains($0.by) }.map(\.id))
        let others = ["delivered", "reported", "adopted", "renewed", "activated", "trial.started"]
        for event in life.events where told.contains(event.command ?? "") {
            if others.contains(where: { event.name.hasSuffix($0) }) { return event.text }
        }
        return nil
    }
}

@Suite struct `A dishonest student of Tafawoq` {
    private let search = DishonestSearch<DishonestCandidate>(
        firstSeed: 4_000, lives: 12, steps: 110,
        gains: [
            ForbiddenGain("score", CandidateGains.score),
            ForbiddenGain("exams", CandidateGains.exams),
            ForbiddenGain("time", CandidateGains.time),
            ForbiddenGain("premium", CandidateGains.premium),
            ForbiddenGain("limits", CandidateGains.limits),
            ForbiddenGain("devices", CandidateGains.devices),
            ForbiddenGain("presumption", CandidateGains.presumption),
        ],
        actors: DishonestCandidate.actors,
        fields: [
            "exam.completed": "late", "exam.flagged": "pattern", "exam.abandoned": "reason",
            "exam.started": "tier", "access.refused": "code",
        ],
        reach: [
            "told exam.start": 130, "told exam.answer": 400, "told exam.submit": 60,
            "told exam.leave": 40, "told exam.abandon": 10, "told exam.resume": 12,
            "told practice.start": 40, "told practice.submit": 15, "told question.void": 12,
            "told checkout.begin": 30, "told subscription.cancel": 3, "exam.completed": 60,
            "exam.completed true": 8, "exam.expired": 35, "exam.suspended": 20,
            "exam.abandoned not-resumed": 6, "exam.flagged device-change": 80,
            "access.refused weekly-exam-limit": 50, "access.refused session-required": 50,
            "access.refused forbidden": 30, "payment.ignored": 15, "renewal.failed": 3,
            "subscription.activated": 12, "subscription.renewed": 2,
            "subscription.downgraded": 15, "session.opened": 300,
        ])

    @Test func `gains no score, exam, time, premium, session or right`() throws {
        try search.expectNoGain()
    }

    @Test(arguments: [
        ("exams", "free.examsPerWeek", JSON.integer(5)),
        ("time", "practice.idleSeconds", .integer(1_000_000)),
        ("premium", "grace.seconds", .integer(1_209_600)),
        ("limits", "free.practiceQuestions", .integer(6)),
        ("devices", "session.required", .bool(false)),
    ])
    func `is found out where a limit is lifted`(gain: String, policy: String, value: JSON) throws {
        #expect(
            try search.finds(gain) { life in
                try life.told { command in
                    guard command.command == "tafawoq.policy.adopt", command.by == "admin:A-1"
                    else { return [command] }
                    let changes = (command.data["changes"]?.members ?? []).map {
                        ($0.name, $0.value)
                    }
                    .filter { $0.0 != policy }
                    return [command.with("changes", .object(of: changes + [(policy, value)]))]
                }
            })
    }

    @Test func `is found out in a story told otherwise`() throws {
        func isFound(_ gain: String, _ change: @escaping (PastFact) -> [PastFact]) throws -> Bool {
            try search.finds(gain) { $0.telling(change) }
        }
        #expect(
            try isFound("score") {
                $0.name == "exam.completed"
                    ? [$0.with("correct", .integer(Int64($0.number("correct") + 1)))] : [$0]
            })
        // A question that was answered is left out after all.
        #expect(
            try isFound("score") { event in
                guard event.name == "exam.answered",
                    let first = event.data["answers"]?.array?.first, first["choice"] != .null
                else { return [event] }
                let left = event.typed("tafawoq.question.voided")
                return [
                    event,
                    left.with("id", .string(event.text("exam"))).with(
                        "question", first["question"] ?? .null),
                ]
            })
        #expect(
            try isFound("premium") {
                $0.name == "subscription.activated" || $0.name == "trial.started" ? [$0, $0] : [$0]
            })
        #expect(try isFound("devices") { $0.name == "exam.flagged" ? [] : [$0] })
        #expect(
            try isFound("presumption") {
                $0.name == "exam.answered" ? [$0.typed("tafawoq.exam.delivered")] : [$0]
            })
    }
}
