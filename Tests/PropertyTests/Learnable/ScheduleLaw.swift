import Core
import LearnableEvents
import TestSupport
import Testing

/// A question's life by a book-keeping of its own (R18-R22).
enum ScheduleLaw {
    private struct Question {
        var level = 1
        var count = 0
        var isMastered = false
    }

    /// R18, R19, R21, R22: each due date is the day plus an interval of the level's range then in force.
    static func dueDates(_ life: LearnedLife) -> String? {
        var policy = AdoptedLevels()
        for event in life.events {
            policy.take(event)
            guard event.isQuestion, event.data["interval"] != nil else { continue }
            let interval = event.number("interval")
            if event.day("due") != event.day("day") + interval { return "no sum: \(event.text)" }
            let level = event.number("level")
            let allowed: ClosedRange<Int>
            switch event.type {
            case "learnable.question.pooled", "learnable.question.advanced":
                allowed = policy.range(level)
            case "learnable.question.mastered", "learnable.recurrence.enabled":
                allowed = policy["mastered.everyDays"]...policy["mastered.everyDays"]
            default:
                if event.data["mastered"] == .bool(true) {
                    allowed = policy["mastered.everyDays"]...policy["mastered.everyDays"]
                } else if event.data["correct"] == .bool(true) {
                    allowed = policy.range(level)
                } else {
                    switch policy.words["wrongAnswer.due"] {
                    case "tomorrow": allowed = 1...1
                    case "range": allowed = policy.range(level)
                    default:
                        allowed = policy.range(level).lowerBound...policy.range(level).lowerBound
                    }
                }
            }
            if !allowed.contains(interval) { return "not in \(allowed): \(event.text)" }
        }
        return nil
    }

    /// R21: levels only ever rise, by one, when the level's count is full; mastered stays mastered.
    static func levels(_ life: LearnedLife) -> String? {
        var policy = AdoptedLevels()
        var questions: [String: Question] = [:]
        for event in life.events {
            policy.take(event)
            guard event.isQuestion else { continue }
            var question = questions[event.thing] ?? Question()
            let full = policy["levels.\(question.level).correctToAdvance"]
            switch event.type {
            case "learnable.question.advanced":
                if question.isMastered || event.number("level") != question.level + 1
                    || question.count + 1 < full || event.number("correctAtLevel") != 0
                {
                    return "rose against the rule: \(event.text)"
                }
                question = Question(level: question.level + 1)
            case "learnable.question.mastered":
                if question.isMastered || question.level != 4 || question.count + 1 < full {
                    return "mastered against the rule: \(event.text)"
                }
                question.isMastered = true
                question.count = event.number("correctAtLevel")
            case "learnable.question.scheduled":
                let isRight = event.data["correct"] == .bool(true)
                var count = question.count
                if !question.isMastered, isRight {
                    count += 1
                    if count >= full { return "should have risen: \(event.text)" }
                } else if !question.isMastered {
                    switch policy.words["wrongAnswer.count"] {
                    case "reset": count = 0
                    case "minus-one": count = max(0, count - 1)
                    default: break
                    }
                }
                if event.number("level") != question.level
                    || event.number("correctAtLevel") != count
                    || event.data["mastered"] != .bool(question.isMastered)
                {
                    return "not as it stood (\(question)): \(event.text)"
                }
                question.count = count
            default: break
            }
            questions[event.thing] = question
        }
        return nil
    }

    /// R30: what an optional quiz records changes no question's schedule.
    static func optionalQuiz(_ life: LearnedLife) -> String? {
        let optional = Set(
            life.events.filter {
                $0.type == "learnable.quiz.begun" && $0.text("kind") == "optional"
            }.map(\.thing))
        for event in life.events where event.isQuestion && optional.contains(event.text("quiz")) {
            return "an optional quiz scheduled: \(event.text)"
        }
        return nil
    }

