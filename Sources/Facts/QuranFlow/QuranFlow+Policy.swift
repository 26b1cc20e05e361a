package import Core
package import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// The numbers and switches that the rules depend on (page, Policy).
    package struct Policy: Hashable, Sendable {
        package var weeksPerSemester = 15
        package var unlockWeekday = Weekday.saturday
        package var weekZone = WeekZone.semester
        package var classesStartAfterDays = 2
        package var watchedPercent = 90
        package var lessonBeforeSubmission = false
        package var submissionsPerPeriod = 2
        package var submissionPeriod = SubmissionPeriod.programmeWeek
        package var submissionPeriodDays: Days = 7
        package var submissionCountsWhen = Enrollment.CountsWhen.submitted
        package var requiredSubmissions = 12
        package var feedbackHours: Hours = 48
        package var placementHours: Hours = 48
        package var deadlineReminderHours = [48, 24]
        package var eocOpensWeek = 15
        package var eocResultBusinessDays = 5
        package var businessDays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
        package var closingDays = 14
        package var retakeDays: Days = 14
        package var sameGenderCoach = true
        package var levelNames = [
            "Reading Foundations", "Reading with Fluency", "Rules of Recitation", "Tajweed Rules",
        ]
        package var levelDescriptions = [
            "You'll learn to read the letters and signs of the Quran.",
            "You'll develop ease and comfort in Quranic reading.",
            "You'll learn how letters change when they meet.",
            "You'll apply the rules of tajweed in recitation.",
        ]
        package var joinWindowMinutes: Minutes = 15
        package var sessionReminderMinutes: Minutes = 15
        package var sessionNoticesTo = SessionNoticesTo.eligible
        package var todaySessionsShown = 3
        package var maxUngrouped = 7
        package var notificationsShown = 50
        package var progressRing = ProgressRing.weeksElapsed
        package var countdown = Countdown.wholeDays
        package var weekUnlockedLink = WeekUnlockedLink.lesson
        package var fonts = ["amiri-quran", "simplified-arabic"]
        package var onboardingSkippable = [2, 4, 5]
        package var coachTeamEmail: String? = "coaches@quranflow.org"
        package var advancedEnrollmentOpensOn: LocalDate?
        package var appointmentLeadHours: Hours = 2
        package var appointmentChangeHours: Hours = 24
        package var appointmentsOpenMax = 2
        package var commentMaxCharacters = 4000

        package init() {}

        package enum WeekZone: String, Choice {
            case semester, student
        }

        package enum SubmissionPeriod: String, Choice {
            case programmeWeek = "programme-week"
            case rolling
        }

        package enum SessionNoticesTo: String, Choice {
            case going, eligible
        }

        package enum ProgressRing: String, Choice {
            case weeksElapsed = "weeks-elapsed"
            case weekNumber = "week-number"
            case weeksCompleted = "weeks-completed"
        }

        package enum Countdown: String, Choice {
            case wholeDays = "whole-days"
            case calendarDays = "calendar-days"
        }

        package enum WeekUnlockedLink: String, Choice {
            case lesson, today
        }

        /// The levels of the programme; those of other numbers do not exist.
        package static let levels = 1...4

        /// The numbers that a week of a semester can have.
        package static let weekNumbers = 1...52

        package func levelName(_ level: Int) -> String {
            levelNames.indices.contains(level - 1) ? levelNames[level - 1] : ""
        }

        package func levelDescription(_ level: Int) -> String {
            levelDescriptions.indices.contains(level - 1) ? levelDescriptions[level - 1] : ""
        }

        /// R35: the level line.
        package func levelLine(_ level: Int) -> String { "Level \(level) -- \(levelName(level))" }
    }
}

