package import Core
package import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The numbers and switches that the rules depend on (page, Policy).
    package struct Policy: Hashable, Sendable {
        package var passwordMinLength = 8
        package var passwordRequireUpper = true
        package var passwordRequireLower = true
        package var passwordRequireDigit = true
        package var passwordRequireSymbol = true
        package var legalRequired = true
        package var legalTermsVersion = "1"
        package var legalPrivacyVersion = "1"
        package var otpDigits = 6
        package var otpSeconds: Seconds = 900
        package var otpResendSeconds: Seconds = 60
        package var otpMaxAttempts = 5
        package var otpWindowAttempts = 20
        package var otpWindowSeconds: Seconds = 86_400
        package var sessionSeconds: Seconds = 604800
        package var sessionRequired = true
        package var signInLockAfter = 5
        package var signInLockSeconds: Seconds = 900
        package var weekStartsOn = Weekday.sunday
        package var weekUtcOffsetMinutes = SignedInt(0)
        package var limitWindow = LimitWindow.calendarWeek
        package var freeLabel = FreeLabel.tier
        package var freeExamsPerWeek: Int? = 1
        package var premiumExamsPerWeek: Int?
        package var freePracticeQuestions: Int? = 5
        package var premiumPracticeQuestions: Int? = 100
        package var freePracticeCategories: Int?
        package var premiumPracticeCategories: Int?
        package var freeExplanationDelaySeconds: Int?
        package var freeWatermark = true
        package var trialDays = 7
        package var priceMonthlyMinor = 2999
        package var priceCurrency = "SAR"
        package var renewalRetrySeconds = [5, 30, 120]
        package var graceSeconds = 259_200
        package var activationPollSeconds = 5
        package var activationWaitSeconds = 60
        package var examVerbalQuestions = 20
        package var examQuantitativeQuestions = 20
        package var examDurationSeconds: Seconds = 3600
        package var examGenerationSeconds: Seconds = 20
        package var examIntervalSeconds: Seconds = 30
        package var examIncompleteCounts = false
        package var examResumeSeconds = 0
        package var examSyncSeconds: Seconds = 86_400
        package var examDiagrams = 0
        package var practiceGenerationSeconds: Seconds = 10
        package var practiceIdleSeconds: Seconds = 3600
        package var generationRetries = 3
        package var questionRepeatDays: Days = 30
        package var questionRepeatTolerancePercent = Tafawoq.ExactPercent(whole: 5)
        package var questionImageFailure = ImageFailure.text
        package var questionVoids = 3
        package var passageQuestions = 1
        package var answersPerMinute = 60
        package var flagsFastSeconds = 3
        package var flagsFastAnswers = 10
        package var flagsToleranceSeconds = 120
        package var bands = Band.standard
        package var analyticsListed = 3
        package var adviceTrackWeight = 110
        package var adviceMinutesPerWeek = 180
        package var adviceRaiseAbove = Tafawoq.ExactPercent(whole: 85)
        package var adviceLowerBelow = Tafawoq.ExactPercent(whole: 50)
        package var trendWindow = 3
        package var practiceCountChoices = [5, 10, 20, 30]
        package var peersEnabled = false
        package var peersMinimum = 5
        package var milestonesExams = [10]
        package var milestonesPracticeHours = [10]
        package var milestonesPerfectCategory = true
        package var milestonesImprovement: Int? = 10
        package var reminderMode = ReminderMode.weekly
        package var reminderWeekSecond = 57_600
        package var reminderLeadSeconds = 900
        package var engagementInactiveDays: Days?
        package var quotaAlertPercent = Tafawoq.ExactPercent(whole: 80)
        package var alertWindowSeconds = 3600
        package var alertGenerationFailures = 5
        package var alertPaymentFailures = 5
        package var tour = Slide.standard
        package var retentionDays = 90
        package var retentionAuthPaymentDays = 365

        package init() {}

        /// What becomes of a diagram that could not be made (R30).
        package enum ImageFailure: String, Choice {
            case text, void
        }

        /// The seven days in which exams count (R23).
        package enum LimitWindow: String, Choice {
            case calendarWeek = "calendar-week"
            case rollingDays = "rolling-7-days"
        }

        /// What the free tier is called.
        package enum FreeLabel: String, Choice {
            case tier = "free-tier"
            case plan = "free-plan"
        }

        package enum ReminderMode: String, Choice {
            case weekly, scheduled, both
        }

        /// A screen of the introductory tour, in both languages.
        package struct Slide: Record {
            package var title = ""
            package var titleAr = ""
            package var text = ""
            package var textAr = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.text("title", &title, of: 1...Bounds.name.upperBound)
                coder.text("titleAr", &titleAr, of: 1...Bounds.name.upperBound)
                coder.text("text", &text, of: 1...2000)
                coder.text("textAr", &textAr, of: 1...2000)
            }
        }

        /// One entry of the scale of bands (R34).
        package struct Band: Record {
            package var from = Tafawoq.ExactPercent.empty
            package var band = ""
            package var colour = ""

            package init() {}
        }
    }
}

