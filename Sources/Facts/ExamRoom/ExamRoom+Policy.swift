package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// The numbers and switches that the rules depend on (page, Policy).
    package struct Policy: Hashable, Sendable {
        package var requireSession = false
        package var temporaryMustChange = true
        package var credentialSchemes = ["bcrypt", "argon2id", "scrypt", "pbkdf2-sha256"]
        package var defaultTimeZone = "UTC"
        package var defaultTheme = Account.Theme.light
        package var defaultSync = Account.SyncPreference.wifiOrCellular
        package var defaultDurationMinutes = 60
        package var defaultMaxAttempts: Int? = 1
        package var defaultShuffleQuestions = false
        package var defaultShuffleOptions = false
        package var defaultFeedback = Exam.Feedback.after
        package var defaultPassPercent = Percent(whole: 50)
        package var minDurationMinutes = 1
        package var maxDurationMinutes = 1440
        package var maxTitleLength = 200
        package var maxPromptLength = 2000
        package var maxOptionLength = 500
        package var maxJustificationLength = 2000
        package var minOptions = 2
        package var maxOptions = 10
        package var maxQuestions = 200
        package var imageFormats = ["jpeg", "png", "webp"]
        package var maxImageBytes = 5_242_880
        package var closeEndsAttempts = false
        package var instantAnswerFinal = true
        package var warningSeconds = [300, 60]
        package var awardsWhen = AwardsWhen.completion
        package var pointsPerPercent = 1
        package var pointsRounding = PointsRounding.down
        package var streakBadges = [3, 7, 14, 30]
        package var speedDemonMinPrior = 1
        package var milestones = [1000, 5000, 10000]
        package var extensionPercents = [25, 50, 100, 150]
        package var extensionMinutes = [15, 30, 45, 60]
        package var extensionAfterStart = ExtensionAfterStart.nextAttempt
        package var scoreBuckets = 10
        package var discardAfterDays: Days = 0
        package var storageWarningPercent = Percent(whole: 80)
        package var storageCriticalPercent = Percent(whole: 95)
        package var coldDataDays = 90
        package var retryBaseSeconds = 30
        package var retryMaxSeconds = 3600
        package var bytesPerCommand = 600
        package var migrationOnce = true
        package var auditRetentionDays = 365

        package init() {}

        package enum AwardsWhen: String, Choice {
            case completion, results
        }

        package enum PointsRounding: String, Choice {
            case down, nearest
        }

        package enum ExtensionAfterStart: String, Choice {
            case nextAttempt = "next-attempt"
            case refuse
        }
    }
}

extension ExamRoom.Policy: PolicyBook {
    package static let entries: [PolicyEntry<Self>] = [
        .init("requireSession", \.requireSession),
        .init("temporaryMustChange", \.temporaryMustChange),
        .init("credentialSchemes", \.credentialSchemes, someTexts) {
            areTexts($0.credentialSchemes)
        },
        .init("defaultTimeZone", \.defaultTimeZone, "an IANA time zone") {
            TimeZones.zone(named: $0.defaultTimeZone) != nil
        },
        .init("defaultTheme", \.defaultTheme),
        .init("defaultSync", \.defaultSync),
        .init(
            "defaultDurationMinutes", \.defaultDurationMinutes,
            "a whole number within the two limits of durations"
        ) {
            $0.minDurationMinutes <= $0.defaultDurationMinutes
                && $0.defaultDurationMinutes <= $0.maxDurationMinutes
        },
        .init("defaultMaxAttempts", \.defaultMaxAttempts, 1...Bounds.count.upperBound),
        .init("defaultShuffleQuestions", \.defaultShuffleQuestions),
        .init("defaultShuffleOptions", \.defaultShuffleOptions),
        .init("defaultFeedback", \.defaultFeedback),
        .init("defaultPassPercent", \.defaultPassPercent) {
            isPercentage($0.defaultPassPercent)
        },
        .init("minDurationMinutes", \.minDurationMinutes, 1...Bounds.minutes.upperBound),
        .init("maxDurationMinutes", \.maxDurationMinutes, 1...Bounds.minutes.upperBound),
        .init("maxTitleLength", \.maxTitleLength, 1...Bounds.text.upperBound),
        .init("maxPromptLength", \.maxPromptLength, 1...Bounds.text.upperBound),
        .init("maxOptionLength", \.maxOptionLength, 1...Bounds.text.upperBound),
        .init("maxJustificationLength", \.maxJustificationLength, 1...Bounds.text.upperBound),
        .init("minOptions", \.minOptions, 2...Bounds.count.upperBound),
        .init("maxOptions", \.maxOptions, 2...Bounds.count.upperBound),
        .init("maxQuestions", \.maxQuestions, 1...Bounds.count.upperBound),
        .init("imageFormats", \.imageFormats, someTexts) { areTexts($0.imageFormats) },
        .init("maxImageBytes", \.maxImageBytes, 1...Bounds.count.upperBound),
        .init("closeEndsAttempts", \.closeEndsAttempts),
        .init("instantAnswerFinal", \.instantAnswerFinal),
        .init("warningSeconds", \.warningSeconds, 1...Bounds.seconds.upperBound, most: 50) {
            Set($0.warningSeconds).count == $0.warningSeconds.count
        },
        .init("awardsWhen", \.awardsWhen),
        .init("pointsPerPercent", \.pointsPerPercent, 1...Bounds.count.upperBound),
        .init("pointsRounding", \.pointsRounding),
        .init("streakBadges", \.streakBadges, 2...Bounds.days.upperBound, most: 50) {
            isAscending($0.streakBadges)
        },
        .init("speedDemonMinPrior", \.speedDemonMinPrior, 1...Bounds.count.upperBound),
        .init("milestones", \.milestones, 1...Bounds.count.upperBound, most: 50) {
            isAscending($0.milestones)
        },
        .init("extensionPercents", \.extensionPercents, 1...1000, most: 50),
        .init("extensionMinutes", \.extensionMinutes, 1...Bounds.minutes.upperBound, most: 50),
        .init("extensionAfterStart", \.extensionAfterStart),
        .init("scoreBuckets", \.scoreBuckets, "a whole number that divides 100") {
            $0.scoreBuckets >= 1 && 100 % $0.scoreBuckets == 0
        },
        .init("discardAfterDays", \.discardAfterDays, Bounds.days),
        .init("storageWarningPercent", \.storageWarningPercent) {
            isPercentage($0.storageWarningPercent)
        },
        .init("storageCriticalPercent", \.storageCriticalPercent) {
            isPercentage($0.storageCriticalPercent)
        },
        .init("coldDataDays", \.coldDataDays, 1...Bounds.days.upperBound),
        .init("retryBaseSeconds", \.retryBaseSeconds, 1...Bounds.seconds.upperBound),
        .init("retryMaxSeconds", \.retryMaxSeconds, 1...Bounds.seconds.upperBound),
        .init("bytesPerCommand", \.bytesPerCommand, 1...Bounds.count.upperBound),
        .init("migrationOnce", \.migrationOnce),
        .init("auditRetentionDays", \.auditRetentionDays, 1...Bounds.days.upperBound),
    ]

    private static let someTexts = "a list that is not empty, each \(Bounds.text.characters)"

    private static func areTexts(_ texts: [String]) -> Bool {
        !texts.isEmpty && texts.allSatisfy { Bounds.text ~= $0.scalarCount }
    }

    private static func isPercentage(_ value: Percent) -> Bool {
        (.zero)...(.hundred) ~= value
    }

    private static func isAscending(_ numbers: [Int]) -> Bool {
        zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }
}
