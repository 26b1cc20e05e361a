import Core
import ExamRoomEvents
import TestSupport
import Testing

/// Who may start, and until when an attempt takes answers (R15, R17), recounted from the events.
struct AttemptLaw {
    private struct Exam {
        var limit: Int64?
        var opensAt: Instant?
        var closesAt: Instant?
        var isPublished = false
        var isDeleted = false

        mutating func set(_ detail: String, _ value: JSON) {
            switch detail {
            case "maxAttempts": limit = value.wholeNumber
            case "window":
                opensAt = value["opensAt"]?.string.map { Instant($0) }
                closesAt = value["closesAt"]?.string.map { Instant($0) }
            default: break
            }
        }
    }

    private var exams: [String: Exam] = [:]
    private var blocked: Set<String> = []
    private var book = AttemptBook()

    /// The first event that breaks a rule, and how.
    static func broken(by events: [PastFact]) -> String? {
        var law = AttemptLaw()
        for event in events {
            if let problem = law.problem(of: event) { return "\(problem): \(event.text)" }
            law.book.take(event)
            law.take(event)
        }
        return nil
    }

    // MARK: What exams and seats allow

    private mutating func take(_ event: PastFact) {
        let exam = event.text("exam")
        let seat = exam + "/" + event.text("student")
        switch event.type {
        case "examroom.exam.created", "examroom.exam.duplicated", "examroom.exam.imported":
            exams[exam] = Exam()
            for detail in event.data["details"]?.members ?? [] {
                exams[exam]?.set(detail.name, detail.value)
            }
        case "examroom.exam.revised":
            for change in event.data["changes"]?.members ?? [] where !event.lost(change.name) {
                exams[exam]?.set(change.name, change.value["to"] ?? .null)
            }
        case "examroom.exam.published", "examroom.exam.withdrawn":
            guard !event.lost("publication") else { return }
            exams[exam]?.isPublished = event.type == "examroom.exam.published"
        case "examroom.exam.deleted": exams[exam]?.isDeleted = true
        case "examroom.exam.restored": exams[exam]?.isDeleted = false
        case "examroom.student.blocked", "examroom.student.unblocked":
            guard !event.lost("block") else { return }
            if event.type == "examroom.student.blocked" {
                blocked.insert(seat)
            } else {
                blocked.remove(seat)
            }
        default: break
        }
    }

    // MARK: What may not happen

    private func problem(of event: PastFact) -> String? {
        let attempt = event.text("attempt")
        switch event.type {
        case "examroom.attempt.started":
            if book.sittings[attempt] != nil { return "an attempt started twice" }
            return event.isMerged ? nil : liveStart(event)
        case "examroom.answer.saved", "examroom.time.logged":
            guard let sitting = book.sittings[attempt] else { return "an answer to no attempt" }
            if let problem = Self.moment(of: event, in: sitting) { return problem }
            if event.isMerged { return nil }
            if sitting.closing != nil { return "a live answer to a closed attempt" }
            let isFinal = sitting.start.data["answersFinal"]?.bool == true
            let isSecond = sitting.answers.contains {
                $0.text("question") == event.text("question")
            }
            let isAnswer = event.type == "examroom.answer.saved"
            return isAnswer && isFinal && isSecond ? "a second answer where the first stands" : nil
        case "examroom.attempt.submitted":
            guard let sitting = book.sittings[attempt] else { return "a closing of no attempt" }
            if sitting.closing != nil { return "an attempt closed twice" }
            return closing(event, of: sitting)
        case "examroom.attempt.reconciled":
            guard let sitting = book.sittings[attempt], sitting.closing != nil else {
                return "an open attempt reconciled"
            }
            return Self.closedAt(event, of: sitting)
        default: return nil
        }
    }

    private func liveStart(_ event: PastFact) -> String? {
        guard let exam = exams[event.text("exam")], !exam.isDeleted else {
            return "an attempt at no exam"
        }
        if !exam.isPublished { return "a start at an exam that is not published" }
        if let opens = exam.opensAt, event.at < opens { return "a start before the window" }
        if let closes = exam.closesAt, event.at >= closes { return "a start after the window" }
        let seat = event.text("exam") + "/" + event.text("student")
        if blocked.contains(seat) { return "a start of a blocked student" }
        if book.deleted.contains(event.text("student")) { return "a start of a deleted student" }
        let others = book.sittings.values.filter {
            $0.exam == event.text("exam") && $0.student == event.text("student") && !$0.isSetAside
        }
        if let limit = exam.limit, others.count + 1 > limit {
            return "an attempt beyond the limit of \(limit)"
        }
        let open = others.first {
            $0.closing == nil && $0.startedAt <= event.at
                && event.at < $0.start.instant("deadline")
        }
        return open.map { "a start while \($0.id) is open" }
    }

    private static func moment(of event: PastFact, in sitting: AttemptBook.Sitting) -> String? {
        if sitting.isImported { return "an answer to an imported attempt" }
        if event.moment < sitting.startedAt { return "an answer before the start" }
        if event.moment >= sitting.start.instant("deadline") {
            return "an answer at or after the deadline"
        }
        let answeredAt = event.optionalInstant("answeredAt") ?? event.moment
        return answeredAt == event.moment ? nil : "answered at another moment"
    }

    private func closing(_ event: PastFact, of sitting: AttemptBook.Sitting) -> String? {
        if event.text("how") == "student" {
            if event.instant("closedAt") != event.moment { return "closed at another moment" }
        } else {
            let due = max(sitting.start.instant("deadline"), sitting.start.at)
            if event.at != due { return "the time was up at \(due)" }
            if book.deleted.contains(sitting.student) { return "a deleted student's time was up" }
        }
        return Self.closedAt(event, of: sitting)
    }

    private static func closedAt(_ event: PastFact, of sitting: AttemptBook.Sitting) -> String? {
        let deadline = sitting.start.instant("deadline")
        let closedAt = event.instant("closedAt")
        if event.text("how") != "student" {
            return closedAt == deadline ? nil : "time was up at another instant than the deadline"
        }
        let isInTime = closedAt >= sitting.startedAt && closedAt < deadline
        return isInTime ? nil : "handed in outside the time"
    }
}

@Suite struct `Starts, answers and submissions` {
    @Test(
        "R15, R17: live ones keep the limits, the window and the deadline; merged ones the attempt's time",
        arguments: Life.some)
    func keepTheLimits(life: Life) {
        life.expect { AttemptLaw.broken(by: $0.events) }
    }

    @Test("R15, R17: are met by the random histories, live and merged")
    func areMet() throws {
        var counts: [String: Int] = [:]
        for life in Life.some {
            life.expect { room in
                for event in room.events where event.type.hasPrefix("examroom.a") {
                    counts["\(event.type) \(event.isMerged)", default: 0] += 1
                }
                return nil
            }
        }
        for type in ["attempt.started", "answer.saved", "attempt.submitted"] {
            for isMerged in [true, false] {
                let count = counts["examroom.\(type) \(isMerged)", default: 0]
                #expect(count > 5, "\(type), merged \(isMerged)")
            }
        }
        #expect(counts["examroom.attempt.set-aside false", default: 0] > 3)
        #expect(counts["examroom.attempt.reconciled false", default: 0] > 3)
    }
}
