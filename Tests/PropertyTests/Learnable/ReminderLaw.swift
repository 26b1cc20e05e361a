import Engine
import Core
import LearnableEvents
import TestSupport
import Testing

/// When the reminders are due, counted out day by day and quarter of an hour by quarter of an hour (R44).
private struct ReminderBook {
    private struct Student {
        var zone = "UTC"
        var latest = Instant.epoch
        var opened: (day: Int, at: Instant)?
        var wants = ["daily-quiz": true, "study": true, "quick-quiz": false]
        var isWeekly = true
        var raised: [String: Set<Int>] = [:]
        var studied: [Int: Int] = [:]
        var dailies: Set<Int> = []
        var optionals: Set<Int> = []
        var trialEnd: Instant?
        var paidUntil: Instant?
        var isGone = false
    }

    private var students: [String: Student] = [:]
    private var clocks = ["daily-quiz": 20 * 3600, "study": 19 * 3600, "quick-quiz": 17 * 3600]
    private var isPremium = false
    private var isTooShort = false
    private var quietDays = 7
    private var optionalQuestions = 5
    private var asksAll = false
    private var adopted = Instant.epoch

    mutating func take(_ event: PastFact) {
        if event.type == "learnable.policy.adopted" { return adopt(event) }
        if event.type == "account.erased" {
            students[event.thing]?.isGone = true
            return
        }
        guard event.type.hasPrefix("learnable."), !event.student.isEmpty else { return }
        var student = students[event.student] ?? Student()
        student.latest = max(student.latest, event.at)
        switch event.type {
        case "learnable.student.joined": student.zone = event.text("timeZone")
        case "learnable.student.relocated": student.zone = event.text("to")
        case "learnable.student.started-over":
            var fresh = Student()
            fresh.zone = student.zone
            fresh.latest = student.latest
            fresh.trialEnd = student.trialEnd
            fresh.paidUntil = student.paidUntil
            student = fresh
        case "learnable.app.opened": student.opened = (event.day("day"), event.at)
        case "learnable.reminders.configured":
            for (kind, field) in [
                ("daily-quiz", "dailyQuiz"), ("study", "study"), ("quick-quiz", "quickQuiz"),
            ] { student.wants[kind] = event.data[field] == .bool(true) }
            student.isWeekly = event.text("quickQuizFrequency") == "weekly"
        case "learnable.notification.raised":
            let name = event.text("notification")
            if name.hasSuffix("-reminder") {
                student.raised[String(name.dropLast(9)), default: []].insert(event.day("day"))
            }
        case "learnable.study.recorded":
            for share in event.data["days"]?.array ?? [] {
                let day = LocalDate(text: share["day"]?.string ?? "").map { Int($0.days) } ?? 0
                student.studied[day, default: 0] += Int(share["seconds"]?.wholeNumber ?? 0)
            }
        case "learnable.quiz.completed":
            if event.text("kind") == "daily" {
                student.dailies.insert(event.day("day"))
            } else if let zone = TimeZones.zone(named: student.zone) {
                student.optionals.insert(Int(zone.localDate(at: event.at).days))
            }
        case "learnable.trial.started": student.trialEnd = event.instant("endsAt")
        case "learnable.trial.ended": student.trialEnd = nil
        case "learnable.subscription.activated": student.paidUntil = event.instant("paidUntil")
        default: break
        }
        students[event.student] = student
    }

    private mutating func adopt(_ event: PastFact) {
        adopted = max(adopted, event.at)
        for change in event.data["changes"]?.members ?? [] {
            let text = change.value.string ?? ""
            switch change.name {
            case "reminder.dailyQuizAt": clocks["daily-quiz"] = Self.seconds(text)
            case "reminder.studyAt": clocks["study"] = Self.seconds(text)
            case "reminder.studyWhen": isTooShort = text == "too-short"
            case "reminder.quietAfterDays": quietDays = Int(change.value.wholeNumber ?? 0)
            case "quiz.optionalQuestions":
                optionalQuestions = Int(change.value.wholeNumber ?? 0)
            case "quiz.optionalWhenFewer": asksAll = text == "ask-all"
            case "access.afterTrial": isPremium = text == "premium-features"
            default: break
            }
        }
    }

