import Engine
import Core
import QuranFlowEvents
import TestSupport
import Testing

/// A law over the random history of a programme; a counterexample is made small first.
private func expectLaw(
    seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (EventEngine, [TestCommand]) throws -> String?
) {
    let history = QuranFlowHistory.commands(seed: seed)
    let failure = Law.failure(seed: seed, history) { commands in
        let journal = try TemporaryJournal.after(commands)
        defer { withExtendedLifetime(journal) {} }
        return try body(journal.open(), commands)
    }
    if let failure { Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation) }
}

extension JSON {
    fileprivate func value(at path: String) -> JSON {
        path.split(separator: ".").reduce(self) { $0[String($1)] ?? .null }
    }
}

extension EventEngine {
    fileprivate func ask(
        _ model: String, _ key: String?, now: Instant? = nil, _ arguments: [String: String] = [:]
    ) throws -> JSON {
        var request = ShowRequest()
        request.now = now
        request.arguments = arguments
        return try JSON(parsing: show("quranflow.\(model)", key: key, request).bytes)
    }
}

@Suite struct `In any life of a programme` {
    /// The states of the page's table (R31).
    private static let states: Set = [
        "assessment-due", "placement-pending", "onboarding", "appointment-next",
        "book-appointment", "results-passed", "next-level", "advanced-invitation", "repeat-level",
        "get-ready", "results-failed", "eoc-retake", "eoc-available", "feedback-ready",
        "eoc-under-review", "eoc-locked", "catch-up-lesson", "catch-up-submission",
        "lesson-awaited", "lesson-not-started", "lesson-in-progress", "submission-limit",
        "ready-to-submit", "awaiting-feedback", "caught-up",
    ]

    /// Instants of a history: some of its events', and some after its end.
    private static func moments(_ events: [PastFact], seed: UInt64) -> [Instant] {
        guard let last = events.last?.at else { return [] }
        var random = SplitMix64(seed: seed)
        let some = (0..<12).map { _ in events[Int(random.next() % UInt64(events.count))].at }
        let after = (0..<6).map { _ in last + Int64(random.next() % 6_000_000) }
        return some + after
    }

    @Test("R31: the primary action is exactly one at any instant", arguments: UInt64(3000)..<3010)
    func onePrimaryAction(seed: UInt64) {
        expectLaw(seed: seed) { engine, _ in
            for now in Self.moments(try engine.allEvents(), seed: seed) {
                for student in try engine.keys(of: "quranflow.today") {
                    let primary = try engine.ask("today", student, now: now).value(at: "primary")
                    let state = primary["state"]?.string ?? "none"
                    guard Self.states.contains(state), primary["title"]?.string?.isEmpty == false
                    else { return "\(student) at \(now): \(primary)" }
                    if (primary["button"]?.isNull == true) != (primary["link"]?.isNull == true) {
                        return "\(student) at \(now): a button without a place: \(primary)"
                    }
                }
            }
            return nil
        }
    }

    @Test(
        "R17: submissions never exceed the period's limit, whatever the order and zone",
        arguments: UInt64(3020)..<3032)
    func limit(seed: UInt64) {
        expectLaw(seed: seed) { engine, _ in
            let facts = try engine.allEvents().filter { $0.type == "quranflow.recording.submitted" }
            let policy = try engine.ask("policy", nil)
            let zones = Self.zones(try engine.allEvents())
            let isRolling = policy.value(at: "submissionPeriod.value").string == "rolling"
            for fact in facts {
                let student = fact.text("student")
                let own = facts.filter {
                    $0.text("student") == student && $0.position <= fact.position
                }
                let start = fact.instant("periodStartsAt")
                // A programme week ends at a midnight of the enrolment's own zone.
                let zone = zones[fact.text("enrollment")] ?? .utc
                let end = zone.instant(of: zone.localDate(at: start).adding(days: 7))
                let inPeriod = own.filter {
                    isRolling ? $0.at > start : $0.at >= start && $0.at < end
                }
                if inPeriod.count > fact.number("limit") {
                    return "\(inPeriod.count) of \(fact.number("limit")) since \(start)"
                }
                if inPeriod.count != fact.number("usedInPeriod") {
                    return "counted \(fact.number("usedInPeriod")), there are \(inPeriod.count)"
                }
                let length = fact.at.milliseconds(since: start)
                if length < 0 || length > 7 * 86_400_000 + 3_600_000 {
                    return "period \(fact.text)"
                }
            }
            return nil
        }
    }

