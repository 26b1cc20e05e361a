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
        package var otpSeconds = 900
        package var otpResendSeconds = 60
        package var otpMaxAttempts = 5
        package var sessionSeconds = 604800
        package var signInLockAfter = 5
        package var signInLockSeconds = 900
        package var weekStartsOn = Weekday.sunday
        package var weekUtcOffsetMinutes = SignedInt(0)
        package var freeExamsPerWeek: Int? = 1
        package var premiumExamsPerWeek: Int?
        package var freePracticeQuestions: Int? = 5
        package var premiumPracticeQuestions: Int? = 100
        package var freePracticeCategories: Int? = 2
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
        package var examDurationSeconds = 3600
        package var examGenerationSeconds = 20
        package var examIntervalSeconds = 30
        package var examIncompleteCounts = false
        package var examResumeSeconds = 0
        package var examSyncSeconds = 86_400
        package var practiceGenerationSeconds = 10
        package var generationRetries = 3
        package var questionRepeatDays = 30
        package var questionRepeatTolerancePercent = Tafawoq.ExactPercent(whole: 5)
        package var questionImageFailure = ImageFailure.text
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
        package var engagementInactiveDays = 7
        package var quotaAlertPercent = Tafawoq.ExactPercent(whole: 80)
        package var alertWindowSeconds = 3600
        package var alertGenerationFailures = 5
        package var alertPaymentFailures = 5
        package var retentionDays = 90
        package var retentionAuthPaymentDays = 365

        package init() {}

        /// What becomes of a diagram that could not be made (R30).
        package enum ImageFailure: String, Choice {
            case text, void
        }

        package enum ReminderMode: String, Choice {
            case weekly, scheduled, both
        }

        /// One entry of the scale of bands (R34).
        package struct Band: Record {
            package var from = Tafawoq.ExactPercent.empty
            package var band = ""
            package var colour = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("from", &from)
                coder.field("band", &band)
                coder.field("colour", &colour)
            }
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

