package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// A student, from joining to the deletion of the account. What belongs to an epoch is in `EpochRow`.
    package struct StudentRow: Record {
        /// `learnable/student/STUDENT`.
        package var stream = Word.empty
        package var zone = Zone.empty
        package var joinedAt = Instant.epoch
        package var deletedAt: Instant?
        /// The key of the epoch's row.
        package var epoch = Ordinal(0)
        /// Counts from 1 (R45).
        package var epochNumber = 1
        /// R44: of all events that carry the student.
        package var latest = Instant.epoch
        package var trial: TrialTerm?
        package var subscription: SubscriptionTerm?
        package var wasTrialStarted = false
        /// How many sales there were; a chain has them.
        package var sales = 0
        /// Offers that are open, by position of publishing.
        package var openOffers: [OfferID] = []
        package var offers = 0
        /// When the reminder timers stand, by kind (R44).
        package var reminders: [Instant?] = [nil, nil, nil]

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("stream", &stream)
            coder.field("zone", &zone)
            coder.field("joinedAt", &joinedAt)
            coder.field("deletedAt", &deletedAt)
            coder.field("epoch", &epoch)
            coder.field("epochNumber", &epochNumber)
            coder.field("latest", &latest)
            coder.field("trial", &trial)
            coder.field("subscription", &subscription)
            coder.field("wasTrialStarted", &wasTrialStarted)
            coder.field("sales", &sales)
            coder.field("openOffers", &openOffers)
            coder.field("offers", &offers)
            coder.field("reminders", &reminders)
        }

        package var isActive: Bool { deletedAt == nil }
    }

    /// A trial that runs (R7).
    package struct TrialTerm: Record {
        package var endsAt = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("endsAt", &endsAt)
        }
    }

    /// A subscription that runs (R8).
    package struct SubscriptionTerm: Record {
        package var plan = PlanID.none
        package var paidUntil = Instant.epoch
        package var isCancelled = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("plan", &plan)
            coder.field("paidUntil", &paidUntil)
            coder.field("isCancelled", &isCancelled)
        }
    }

    /// One acquisition for money, as its author sees it.
    package struct Sale: Record {
        package var at = Instant.epoch
        package var offer = OfferID.none
        package var buyer = StudentID.none
        package var price = Money()
        package var authorAmount = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("at", &at)
            coder.field("offer", &offer)
            coder.field("buyer", &buyer)
            coder.field("price", &price)
            coder.field("authorAmount", &authorAmount)
        }
    }

    /// A student's data between two fresh starts.
    package struct EpochRow: Record {
        package var student = StudentID.none
        /// Whose key seals what is personal.
        package var person = Word.empty
        // Profile
        package var name: Title?
        package var occupation: Title?
        package var workplace: Title?
        package var bio: Body?
        // Settings
        package var fonts: [Fonts] = []
        package var codeBlock = true
        package var mathLatex = true
        package var wantsDailyQuiz = true
        package var wantsStudy = true
        package var wantsQuickQuiz = false
        package var quickQuizFrequency = Reminders.Frequency.weekly
        // Openings (R25)
        package var opened: Opening?
        package var openDays = DaySet()
        // Things
        /// Open ones, last changed last.
        package var drafts: [DraftID] = []
        /// In order of creation, not deleted.
        package var subjects: [SubjectID] = []
        /// R40: the subjects in order of the last opening or bookmark, the latest last.
        package var recent: [SubjectID] = []
        /// How many were begun; a chain has them in that order.
        package var quizzes = 0
        package var dailyQuiz: QuizID?
        package var optionalQuiz: QuizID?
        // Pool
        /// How many were pooled; a chain has them in that order.
        package var pooled = 0
        package var inPool = 0
        /// On which days questions are due, ascending, and how many on each (R20).
        package var dueDays: [DueCount] = []
        // Quizzes and streaks (R32)
        package var completedDailies: [CompletedDaily] = []
        package var lastStreak = 0
        package var longestStreak = 0
        package var skipped = DaySet()
        package var optionalDays = DaySet()
        /// On which days reminders were raised, by kind.
        package var reminded = [DaySet(), DaySet(), DaySet()]
        // Totals (R36)
        package var generated = 0
        package var completed = 0
        package var asked = 0
        package var correct = 0
        package var studySeconds = 0
        package var studies = 0
        package var notices = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("person", &person)
            coder.kept("name", &name, of: person.symbol)
            coder.kept("occupation", &occupation, of: person.symbol)
            coder.kept("workplace", &workplace, of: person.symbol)
            coder.kept("bio", &bio, of: person.symbol)
            coder.field("fonts", &fonts)
            coder.field("codeBlock", &codeBlock)
            coder.field("mathLatex", &mathLatex)
            coder.field("wantsDailyQuiz", &wantsDailyQuiz)
            coder.field("wantsStudy", &wantsStudy)
            coder.field("wantsQuickQuiz", &wantsQuickQuiz)
            coder.field("quickQuizFrequency", &quickQuizFrequency)
            coder.field("opened", &opened)
            coder.field("openDays", &openDays)
            coder.field("drafts", &drafts)
            coder.field("subjects", &subjects)
            coder.field("recent", &recent)
            coder.field("quizzes", &quizzes)
            coder.field("dailyQuiz", &dailyQuiz)
            coder.field("optionalQuiz", &optionalQuiz)
            coder.field("pooled", &pooled)
            coder.field("inPool", &inPool)
            coder.field("dueDays", &dueDays)
            coder.field("completedDailies", &completedDailies)
            coder.field("lastStreak", &lastStreak)
            coder.field("longestStreak", &longestStreak)
            coder.field("skipped", &skipped)
            coder.field("optionalDays", &optionalDays)
            coder.field("reminded", &reminded)
            coder.field("generated", &generated)
            coder.field("completed", &completed)
            coder.field("asked", &asked)
            coder.field("correct", &correct)
            coder.field("studySeconds", &studySeconds)
            coder.field("studies", &studies)
            coder.field("notices", &notices)
        }
    }

    package struct Fonts: Record {
        package var area = Appearance.Area.systemLayout
        package var size = ""
        package var style = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("area", &area)
            coder.field("size", &size)
            coder.field("style", &style)
        }
    }

    /// The latest opening of the app.
    package struct Opening: Record {
        package var at = Instant.epoch
        package var day = LocalDate.epoch
        package var landing = App.Landing.home

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("at", &at)
            coder.field("day", &day)
            coder.field("landing", &landing)
        }
    }

    package struct CompletedDaily: Record {
        package var day = LocalDate.epoch
        package var quiz = QuizID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("day", &day)
            coder.field("quiz", &quiz)
        }
    }

    /// How many questions are due on a day.
    package struct DueCount: Record {
        package var day = LocalDate.epoch
        package var count = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("day", &day)
            coder.field("count", &count)
        }
    }

    /// Days, ascending.
    package struct DaySet: Record {
        package private(set) var days: [LocalDate] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("days", &days)
        }

        package mutating func insert(_ day: LocalDate) {
            let place = days.place { $0 < day }
            if place == days.count || days[place] != day { days.insert(day, at: place) }
        }

        package func contains(_ day: LocalDate) -> Bool {
            let place = days.place { $0 < day }
            return place < days.count && days[place] == day
        }

        package func hasAny(in range: ClosedRange<LocalDate>) -> Bool {
            let place = days.place { $0 < range.lowerBound }
            return place < days.count && days[place] <= range.upperBound
        }
    }

    /// What was studied in an epoch (R33, R35).
    package struct StudyRow: Record {
        package struct Day: Record {
            package var day = LocalDate.epoch
            package var seconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("day", &day)
                coder.field("seconds", &seconds)
            }
        }

        package struct Span: Record {
            package var from = Instant.epoch
            package var to = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("from", &from)
                coder.field("to", &to)
            }
        }

        /// Ascending.
        package private(set) var days: [Day] = []
        /// Ascending; spans that touch are one.
        package private(set) var spans: [Span] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("days", &days)
            coder.field("spans", &spans)
        }

        package func seconds(on day: LocalDate) -> Int {
            let place = days.place { $0.day < day }
            return place < days.count && days[place].day == day ? days[place].seconds : 0
        }

        package mutating func add(_ seconds: Int, on day: LocalDate) {
            let place = days.place { $0.day < day }
            if place < days.count, days[place].day == day {
                days[place].seconds = days[place].seconds.addingClamping(seconds)
            } else {
                days.insert(.with { ($0.day, $0.seconds) = (day, seconds) }, at: place)
            }
        }

        /// R35: touching is no overlap.
        package func overlaps(_ from: Instant, _ to: Instant) -> Bool {
            let place = spans.place { $0.to <= from }
            return place < spans.count && spans[place].from < to
        }

        package mutating func add(_ from: Instant, _ to: Instant) {
            var span = Span.with { ($0.from, $0.to) = (from, to) }
            var place = spans.place { $0.to < from }
            while place < spans.count, spans[place].from <= to {
                span.from = min(span.from, spans[place].from)
                span.to = max(span.to, spans[place].to)
                spans.remove(at: place)
            }
            place = spans.place { $0.to < span.from }
            spans.insert(span, at: place)
        }
    }

    /// How many epochs there were, of all students.
    package struct EpochCount: Record {
        package var count = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("count", &count)
        }
    }

    /// A row that says only that its key is there.
    package struct Mark: Record {
        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {}
    }
}

extension Array {
    /// In an ascending array: the place of the first element that `isBefore` does not hold for.
    package func place(_ isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
