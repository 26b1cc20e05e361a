import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What has been achieved?
    static let achievementsView = ReadModel<State>(
        "learnable.achievements", "What has been achieved?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        state.writeAchievements(student, row, at: request.now, to: &output)
        return true
    }

    enum StreakKind: String, Choice {
        case study, quiz
    }

    /// On which days?
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
        let epoch = state.epochRow(row)
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
        let place = place { $0 < day }
        return place < count && self[place] == day
    }
}

/// R33: the runs of consecutive study days.
struct StudyRuns {
    private let days: [LocalDate]

    /// Of ascending days.
    init(_ days: [LocalDate]) {
        self.days = days
    }

    /// The length of the run that ends on a day, or on the one before when the day is none.
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
    /// R33: ascending.
    func studyDays(_ epoch: Ordinal) -> [LocalDate] {
        let least = policy.studySeconds
        return studies.read(epoch) { row in
            row.days.filter { $0.seconds >= least }.map(\.day)
        } ?? []
    }

    /// R36, with both streaks.
    func writeAchievements(
        _ student: Learnable.StudentID, _ row: Learnable.StudentRow, at now: Instant,
        to output: inout JSONOutput
    ) {
        let today = day(of: student, at: now)
        let epoch = epochRow(row)
        let runs = StudyRuns(studyDays(row.epoch))
        let minutes = epoch.studySeconds / 60
        output.object { output in
            output.member("correctAnswers", epoch.correct)
            output.member("questionsAnswered", epoch.asked)
            output.member("questionsGenerated", epoch.pooled)
            output.object("quizStreak") { output in
                output.member("longest", epoch.longestStreak)
                output.member("present", quizStreak(row.epoch, on: today))
            }
            output.member("studySeconds", epoch.studySeconds)
            output.object("studyStreak") { output in
                output.member("longest", runs.longest)
                output.member("present", runs.present(today))
            }
            output.member("studyTime", "\(minutes / 60) h \(minutes % 60) min")
            output.member("subjectsCompleted", epoch.completed)
            output.member("subjectsGenerated", epoch.generated)
            output.member("today", today)
        }
    }
}
