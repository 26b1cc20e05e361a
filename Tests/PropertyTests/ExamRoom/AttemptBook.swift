import Core
import ExamRoomEvents
import TestSupport

/// Attempts as the events tell of them: nothing is summed up, all is counted anew when asked.
struct AttemptBook {
    struct Sitting {
        /// `attempt.started` or `attempt.imported`.
        let start: PastFact
        /// `submitted`, `reconciled`, `imported`, in order of position.
        var closings: [PastFact] = []
        var grades: [PastFact] = []
        var answers: [PastFact] = []
        var times: [PastFact] = []
        var isSetAside = false
        /// Conflicts for which it does not count yet.
        var holds: Set<String> = []
        /// Positions of answers that came late, each with its conflict.
        var heldAnswers: [Int64: String] = [:]
        /// Up to here an admin let late answers count.
        var admittedThrough: Int64 = 0
        var isDiscarded = false

        var id: String { start.text("attempt") }
        var exam: String { start.text("exam") }
        var student: String { start.text("student") }
        var isImported: Bool { start.type == "examroom.attempt.imported" }
        var startedAt: Instant { start.instant("startedAt") }
        var maxScore: Int { start.number("maxScore") }

        /// The last one stands.
        var closing: PastFact? { closings.last }
        var isCompleted: Bool { closing != nil }
        var isHandedIn: Bool { closing?.text("how") == "student" }

        private var lastGrade: PastFact? {
            grades.max { left, right in
                if left.moment != right.moment { return left.moment < right.moment }
                if left.writer != right.writer { return left.writer.precedes(right.writer) }
                return left.position < right.position
            }
        }

        /// The score that counts (R22).
        var score: Int? {
            closing.map { lastGrade?.number("newScore") ?? $0.number("score") }
        }

        /// In hundredths, rounded half away from zero.
        var percent: Int64? {
            score.map { AttemptBook.rounded(Int64($0) * 10_000, by: Int64(maxScore)) }
        }

        /// Exact, by the attempt's own pass mark (R19, R22); an imported one tells no more than whether
        /// it was passed, then and by each grade.
        var isPassed: Bool? {
            if isImported { return (lastGrade ?? start).data["passed"]?.bool }
            guard let score, let mark = start.hundredths("passPercent") else { return nil }
            return Int64(score) * 10_000 >= mark * Int64(maxScore)
        }
    }

    private(set) var sittings: [String: Sitting] = [:]
    private(set) var deleted: Set<String> = []
    /// Where a person's key was destroyed.
    private(set) var erased: [String: Int64] = [:]

    init() {}

    init(_ events: [PastFact]) {
        for event in events { take(event) }
    }

    mutating func take(_ event: PastFact) {
        let attempt = event.text("attempt")
        switch event.type {
        case "examroom.attempt.started": sittings[attempt] = Sitting(start: event)
        case "examroom.attempt.imported":
            sittings[attempt] = Sitting(start: event, closings: [event])
        case "examroom.attempt.submitted", "examroom.attempt.reconciled":
            sittings[attempt]?.closings.append(event)
        case "examroom.grade.modified": sittings[attempt]?.grades.append(event)
        case "examroom.answer.saved": sittings[attempt]?.answers.append(event)
        case "examroom.time.logged": sittings[attempt]?.times.append(event)
        case "examroom.attempt.set-aside":
            sittings[attempt]?.isSetAside = true
            sittings[attempt]?.holds.remove(event.text("conflict"))
        case "examroom.attempt.held": sittings[attempt]?.holds.insert(event.text("conflict"))
        case "examroom.attempt.released": sittings[attempt]?.holds.remove(event.text("conflict"))
        case "examroom.answer.held":
            for position in (event.data["answers"]?.array ?? []).compactMap(\.wholeNumber) {
                sittings[attempt]?.heldAnswers[position] = event.text("conflict")
            }
        case "examroom.answer.admitted":
            sittings[attempt]?.admittedThrough = event.position
            let held = sittings[attempt]?.heldAnswers ?? [:]
            sittings[attempt]?.heldAnswers = held.filter { $0.value != event.text("conflict") }
        case "examroom.attempt.discarded": sittings[attempt]?.isDiscarded = true
        case "examroom.account.deleted": deleted.insert(event.text("account"))
        case "account.erased":
            let person = String(event.text("subject").dropFirst("examroom/".count))
            erased[person] = erased[person] ?? event.position
        default: break
        }
    }

    /// An attempt counts unless it is set aside or held or its student is deleted (R24).
    func counts(_ sitting: Sitting) -> Bool {
        !sitting.isSetAside && sitting.holds.isEmpty && !deleted.contains(sitting.student)
    }

    /// The counting attempts of a student.
    func counting(of student: String) -> [Sitting] {
        sittings.values.filter { $0.student == student && counts($0) }
    }

    /// Half away from zero; of numbers that are not negative.
    static func rounded(_ number: Int64, by divisor: Int64) -> Int64 {
        divisor == 0 ? 0 : (2 * number + divisor) / (2 * divisor)
    }
}

/// The time zones of students, as far as the events still tell of them.
struct ZoneBook {
    private var registered: [String: String] = [:]
    private var revised: [String: String] = [:]
    private var hidden: Set<String> = []
    private var erased: Set<String> = []
    private(set) var standard = "UTC"

    mutating func take(_ event: PastFact) {
        let account = event.text("account")
        switch event.type {
        case "examroom.account.registered": registered[account] = event.data["timeZone"]?.string
        case "examroom.profile.revised":
            let isZone = event.data["fields"]?.array?.contains(.string("timeZone")) ?? false
            guard isZone, !event.lost("timeZone") else { return }
            revised[account] = event.data["changes"]?["timeZone"]?.string
            if revised[account] == nil { hidden.insert(account) }
        case "examroom.policy.adopted":
            guard !event.lost("defaultTimeZone") else { return }
            standard = event.data["changes"]?["defaultTimeZone"]?.string ?? standard
        case "account.erased":
            erased.insert(String(event.text("subject").dropFirst("examroom/".count)))
        default: break
        }
    }

    /// Nil where an erasure hides which zone was in force.
    func zone(of student: String) -> TimeZoneRules? {
        var name = revised[student] ?? registered[student] ?? standard
        if hidden.contains(student) {
            guard erased.contains(student) else { return nil }
            name = standard
        }
        return TimeZones.zone(named: name)
    }
}