extension Tafawoq.Policy.Band {
    init(_ from: Int, _ band: String, _ colour: String) {
        self.from = Tafawoq.ExactPercent(whole: from)
        self.band = band
        self.colour = colour
    }

    /// R34: 89.99 is good.
    static let standard = [
        Self(90, "excellent", "#D4AF37"), Self(75, "good", "#1E5631"),
        Self(60, "average", "#F9FAFB"), Self(0, "needs-improvement", "warm"),
    ]

    /// One to twenty entries, each below the one before, the last at 0.
    static func isScale(_ bands: [Self]) -> Bool {
        1...20 ~= bands.count && bands.last?.from.percent == .zero
            && bands.allSatisfy {
                (.zero)...(.hundred) ~= $0.from.percent && isShort($0.band) && isShort($0.colour)
            }
            && zip(bands, bands.dropFirst()).allSatisfy { $0.from.percent > $1.from.percent }
    }

    private static func isShort(_ text: String) -> Bool { 1...64 ~= text.unicodeScalars.count }
}

extension Tafawoq.Policy.Slide {
    private init(_ title: String, _ titleAr: String, _ text: String, _ textAr: String) {
        self.title = title
        self.titleAr = titleAr
        self.text = text
        self.textAr = textAr
    }

    /// The three screens of the tour (R51, D FR-012).
    static let standard = [
        Self(
            "Full exam or practice", "اختبار كامل أو تدريب مخصّص",
            "Sit a full exam under its clock, or practise the categories that you choose.",
            "خض اختبارًا كاملًا بوقته، أو تدرّب على التصنيفات التي تختارها."),
        Self(
            "Made for your track", "مصمّم لمسارك",
            "Suggestions and advice follow your academic track, scientific or literary.",
            "تتبع الاقتراحات والنصائح مسارك الدراسي: العلمي أو الأدبي."),
        Self(
            "See how far you came", "تابع تقدّمك",
            "Scores, strengths and weaknesses show what to do next.",
            "تبيّن لك الدرجات ونقاط القوة والضعف خطوتك التالية."),
    ]
}

