import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {

    enum StreakKind: String, Choice {
        case study, quiz
    }

    /// On which days was it done? (R34)
    static let calendarView = ReadModel<State>(
        "learnable.calendar", "On which days was it done?", key: "student",
        arguments: ["kind", "month"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let kind = try request.choice("kind", StreakKind.self) ?? .study
        let asked = try request.month()
        guard let (student, row) = state.student(request.key) else { return false }
        let today = state.day(of: student, at: request.now)
        let first = asked ?? today.adding(days: 1 - today.day)
        let epoch = state.epoch(of: row)
        let studied = state.studyDays(row.epoch)
        let days = (0..<31).map { first.adding(days: $0) }.filter { $0.month == first.month }
        output.object { output in
            output.array("days", days) { output, day in
                output.object { output in
                    output.member("day", day)
                    output.member(
                        "done", kind == .quiz ? epoch.hasCompleted(day) : studied.has(day))
                }
            }
            output.member("kind", kind)
            output.member("month", String(first.description.prefix(7)))
            output.member(
                "streak",
                kind == .quiz
                    ? state.quizStreak(row.epoch, on: today) : StudyRuns(studied).present(today))
            output.member("today", today)
        }
        return true
    }
}

extension ViewRequest {
    /// The first day of the month that is asked for; nil when it is not given.
    fileprivate func month() throws(WrongArgument) -> LocalDate? {
        guard let text = arguments["month"] else { return nil }
        guard text.utf8.count == 7, let day = LocalDate(text: text + "-01") else {
            throw WrongArgument("month", "expected a month, YYYY-MM")
        }
        return day
    }
}

extension [LocalDate] {
    fileprivate func has(_ day: LocalDate) -> Bool {
        let index = insertionIndex { $0 < day }
        return index < count && self[index] == day
    }
}

/// The runs of consecutive study days (R33).
struct StudyRuns {
    private let days: [LocalDate]

    /// Of ascending days.
    init(_ days: [LocalDate]) {
        self.days = days
    }

    /// The length of the run that ends today, or yesterday when today is no study day yet.
    func present(_ today: LocalDate) -> Int {
        let past = days.prefix { $0 <= today }
        guard let last = past.last, last >= today.adding(days: -1) else { return 0 }
        var length = 1
        while length < past.count, past[past.count - 1 - length] == last.adding(days: -length) {
            length += 1
        }
        return length
    }

    var longest: Int {
        var longest = 0
        var length = 0
        var former: LocalDate?
        for day in days {
            length = former?.adding(days: 1) == day ? length + 1 : 1
            longest = max(longest, length)
            former = day
        }
        return longest
    }
}

extension Learnable.State {
    /// The days with enough study time, ascending (R33).
    func studyDays(_ epoch: Ordinal) -> [LocalDate] {
        let least = policy.studySeconds
        return studies.read(epoch) { row in
            row.days.filter { $0.seconds >= least }.map(\.day)
        } ?? []
    }
}