/// What each value of the policy may be (page, Ranges).
extension Tafawoq.Policy: PolicyBook {
    package static let entries: [PolicyEntry<Self>] = [
        .init("password.minLength", \.passwordMinLength) { isWhole($0.passwordMinLength, from: 1) },
        .init("password.requireUpper", \.passwordRequireUpper),
        .init("password.requireLower", \.passwordRequireLower),
        .init("password.requireDigit", \.passwordRequireDigit),
        .init("password.requireSymbol", \.passwordRequireSymbol),
        .init("legal.required", \.legalRequired),
        .init("legal.termsVersion", \.legalTermsVersion) {
            1...64 ~= $0.legalTermsVersion.unicodeScalars.count
        },
        .init("legal.privacyVersion", \.legalPrivacyVersion) {
            1...64 ~= $0.legalPrivacyVersion.unicodeScalars.count
        },
        .init("otp.digits", \.otpDigits) { isWhole($0.otpDigits, from: 1) },
        .init("otp.seconds", \.otpSeconds) { isWhole($0.otpSeconds, from: 1) },
        .init("otp.resendSeconds", \.otpResendSeconds) { isWhole($0.otpResendSeconds) },
        .init("otp.maxAttempts", \.otpMaxAttempts) { isWhole($0.otpMaxAttempts, from: 1) },
        .init("session.seconds", \.sessionSeconds) { isWhole($0.sessionSeconds, from: 1) },
        .init("signIn.lockAfter", \.signInLockAfter) { isWhole($0.signInLockAfter, from: 1) },
        .init("signIn.lockSeconds", \.signInLockSeconds) { isWhole($0.signInLockSeconds) },
        .init("week.startsOn", \.weekStartsOn),
        .init("week.utcOffsetMinutes", \.weekUtcOffsetMinutes) {
            -720...840 ~= $0.weekUtcOffsetMinutes.value
        },
        .init("free.examsPerWeek", \.freeExamsPerWeek) { isWhole($0.freeExamsPerWeek) },
        .init("premium.examsPerWeek", \.premiumExamsPerWeek) { isWhole($0.premiumExamsPerWeek) },
        .init("free.practiceQuestions", \.freePracticeQuestions) {
            isWhole($0.freePracticeQuestions, from: 1)
        },
        .init("premium.practiceQuestions", \.premiumPracticeQuestions) {
            isWhole($0.premiumPracticeQuestions, from: 1)
        },
        .init("free.practiceCategories", \.freePracticeCategories) {
            isWhole($0.freePracticeCategories, from: 1)
        },
        .init("premium.practiceCategories", \.premiumPracticeCategories) {
            isWhole($0.premiumPracticeCategories, from: 1)
        },
        .init("free.explanationDelaySeconds", \.freeExplanationDelaySeconds) {
            isWhole($0.freeExplanationDelaySeconds)
        },
        .init("free.watermark", \.freeWatermark),
        .init("trial.days", \.trialDays) { isWhole($0.trialDays, to: 36_500) },
        .init("price.monthlyMinor", \.priceMonthlyMinor) { isWhole($0.priceMonthlyMinor) },
        .init("price.currency", \.priceCurrency) { isCurrency($0.priceCurrency) },
        .init("renewal.retrySeconds", \.renewalRetrySeconds) {
            $0.renewalRetrySeconds.count <= 20 && $0.renewalRetrySeconds.allSatisfy { isWhole($0) }
        },
        .init("grace.seconds", \.graceSeconds) { isWhole($0.graceSeconds, to: 1_209_600) },
        .init("activation.pollSeconds", \.activationPollSeconds) {
            isWhole($0.activationPollSeconds, from: 1)
        },
        .init("activation.waitSeconds", \.activationWaitSeconds) {
            isWhole($0.activationWaitSeconds)
        },
        .init("exam.verbalQuestions", \.examVerbalQuestions) {
            isWhole($0.examVerbalQuestions, from: 5)
        },
        .init("exam.quantitativeQuestions", \.examQuantitativeQuestions) {
            isWhole($0.examQuantitativeQuestions, from: 3)
        },
        .init("exam.durationSeconds", \.examDurationSeconds) {
            isWhole($0.examDurationSeconds, from: 1)
        },
        .init("exam.generationSeconds", \.examGenerationSeconds) {
            isWhole($0.examGenerationSeconds)
        },
        .init("exam.intervalSeconds", \.examIntervalSeconds) { isWhole($0.examIntervalSeconds) },
        .init("exam.incompleteCounts", \.examIncompleteCounts),
        .init("exam.resumeSeconds", \.examResumeSeconds) { isWhole($0.examResumeSeconds) },
        .init("exam.syncSeconds", \.examSyncSeconds) { isWhole($0.examSyncSeconds) },
        .init("practice.generationSeconds", \.practiceGenerationSeconds) {
            isWhole($0.practiceGenerationSeconds)
        },
        .init("generation.retries", \.generationRetries) { isWhole($0.generationRetries) },
        .init("question.repeatDays", \.questionRepeatDays) {
            isWhole($0.questionRepeatDays, to: 36_500)
        },
        .init("question.repeatTolerancePercent", \.questionRepeatTolerancePercent) {
            isPercentage($0.questionRepeatTolerancePercent)
        },
        .init("question.imageFailure", \.questionImageFailure),
        .init("answers.perMinute", \.answersPerMinute) { isWhole($0.answersPerMinute, from: 1) },
        .init("flags.fastSeconds", \.flagsFastSeconds) { isWhole($0.flagsFastSeconds) },
        .init("flags.fastAnswers", \.flagsFastAnswers) { isWhole($0.flagsFastAnswers, from: 1) },
        .init("flags.toleranceSeconds", \.flagsToleranceSeconds) {
            isWhole($0.flagsToleranceSeconds)
        },
        .init("bands", \.bands) { Band.isScale($0.bands) },
        .init("analytics.listed", \.analyticsListed) { isWhole($0.analyticsListed, from: 1) },
        .init("advice.trackWeight", \.adviceTrackWeight) { isWhole($0.adviceTrackWeight, from: 1) },
        .init("advice.minutesPerWeek", \.adviceMinutesPerWeek) { isWhole($0.adviceMinutesPerWeek) },
        .init("advice.raiseAbove", \.adviceRaiseAbove) { isPercentage($0.adviceRaiseAbove) },
        .init("advice.lowerBelow", \.adviceLowerBelow) { isPercentage($0.adviceLowerBelow) },
        .init("trend.window", \.trendWindow) { isWhole($0.trendWindow, from: 2) },
        .init("practice.countChoices", \.practiceCountChoices) {
            isAscending($0.practiceCountChoices)
        },
        .init("peers.enabled", \.peersEnabled),
        .init("peers.minimum", \.peersMinimum) { isWhole($0.peersMinimum, from: 1) },
        .init("milestones.exams", \.milestonesExams) { isAscending($0.milestonesExams) },
        .init("milestones.practiceHours", \.milestonesPracticeHours) {
            isAscending($0.milestonesPracticeHours)
        },
        .init("milestones.perfectCategory", \.milestonesPerfectCategory),
        .init("milestones.improvement", \.milestonesImprovement) {
            isWhole($0.milestonesImprovement, from: 1, to: 100)
        },
        .init("reminder.mode", \.reminderMode),
        .init("reminder.weekSecond", \.reminderWeekSecond) {
            isWhole($0.reminderWeekSecond, to: 604_799)
        },
        .init("reminder.leadSeconds", \.reminderLeadSeconds) { isWhole($0.reminderLeadSeconds) },
        .init("engagement.inactiveDays", \.engagementInactiveDays) {
            isWhole($0.engagementInactiveDays, from: 1, to: 36_500)
        },
        .init("quota.alertPercent", \.quotaAlertPercent) { isPercentage($0.quotaAlertPercent) },
        .init("alert.windowSeconds", \.alertWindowSeconds) {
            isWhole($0.alertWindowSeconds, from: 1)
        },
        .init("alert.generationFailures", \.alertGenerationFailures) {
            isWhole($0.alertGenerationFailures, from: 1)
        },
        .init("alert.paymentFailures", \.alertPaymentFailures) {
            isWhole($0.alertPaymentFailures, from: 1)
        },
        .init("retention.days", \.retentionDays) { isWhole($0.retentionDays, from: 1, to: 36_500) },
        .init("retention.authPaymentDays", \.retentionAuthPaymentDays) {
            isWhole($0.retentionAuthPaymentDays, from: 1, to: 36_500)
        },
    ]

    private static func isWhole(_ value: Int?, from least: Int = 0, to most: Int = 1_000_000_000)
        -> Bool
    {
        value.map { least...most ~= $0 } ?? true
    }

    private static func isPercentage(_ value: Tafawoq.ExactPercent) -> Bool {
        (.zero)...(.hundred) ~= value.percent
    }

    private static func isCurrency(_ text: String) -> Bool {
        text.utf8.count == 3
            && text.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    }

    private static func isAscending(_ numbers: [Int]) -> Bool {
        numbers.count <= 20 && numbers.allSatisfy { isWhole($0, from: 1) }
            && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }
}