    /// The zone in which the weeks of each enrolment begin.
    private static func zones(_ facts: [PastFact]) -> [String: TimeZoneRules] {
        var zones: [String: TimeZoneRules] = [:]
        for fact in facts where fact.type == "quranflow.enrollment.opened" {
            let enrollment = String(fact.stream.split(separator: "/").last ?? "")
            zones[enrollment] = TimeZones.zone(named: fact.text("weekZone"))
        }
        return zones
    }

    @Test(
        "R19, R32: who is shown as behind has a way to catch up", arguments: UInt64(3040)..<3050)
    func catchUp(seed: UInt64) {
        expectLaw(seed: seed) { engine, _ in
            for now in Self.moments(try engine.allEvents(), seed: seed) {
                for student in try engine.keys(of: "quranflow.today") {
                    let today = try engine.ask("today", student, now: now)
                    guard let banner = today["banner"], !banner.isNull else { continue }
                    let enrollment = today["enrollment"]?.string ?? ""
                    let week = banner.value(at: "link.week").description
                    let check = try engine.ask(
                        "submission-check", enrollment, now: now, ["week": week])
                    let shown = try engine.ask("week", enrollment, now: now, ["week": week])
                    if shown["status"]?.string != "incomplete" { return "week \(week): \(shown)" }
                    let code = check["code"]?.string
                    let isOpen = code == nil || check["nextAttemptAt"]?.isNull == false
                    // What may stand in the way is said, and is not the student's to change.
                    let excused: Set = [
                        "lesson-not-published", "font-not-chosen", "semester-closed",
                    ]
                    if !isOpen, !excused.contains(code ?? "") {
                        return "\(student) at \(now): \(check)"
                    }
                }
            }
            return nil
        }
    }

    @Test(
        "V1, V2: every notification names what, which and when, and its link leads somewhere",
        arguments: UInt64(3060)..<3070)
    func notifications(seed: UInt64) {
        expectLaw(seed: seed) { engine, _ in
            for recipient in try engine.keys(of: "quranflow.notifications") {
                let inbox = try engine.ask("notifications", recipient)
                for item in inbox["items"]?.array ?? [] {
                    guard item["kind"]?.string != nil, item["happenedAt"]?["at"]?.string != nil,
                        item["about"]?.members?.isEmpty == false,
                        item["title"]?.string?.isEmpty == false
                    else { return "\(recipient): \(item)" }
                    if try !Self.leadsSomewhere(item, recipient, engine) {
                        return "\(recipient): nowhere: \(item)"
                    }
                }
            }
            return nil
        }
    }

    /// Whether the read model and key behind a deep link exist.
    private static func leadsSomewhere(
        _ item: JSON, _ recipient: String, _ engine: EventEngine
    ) throws -> Bool {
        guard let link = item["link"], !link.isNull else {
            return item["kind"]?.string == "announcement"
        }
        let student = String(recipient.dropFirst("student:".count))
        let about = item["about"] ?? .null
        let enrollment = about["enrollment"]?.string ?? ""
        switch (link["tab"]?.string, link["screen"]?.string) {
        case ("learn", nil):
            if link["segment"]?.string == "eoc" { return try !engine.ask("eoc", enrollment).isNull }
            let week = link["week"]?.description ?? ""
            return try !engine.ask("week", enrollment, ["week": week]).isNull
        case ("schedule", nil):
            if let session = link["session"]?.string {
                return try !engine.ask("session", session, ["student": student]).isNull
            }
            guard let appointment = link["appointment"]?.string else { return false }
            let events = try engine.allEvents()
            return events.contains { $0.stream == "quranflow/appointment/\(appointment)" }
        case ("profile", nil): return try !engine.ask("profile", student).isNull
        case (nil, "onboarding"): return try !engine.ask("onboarding", student).isNull
        case (nil, "enroll"), (nil, "advanced"): return try !engine.ask("today", student).isNull
        case (nil, "eoc"): return try !engine.ask("eoc", enrollment).isNull
        case (nil, "recording"):
            return try !engine.ask("week", enrollment, ["week": about["week"]?.description ?? "1"])
                .isNull
        case (nil, "messages"):
            let help = try engine.ask("help-requests", nil, ["page": "all"])
            return help["items"]?.array?.contains { $0["id"] == link["message"] } == true
        default: return false
        }
    }

    /// The laws are worth what happens in these lives.
    @Test func `nearly everything happens that can`() throws {
        var met: Set<String> = []
        for seed in UInt64(3000)..<3024 {
            let journal = try TemporaryJournal.after(QuranFlowHistory.commands(seed: seed))
            met.formUnion(try journal.open().allEvents().map(\.type))
        }
        let never = Set(QuranFlow.payloads.map(\.name)).subtracting(met).subtracting(Self.untold)
        #expect(never == [])
    }