/// What each value of the policy may be (page, Ranges).
extension Tafawoq.Policy: PolicyBook {
    package static let entries: [PolicyEntry<Self>] = [
        .init("password.minLength", \.passwordMinLength, 1...Bounds.count.upperBound),
        .init("password.requireUpper", \.passwordRequireUpper),
        .init("password.requireLower", \.passwordRequireLower),
        .init("password.requireDigit", \.passwordRequireDigit),
        .init("password.requireSymbol", \.passwordRequireSymbol),
        .init("legal.required", \.legalRequired),
        .init("legal.termsVersion", \.legalTermsVersion, "a text of 1 to 64 characters") {
            1...64 ~= $0.legalTermsVersion.unicodeScalars.count
        },
        .init("legal.privacyVersion", \.legalPrivacyVersion, "a text of 1 to 64 characters") {
            1...64 ~= $0.legalPrivacyVersion.unicodeScalars.count
        },
        .init("otp.digits", \.otpDigits, 1...Bounds.count.upperBound),
        .init("otp.seconds", \.otpSeconds, 1...Bounds.count.upperBound),
        .init("otp.resendSeconds", \.otpResendSeconds, Bounds.count),
        .init("otp.maxAttempts", \.otpMaxAttempts, 1...Bounds.count.upperBound),
        .init("otp.windowAttempts", \.otpWindowAttempts, 1...Bounds.count.upperBound),
        .init("otp.windowSeconds", \.otpWindowSeconds, 1...Bounds.count.upperBound),
        .init("session.seconds", \.sessionSeconds, 1...Bounds.count.upperBound),
        .init("session.required", \.sessionRequired),
        .init("signIn.lockAfter", \.signInLockAfter, 1...Bounds.count.upperBound),
        .init("signIn.lockSeconds", \.signInLockSeconds, Bounds.count),
        .init("week.startsOn", \.weekStartsOn),
        .init(
            "week.utcOffsetMinutes", \.weekUtcOffsetMinutes, "a whole number from -720 to 840"
        ) {
            -720...840 ~= $0.weekUtcOffsetMinutes.value
        },
        .init("limit.window", \.limitWindow),
        .init("free.label", \.freeLabel),
        .init("free.examsPerWeek", \.freeExamsPerWeek, Bounds.count),
        .init("premium.examsPerWeek", \.premiumExamsPerWeek, Bounds.count),
        .init("free.practiceQuestions", \.freePracticeQuestions, 1...Bounds.count.upperBound),
        .init("premium.practiceQuestions", \.premiumPracticeQuestions, 1...Bounds.count.upperBound),
        .init("free.practiceCategories", \.freePracticeCategories, 1...Bounds.count.upperBound),
        .init(
            "premium.practiceCategories", \.premiumPracticeCategories, 1...Bounds.count.upperBound),
        .init("free.explanationDelaySeconds", \.freeExplanationDelaySeconds, Bounds.count),
        .init("free.watermark", \.freeWatermark),
        .init("trial.days", \.trialDays, 0...36_500),
        .init("price.monthlyMinor", \.priceMonthlyMinor, Bounds.count),
        .init("price.currency", \.priceCurrency, "three capital letters") {
            isCurrency($0.priceCurrency)
        },
        .init("renewal.retrySeconds", \.renewalRetrySeconds, Bounds.count, most: 20),
        .init("grace.seconds", \.graceSeconds, 0...1_209_600),
        .init("activation.pollSeconds", \.activationPollSeconds, 1...Bounds.count.upperBound),
        .init("activation.waitSeconds", \.activationWaitSeconds, Bounds.count),
        .init("exam.verbalQuestions", \.examVerbalQuestions, 5...Bounds.count.upperBound),
        .init(
            "exam.quantitativeQuestions", \.examQuantitativeQuestions, 3...Bounds.count.upperBound),
        .init("exam.durationSeconds", \.examDurationSeconds, 1...Bounds.count.upperBound),
        .init("exam.generationSeconds", \.examGenerationSeconds, Bounds.count),
        .init("exam.intervalSeconds", \.examIntervalSeconds, Bounds.count),
        .init("exam.incompleteCounts", \.examIncompleteCounts),
        .init("exam.resumeSeconds", \.examResumeSeconds, Bounds.count),
        .init("exam.syncSeconds", \.examSyncSeconds, Bounds.count),
        .init("exam.diagrams", \.examDiagrams, Bounds.count),
        .init("practice.generationSeconds", \.practiceGenerationSeconds, Bounds.count),
        .init("practice.idleSeconds", \.practiceIdleSeconds, 1...Bounds.count.upperBound),
        .init("generation.retries", \.generationRetries, Bounds.count),
        .init("question.repeatDays", \.questionRepeatDays, 0...36_500),
        .init("question.repeatTolerancePercent", \.questionRepeatTolerancePercent, percentage) {
            isPercentage($0.questionRepeatTolerancePercent)
        },
        .init("question.imageFailure", \.questionImageFailure),
        .init("question.voids", \.questionVoids, Bounds.count),
        .init("passage.questions", \.passageQuestions, 1...Bounds.count.upperBound),
        .init("answers.perMinute", \.answersPerMinute, 1...Bounds.count.upperBound),
        .init("flags.fastSeconds", \.flagsFastSeconds, Bounds.count),
        .init("flags.fastAnswers", \.flagsFastAnswers, 1...Bounds.count.upperBound),
        .init("flags.toleranceSeconds", \.flagsToleranceSeconds, Bounds.count),
        .init("bands", \.bands, "a scale of 1 to 20 bands, the highest first, the last from 0") {
            Band.isScale($0.bands)
        },
        .init("analytics.listed", \.analyticsListed, 1...Bounds.count.upperBound),
        .init("advice.trackWeight", \.adviceTrackWeight, 1...Bounds.count.upperBound),
        .init("advice.minutesPerWeek", \.adviceMinutesPerWeek, Bounds.count),
        .init("advice.raiseAbove", \.adviceRaiseAbove, percentage) {
            isPercentage($0.adviceRaiseAbove)
        },
        .init("advice.lowerBelow", \.adviceLowerBelow, percentage) {
            isPercentage($0.adviceLowerBelow)
        },
        .init("trend.window", \.trendWindow, 2...Bounds.count.upperBound),
        .init(
            "practice.countChoices", \.practiceCountChoices, 1...Bounds.count.upperBound, most: 20
        ) {
            isAscending($0.practiceCountChoices)
        },
        .init("peers.enabled", \.peersEnabled),
        .init("peers.minimum", \.peersMinimum, 1...Bounds.count.upperBound),
        .init("milestones.exams", \.milestonesExams, 1...Bounds.count.upperBound, most: 20) {
            isAscending($0.milestonesExams)
        },
        .init(
            "milestones.practiceHours", \.milestonesPracticeHours, 1...Bounds.count.upperBound,
            most: 20
        ) {
            isAscending($0.milestonesPracticeHours)
        },
        .init("milestones.perfectCategory", \.milestonesPerfectCategory),
        .init("milestones.improvement", \.milestonesImprovement, 1...100),
        .init("reminder.mode", \.reminderMode),
        .init("reminder.weekSecond", \.reminderWeekSecond, 0...604_799),
        .init("reminder.leadSeconds", \.reminderLeadSeconds, Bounds.count),
        .init("engagement.inactiveDays", \.engagementInactiveDays, 1...36_500),
        .init("quota.alertPercent", \.quotaAlertPercent, percentage) {
            isPercentage($0.quotaAlertPercent)
        },
        .init("alert.windowSeconds", \.alertWindowSeconds, 1...Bounds.count.upperBound),
        .init("alert.generationFailures", \.alertGenerationFailures, 1...Bounds.count.upperBound),
        .init("alert.paymentFailures", \.alertPaymentFailures, 1...Bounds.count.upperBound),
        .init("tour", \.tour, "a list of at most 20 screens") { $0.tour.count <= 20 },
        .init("retention.days", \.retentionDays, 1...36_500),
        .init("retention.authPaymentDays", \.retentionAuthPaymentDays, 1...36_500),
    ]

    private static let percentage = "a percentage from 0 to 100, with at most two decimals"

    private static func isPercentage(_ value: Tafawoq.ExactPercent) -> Bool {
        (.zero)...(.hundred) ~= value.percent
    }

    private static func isCurrency(_ text: String) -> Bool {
        text.utf8.count == 3
            && text.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    }

    private static func isAscending(_ numbers: [Int]) -> Bool {
        zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }
}