    private static func seconds(_ clock: String) -> Int {
        let parts = clock.split(separator: ":").compactMap { Int($0) }
        return parts.count == 2 ? parts[0] * 3600 + parts[1] * 60 : 0
    }

    /// The first quarter of an hour of the day, or after it, at which the clock shows the time.
    private static func instant(_ day: Int, _ clock: Int, _ zone: TimeZoneRules) -> Instant {
        var moment = Instant(seconds: Int64(day - 1) * 86_400)
        while true {
            let date = Int(zone.localDate(at: moment).days)
            if date > day || date == day && Int(zone.secondOfDay(at: moment)) >= clock {
                return moment
            }
            moment += 900
        }
    }

    /// The timers that must be pending: `STUDENT KIND INSTANT`.
    func timers(earliestDue: [String: Int], poolSizes: [String: Int]) -> Set<String> {
        var found: Set<String> = []
        for (id, student) in students where !student.isGone {
            guard let zone = TimeZones.zone(named: student.zone), let opened = student.opened else {
                continue
            }
            for (kind, clock) in clocks where student.wants[kind] == true {
                for day in opened.day - 2...opened.day + quietDays + 400
                where day <= opened.day + quietDays {
                    let due = Self.instant(day, clock, zone)
                    guard due >= student.latest, due >= adopted, due > opened.at,
                        student.raised[kind]?.contains(day) != true,
                        isPremium || student.trialEnd.map({ due < $0 }) == true
                            || student.paidUntil.map({ due < $0 }) == true,
                        holds(kind, day, student, earliestDue[id], poolSizes[id] ?? 0)
                    else { continue }
                    found.insert("learnable/student/\(id) \(kind)-reminder \(due)")
                    break
                }
            }
        }
        return found
    }

    private func holds(
        _ kind: String, _ day: Int, _ student: Student, _ due: Int?, _ pool: Int
    ) -> Bool {
        switch kind {
        case "daily-quiz":
            return due.map { $0 <= day } == true && !student.dailies.contains(day)
        case "study":
            let seconds = student.studied[day] ?? 0
            return isTooShort ? seconds < 900 : seconds == 0
        default:
            let days = student.isWeekly ? day - 6...day : day...day
            return pool >= (asksAll ? 1 : optionalQuestions)
                && days.allSatisfy {
                    !student.optionals.contains($0) && student.raised[kind]?.contains($0) != true
                }
        }
    }
}

@Suite struct `The reminders of a random life` {
    @Test(
        "R44: are those that come of counting the days out",
        arguments: LearnedLife.seeds + [3010, 3011, 3012, 3013])
    func timers(seed: UInt64) {
        LearnedLife.expect(seed) { life in
            var book = ReminderBook()
            for event in life.events { book.take(event) }
            var earliest: [String: Int] = [:]
            var sizes: [String: Int] = [:]
            for student in ["S-1", "S-2"] {
                let first = try life.show("schedule", student)["days"]?.array?.first?["day"]?.string
                earliest[student] = first.flatMap { LocalDate(text: $0) }.map { Int($0.days) }
                let total = try life.show("pool", student)["total"]?.wholeNumber
                sizes[student] = total.map { Int($0) }
            }
            let shown = try JSON(parsing: life.engine.show("timers.pending").bytes)
            let pending = (shown["timers"]?.array ?? []).map {
                "\($0["stream"]?.string ?? "") \($0["timer"]?.string ?? "") \($0["due"]?.string ?? "")"
            }.filter { $0.contains("-quiz-reminder") || $0.contains("study-reminder") }
            let wanted = book.timers(earliestDue: earliest, poolSizes: sizes)
            return difference(wanted.sorted(), Set(pending).sorted())
        }
    }
}