    /// Events that no law above is about.
    private static let untold: Set = [
        "quranflow.orientation.published", "quranflow.resource.published",
        "quranflow.resource.withdrawn", "quranflow.coach.introduced", "quranflow.coach.retired",
        "quranflow.student.details-amended", "quranflow.student.gender-corrected",
        "quranflow.help.replied", "quranflow.coach.unassigned", "quranflow.subscription.reported",
        "quranflow.payment.recorded", "quranflow.onboarding.step-skipped",
        "quranflow.display.chosen", "quranflow.notifications.permission-answered",
        "quranflow.elective.offered", "quranflow.elective.chosen", "quranflow.elective.dropped",
        "quranflow.slot.withdrawn", "quranflow.appointment.cancelled",
        "quranflow.appointment.held", "quranflow.appointment.missed",
        "quranflow.session.cancelled", "quranflow.session.recording-published",
        "quranflow.support.requested", "quranflow.placement.fell-due",
    ]

    // MARK: The engine's own laws

    @Test(arguments: UInt64(3080)..<3090)
    func `what is stored is what is rebuilt, and what an import makes`(seed: UInt64) {
        expectLaw(seed: seed) { engine, _ in
            let report = try engine.rebuild(isCheck: true)
            if !report.differences.isEmpty { return "stored otherwise: \(report.differences)" }
            let copy = try EventEngine.imported(engine.exported())
            let other = try copy.open()
            defer { withExtendedLifetime(copy) {} }
            return try Documents.difference(Self.documents(engine), Self.documents(other))
        }
    }

    private static func documents(
        _ engine: EventEngine, _ request: ShowRequest = ShowRequest()
    ) throws -> [String: String] {
        try Documents.all(of: engine, request).filter {
            $0.key.hasPrefix("quranflow.") || $0.key.hasPrefix("timers.")
        }
    }

    @Test(arguments: UInt64(3100)..<3108)
    func `an engine opened anew for every command goes on as if it had never been closed`(
        seed: UInt64
    ) {
        expectLaw(seed: seed) { engine, commands in
            let journal = try TemporaryJournal()
            for command in commands { try journal.run([command]) }
            let other = try journal.open()
            defer { withExtendedLifetime(journal) {} }
            let texts = try [engine, other].map { try $0.allEvents().map(\.text) }
            return difference(texts[0], texts[1])
        }
    }

    @Test(arguments: UInt64(3120)..<3128)
    func `the clock advanced in any steps gives the same events`(seed: UInt64) {
        let end = TestCommand(
            "the-end", "clock.advance", at: Instant("2027-01-01T00:00:00Z"), by: "system")
        expectLaw(seed: seed) { _, commands in
            let plain = try TemporaryJournal.after(commands + [end])
            var stepped: [TestCommand] = []
            for (place, command) in commands.enumerated() {
                if place % 3 == 0, let at = command.at,
                    commands[..<place].allSatisfy({ ($0.at ?? at) <= at })
                {
                    stepped.append(
                        TestCommand("step-\(place)", "clock.advance", at: at - 1, by: "system"))
                }
                stepped.append(command)
            }
            let other = try TemporaryJournal.after(stepped + [end])
            let texts = try [plain, other].map { journal in
                try journal.open().allEvents().map { "\($0.type) \($0.stream) \($0.at) \($0.data)" }
            }
            return difference(texts[0], texts[1])
        }
    }

    @Test(arguments: UInt64(3140)..<3146)
    func `as of a position equals a journal cut there`(seed: UInt64) {
        expectLaw(seed: seed) { engine, _ in
            let export = try engine.exported()
            let events = try engine.allEvents()
            var random = SplitMix64(seed: seed ^ 0xC07)
            for _ in 0..<2 where !events.isEmpty {
                let cut = 1 + Int(random.next() % UInt64(events.count))
                let part = try EventEngine.imported(exported(export, upTo: cut))
                defer { withExtendedLifetime(part) {} }
                var request = ShowRequest()
                request.asOf = Moment("\(cut)")
                // A key that came later has no document yet; one erased later is not listed any more.
                let past = try Self.documents(engine, request).filter { $0.value != "null" }
                let isErased = events.contains { $0.type == "account.erased" }
                let present = try Self.documents(part.open()).filter {
                    !isErased || past[$0.key] != nil
                }
                if let found = Documents.difference(past, present) {
                    return "cut at \(cut) of \(events.count): \(found)"
                }
            }
            return nil
        }
    }
}
