import Engine
import Core
import TafawoqEvents
import TestSupport
import Testing

@Suite struct `Whatever happens in Tafawoq` {
    @Test(
        "R23: nobody starts more exams in a week than the policy allows",
        arguments: PreparedLife.seeds)
    func weeklyLimit(seed: UInt64) {
        PreparedLife.expect(seed) { life in
            var policy = AdoptedValues()
            var exams: [String: (student: String, tier: String, at: Instant, counts: Bool)] = [:]
            for event in life.events {
                policy.take(event)
                let id = event.text("exam")
                switch event.name {
                case "exam.started":
                    let student = event.text("student")
                    let tier = event.text("tier")
                    let week = event.instant("weekStart")..<event.instant("weekEnd")
                    let used = exams.values.count {
                        $0.student == student && $0.tier == tier && $0.counts
                            && week.contains($0.at)
                    }
                    if used != event.number("used") { return "used is \(used): \(event.text)" }
                    let limit = policy.number("\(tier).examsPerWeek")
                    if let limit, used >= limit { return "beyond \(limit): \(event.text)" }
                    if !week.contains(event.at) { return "another week: \(event.text)" }
                    exams[id] = (student, tier, event.at, false)
                case "exam.completed", "exam.abandoned", "exam.expired":
                    exams[id]?.counts = event.flag("counts")
                default: break
                }
            }
            return nil
        }
    }

    /// R10, told once more: until when each student is premium, and why.
    private struct Access {
        var until: Instant?
        var reason = ""
        /// The end of the last period or trial that was paid for.
        var paidUntil: Instant?
    }

    @Test(
        "R10: access is open for a reason that an event names, and open while it is paid for",
        arguments: PreparedLife.seeds)
    func access(seed: UInt64) {
        PreparedLife.expect(seed) { life in
            var policy = AdoptedValues()
            var access: [String: Access] = [:]
            for event in life.events {
                policy.take(event)
                let student = event.text("student")
                let before = access[student]
                let isOpen = before?.until.map { event.at < $0 } ?? false
                if event.name == "exam.started" || event.name == "practice.started",
                    (event.text("tier") == "premium") != isOpen
                {
                    return "\(before?.reason ?? "no reason"): \(event.text)"
                }
                let grace = Int64(policy.number("grace.seconds") ?? 0)
                var next = before ?? Access()
                switch event.name {
                case "trial.started":
                    next.paidUntil = event.time("endsAt")
                    next.until = event.time("endsAt").map { $0 + grace }
                case "subscription.activated", "subscription.renewed":
                    next.paidUntil = event.time("periodEnd")
                    next.until = event.time("periodEnd").map {
                        event.flag("cancelled") ? $0 : $0 + grace
                    }
                case "renewal.requested", "renewal.failed": next.until = event.time("accessUntil")
                case "subscription.cancelled": next.until = event.time("endsAt")
                case "subscription.downgraded":
                    if let paid = next.paidUntil, event.at < paid {
                        return "paid until \(paid): \(event.text)"
                    }
                    next.until = nil
                default: continue
                }
                if let paid = next.paidUntil, event.at < paid, (next.until ?? .epoch) < paid {
                    return "paid until \(paid), open until \(String(describing: next.until))"
                }
                next.reason = event.text
                access[student] = next
            }
            let last = life.events.last?.at ?? .epoch
            for student in PreparedLife.students {
                for hours in [0, 5, 24, 72, 200, 800] {
                    let now = last + Int64(hours) * 3600
                    let shown = try life.show("access", student, now: now)
                    if shown.isNull { continue }
                    let isOpen = access[student]?.until.map { now < $0 } ?? false
                    if (shown["tier"]?.string == "premium") != isOpen {
                        return "\(student) at \(now): \(access[student]?.reason ?? "")"
                    }
                }
            }
            return nil
        }
    }