    /// R20, R28: the read models of due dates are the fold of the events, whatever was adopted since (R47).
    static func views(_ life: LearnedLife) throws -> String? {
        var due: [String: [String: Int]] = [:]
        var order: [String: Int] = [:]
        var owners: [String: String] = [:]
        var disabled: Set<String> = []
        var subjects: [String: String] = [:]
        for event in life.events {
            switch event.type {
            case "learnable.student.started-over": due[event.student] = [:]
            case "learnable.subject.deleted":
                for (question, subject) in subjects where subject == event.thing {
                    due[event.student]?[question] = nil
                }
            case "learnable.question.deleted": due[event.student]?[event.thing] = nil
            case "learnable.recurrence.disabled":
                disabled.insert(event.thing)
                due[event.student]?[event.thing] = nil
            default:
                guard event.isQuestion else { continue }
                if event.type == "learnable.question.pooled" {
                    order[event.thing] = order.count
                    owners[event.thing] = event.student
                    subjects[event.thing] = event.text("subject")
                }
                if event.type == "learnable.recurrence.enabled" { disabled.remove(event.thing) }
                if !disabled.contains(event.thing) {
                    due[event.student, default: [:]][event.thing] = event.day("due")
                }
            }
        }
        for student in ["S-1", "S-2"] {
            let shown = try life.show("schedule", student)
            if shown.isNull { continue }
            var wanted: [String] = []
            let all = (due[student] ?? [:]).sorted { left, right in
                left.value != right.value
                    ? left.value < right.value
                    : (order[left.key] ?? 0) < (order[right.key] ?? 0)
            }
            for (question, day) in all { wanted.append("\(day) \(question)") }
            let found = (shown["days"]?.array ?? []).flatMap { entry in
                let day = LocalDate(text: entry["day"]?.string ?? "").map { Int($0.days) } ?? .min
                return (entry["questions"]?.array ?? []).map { "\(day) \($0.string ?? "")" }
            }
            if let difference = difference(wanted, found) { return "\(student): \(difference)" }
        }
        return nil
    }

    /// R45, R46: erased or restarted people leave no question due.
    static func leavers(_ life: LearnedLife) throws -> String? {
        var gone: [String: String] = [:]
        var left: Set<String> = []
        for event in life.events {
            if event.type == "learnable.question.pooled" { gone[event.thing] = event.student }
            let student =
                event.type == "learnable.student.started-over"
                ? event.student
                : event.type == "account.erased" ? event.thing : nil
            guard let student else { continue }
            for (question, owner) in gone where owner == student {
                left.insert(question)
                gone[question] = nil
            }
            if event.type == "account.erased" {
                for model in ["schedule", "daily-quiz", "pool", "export", "home"] {
                    if try !life.show(model, student).isNull { return "\(model) of \(student)" }
                }
            }
        }
        for question in left where try !life.show("question", question).isNull {
            return "\(question) is still told of"
        }
        for student in ["S-1", "S-2"] {
            let shown = try life.show("schedule", student)
            let due = (shown["days"]?.array ?? []).flatMap { $0["questions"]?.array ?? [] }
            for question in due.compactMap(\.string) where left.contains(question) {
                return "\(question) of a life left behind is due"
            }
        }
        return nil
    }
}

@Suite struct `The schedule of a random life` {
    @Test(
        "R18, R19, R22: has every due date within its level's range", arguments: LearnedLife.seeds)
    func dueDates(seed: UInt64) { LearnedLife.expect(seed) { ScheduleLaw.dueDates($0) } }

    @Test("R21: lets levels rise only by the rule", arguments: LearnedLife.seeds)
    func levels(seed: UInt64) { LearnedLife.expect(seed) { ScheduleLaw.levels($0) } }

    @Test("R30: is left alone by optional quizzes", arguments: LearnedLife.seeds)
    func optional(seed: UInt64) { LearnedLife.expect(seed) { ScheduleLaw.optionalQuiz($0) } }

    @Test("R20, R28, R47: is what the read models list, in order", arguments: LearnedLife.seeds)
    func views(seed: UInt64) { LearnedLife.expect(seed) { try ScheduleLaw.views($0) } }

    @Test("R45, R46: holds nothing of people who left", arguments: LearnedLife.seeds)
    func leavers(seed: UInt64) { LearnedLife.expect(seed) { try ScheduleLaw.leavers($0) } }

    @Test func `that breaks a law is found out`() throws {
        let wanted = Set(
            ["question.pooled", "question.scheduled", "question.advanced", "quiz.completed"].map {
                "learnable.\($0)"
            })
        // Few lives get so far that a question rises by a level.
        var found: LearnedLife?
        for seed in UInt64(0)..<100 where found == nil {
            let life = try LearnedLife(LearnableHistory.commands(seed: seed, count: 700))
            if wanted.isSubset(of: life.events.map(\.type)) { found = life }
        }
        let life = try #require(found)
        let late = life.telling { event in
            event.type != "learnable.question.scheduled"
                ? [event] : [event.with("due", .string("2199-01-01"))]
        }
        #expect(ScheduleLaw.dueDates(late) != nil)
        let risen = life.telling { event in
            event.type != "learnable.question.scheduled"
                ? [event] : [event.with("level", .integer(4))]
        }
        #expect(ScheduleLaw.levels(risen) != nil)
    }
}

extension PastFact {
    func with(_ field: String, _ value: JSON) -> PastFact {
        let data = (self.data.members ?? []).filter { $0.name != field }.map { ($0.name, $0.value) }
        let others = (json.members ?? []).filter { $0.name != "data" }.map { ($0.name, $0.value) }
        return PastFact(
            .object(of: others + [("data", .object(of: data + [(field, value)]))]))
    }
}