extension QuranFlow.Policy: PolicyBook {
    package static let entries: [PolicyEntry<Self>] = [
        .init("weeksPerSemester", \.weeksPerSemester, weekNumbers),
        .init("unlockWeekday", \.unlockWeekday),
        .init("weekZone", \.weekZone),
        .init("classesStartAfterDays", \.classesStartAfterDays, 0...14),
        .init("watchedPercent", \.watchedPercent, 1...100),
        .init("lessonBeforeSubmission", \.lessonBeforeSubmission),
        .init("submissionsPerPeriod", \.submissionsPerPeriod, 1...14),
        .init("submissionPeriod", \.submissionPeriod),
        .init("submissionPeriodDays", \.submissionPeriodDays, 1...28),
        .init("submissionCountsWhen", \.submissionCountsWhen),
        .init("requiredSubmissions", \.requiredSubmissions, 0...52),
        .init("feedbackHours", \.feedbackHours, 1...336),
        .init("placementHours", \.placementHours, 1...336),
        .init("deadlineReminderHours", \.deadlineReminderHours, 1...167, most: 5) {
            Set($0.deadlineReminderHours).count == $0.deadlineReminderHours.count
        },
        .init("eocOpensWeek", \.eocOpensWeek, 1...52),
        .init("eocResultBusinessDays", \.eocResultBusinessDays, 1...30),
        .init("businessDays", \.businessDays, someDays) {
            !$0.businessDays.isEmpty && Set($0.businessDays).count == $0.businessDays.count
        },
        .init("closingDays", \.closingDays, 0...90),
        .init("retakeDays", \.retakeDays, 1...90),
        .init("sameGenderCoach", \.sameGenderCoach),
        .init("levelNames", \.levelNames, textForEachLevel) {
            isTextForEachLevel($0.levelNames)
        },
        .init("levelDescriptions", \.levelDescriptions, textForEachLevel) {
            isTextForEachLevel($0.levelDescriptions)
        },
        .init("joinWindowMinutes", \.joinWindowMinutes, 0...120),
        .init("sessionReminderMinutes", \.sessionReminderMinutes, 1...1440),
        .init("sessionNoticesTo", \.sessionNoticesTo),
        .init("todaySessionsShown", \.todaySessionsShown, 1...7),
        .init("maxUngrouped", \.maxUngrouped, 1...50),
        .init("notificationsShown", \.notificationsShown, 1...500),
        .init("progressRing", \.progressRing),
        .init("countdown", \.countdown),
        .init("weekUnlockedLink", \.weekUnlockedLink),
        .init("fonts", \.fonts, someFonts) { book in
            !book.fonts.isEmpty && book.fonts.allSatisfy { isFilled($0) }
                && Set(book.fonts.map { ExactText($0) }).count == book.fonts.count
        },
        .init("onboardingSkippable", \.onboardingSkippable, someSteps) { book in
            book.onboardingSkippable.allSatisfy { [2, 4, 5].contains($0) }
                && Set(book.onboardingSkippable).count == book.onboardingSkippable.count
        },
        .init("coachTeamEmail", \.coachTeamEmail, addressOrNone) {
            isAddress($0.coachTeamEmail)
        },
        .init("advancedEnrollmentOpensOn", \.advancedEnrollmentOpensOn, dateOrNone),
        .init("appointmentLeadHours", \.appointmentLeadHours, 0...336),
        .init("appointmentChangeHours", \.appointmentChangeHours, 0...336),
        .init("appointmentsOpenMax", \.appointmentsOpenMax, 1...20),
        .init("commentMaxCharacters", \.commentMaxCharacters, 1...100_000),
    ]

    /// How many characters a text has that must not be empty.
    private static let filled = 1...Bounds.text.upperBound

    private static let someDays = "a list of 1 to 7 different days, monday to sunday"
    private static let someFonts =
        "a list that is not empty, all different, each \(filled.characters)"
    private static let someSteps = "a list, all different, each one of 2, 4, 5"
    private static let textForEachLevel = "a list of \(levels.count), each \(filled.characters)"
    private static let addressOrNone = EmailForm.expectation + ", or null"
    private static let dateOrNone = "a date such as 2026-01-17, or null"

    private static func isFilled(_ text: String) -> Bool { filled ~= text.scalarCount }

    private static func isTextForEachLevel(_ texts: [String]) -> Bool {
        texts.count == levels.count && texts.allSatisfy { isFilled($0) }
    }

    private static func isAddress(_ text: String?) -> Bool {
        text.map { EmailForm.accepts($0) } ?? true
    }
}