    @Test(
        "R20: provider events told again, in any order, change no subscription",
        arguments: PreparedLife.seeds)
    func redelivery(seed: UInt64) {
        PreparedLife.expect(seed) { life in
            let end = (life.commands.compactMap(\.at).max() ?? .epoch) + 100_000
            try life.engine.run([
                TestCommand("end", "clock.advance", at: end, by: "system")
            ])
            let before = try PreparedLife.students.map { try life.show("subscription", $0) }
            let accepted = Set(try life.engine.allEvents().compactMap(\.command))
            var random = SplitMix64(seed: seed)
            var again = life.commands.filter {
                $0.command.hasSuffix("payment.report") && accepted.contains($0.id)
            }
            again += again
            again.shuffle(using: &random)
            for place in again.indices {
                again[place].id = "again-\(place)"
                again[place].at = end
            }
            for outcome in try life.engine.run(again) {
                let events = outcome.json["events"]?.array ?? []
                let isQuiet = events.allSatisfy { $0["type"]?.string == "tafawoq.access.refused" }
                if !isQuiet { return "\(outcome.json)" }
            }
            let after = try PreparedLife.students.map { try life.show("subscription", $0) }
            return before == after ? nil : "\(before)\n\(after)"
        }
    }

    @Test("R32: scores add up", arguments: PreparedLife.seeds) func scores(seed: UInt64) {
        PreparedLife.expect(seed) { life in
            for event in life.events
            where event.name == "exam.completed" || event.name == "practice.completed" {
                let answered = event.number("answered")
                if answered != event.number("correct") + event.number("incorrect") {
                    return "answered: \(event.text)"
                }
                let sum = answered + event.number("skipped") + event.number("voided")
                if sum != event.number("questions") { return "questions: \(event.text)" }
                let categories = event.data["categories"]?.array ?? []
                func total(_ field: String, _ section: String? = nil) -> Int64 {
                    categories.filter { section == nil || $0["section"]?.string == section }
                        .compactMap { $0[field]?.wholeNumber }.reduce(0, +)
                }
                if total("correct") != event.number("correct") { return "correct: \(event.text)" }
                if total("questions") != event.number("questions") - event.number("voided") {
                    return "scored: \(event.text)"
                }
                guard event.name == "exam.completed" else { continue }
                for section in ["verbal", "quantitative"] {
                    let right = total("correct", section)
                    let scored = total("questions", section)
                    let exact = Rounding.halfAway(right * 10_000, by: scored)
                    if event.hundredths(section) != exact { return "\(section): \(event.text)" }
                }
                let mean = event.hundredths("verbal") + event.hundredths("quantitative")
                if abs(event.hundredths("overall") * 2 - mean) > 2 {
                    return "overall: \(event.text)"
                }
            }
            return nil
        }
    }

    @Test(
        "R37: no key and no explanation is shown before its student may see it",
        arguments: PreparedLife.seeds)
    func secrets(seed: UInt64) {
        PreparedLife.expect(seed) { life in
            let count = Int64(life.events.count)
            for place in [count / 3, 2 * count / 3, count] where place > 0 {
                var request = ShowRequest()
                request.asOf = Moment("\(place)")
                let documents = try Documents.all(of: life.engine, request)
                for (name, text) in documents where name.hasPrefix("tafawoq.") {
                    let isReview =
                        name.hasPrefix("tafawoq.exam-review")
                        || name.hasPrefix("tafawoq.practice-review")
                    if !isReview, text.contains("secret of") || text.contains("\"answer\":") {
                        return "\(name) as of \(place): \(text)"
                    }
                    guard isReview else { continue }
                    let kind = name.hasPrefix("tafawoq.exam") ? "exam" : "practice"
                    let key = String(name.split(separator: " ")[1])
                    let result = try life.show("\(kind)-result", key, asOf: place)
                    if text.contains("\"answer\":"), result["status"]?.string != "completed" {
                        return "\(name) as of \(place): \(text)"
                    }
                    if text.contains("secret of"),
                        result["explanations"]?["available"] != .bool(true)
                    {
                        return "\(name) as of \(place): \(text)"
                    }
                }
            }
            return nil
        }
    }

    @Test("R1: a rebuild decides nothing anew", arguments: PreparedLife.seeds.prefix(3))
    func rebuild(seed: UInt64) {
        PreparedLife.expect(seed) { life in
            let before = try Documents.all(of: life.engine)
            let copy = try EventEngine.imported(life.engine.exported())
            let after = try Documents.all(of: copy.open())
            for (name, text) in before.sorted(by: { $0.key < $1.key })
            where name.hasPrefix("tafawoq.") || name.hasPrefix("timers") {
                if after[name] != text { return "\(name):\n\(text)\n\(after[name] ?? "nothing")" }
            }
            return nil
        }
    }
}
