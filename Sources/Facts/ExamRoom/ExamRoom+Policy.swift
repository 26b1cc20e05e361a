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
        package var discardAfterDays = 0
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
        .init("credentialSchemes", \.credentialSchemes) { !$0.credentialSchemes.isEmpty },
        .init("defaultTimeZone", \.defaultTimeZone) {
            TimeZones.zone(named: $0.defaultTimeZone) != nil
        },
        .init("defaultTheme", \.defaultTheme),
        .init("defaultSync", \.defaultSync),
        .init("defaultDurationMinutes", \.defaultDurationMinutes) {
            $0.minDurationMinutes <= $0.defaultDurationMinutes
                && $0.defaultDurationMinutes <= $0.maxDurationMinutes
        },
        .init("defaultMaxAttempts", \.defaultMaxAttempts) { ($0.defaultMaxAttempts ?? 1) >= 1 },
        .init("defaultShuffleQuestions", \.defaultShuffleQuestions),
        .init("defaultShuffleOptions", \.defaultShuffleOptions),
        .init("defaultFeedback", \.defaultFeedback),
        .init("defaultPassPercent", \.defaultPassPercent) {
            isPercentage($0.defaultPassPercent)
        },
        .init("minDurationMinutes", \.minDurationMinutes) { $0.minDurationMinutes >= 1 },
        .init("maxDurationMinutes", \.maxDurationMinutes) { $0.maxDurationMinutes >= 1 },
        .init("maxTitleLength", \.maxTitleLength) { $0.maxTitleLength >= 1 },
        .init("maxPromptLength", \.maxPromptLength) { $0.maxPromptLength >= 1 },
        .init("maxOptionLength", \.maxOptionLength) { $0.maxOptionLength >= 1 },
        .init("maxJustificationLength", \.maxJustificationLength) {
            $0.maxJustificationLength >= 1
        },
        .init("minOptions", \.minOptions) { $0.minOptions >= 2 },
        .init("maxOptions", \.maxOptions) { $0.maxOptions >= 2 },
        .init("maxQuestions", \.maxQuestions) { $0.maxQuestions >= 1 },
        .init("imageFormats", \.imageFormats) { !$0.imageFormats.isEmpty },
        .init("maxImageBytes", \.maxImageBytes) { $0.maxImageBytes >= 1 },
        .init("closeEndsAttempts", \.closeEndsAttempts),
        .init("instantAnswerFinal", \.instantAnswerFinal),
        .init("warningSeconds", \.warningSeconds) {
            $0.warningSeconds.allSatisfy { $0 >= 1 }
                && Set($0.warningSeconds).count == $0.warningSeconds.count
        },
        .init("awardsWhen", \.awardsWhen),
        .init("pointsPerPercent", \.pointsPerPercent) { $0.pointsPerPercent >= 1 },
        .init("pointsRounding", \.pointsRounding),
        .init("streakBadges", \.streakBadges) { isAscending($0.streakBadges, from: 2) },
        .init("speedDemonMinPrior", \.speedDemonMinPrior) { $0.speedDemonMinPrior >= 1 },
        .init("milestones", \.milestones) { isAscending($0.milestones, from: 1) },
        .init("extensionPercents", \.extensionPercents) {
            $0.extensionPercents.allSatisfy { $0 >= 1 }
        },
        .init("extensionMinutes", \.extensionMinutes) {
            $0.extensionMinutes.allSatisfy { $0 >= 1 }
        },
        .init("extensionAfterStart", \.extensionAfterStart),
        .init("scoreBuckets", \.scoreBuckets) {
            $0.scoreBuckets >= 1 && 100 % $0.scoreBuckets == 0
        },
        .init("discardAfterDays", \.discardAfterDays),
        .init("storageWarningPercent", \.storageWarningPercent) {
            isPercentage($0.storageWarningPercent)
        },
        .init("storageCriticalPercent", \.storageCriticalPercent) {
            isPercentage($0.storageCriticalPercent)
        },
        .init("coldDataDays", \.coldDataDays) { $0.coldDataDays >= 1 },
        .init("retryBaseSeconds", \.retryBaseSeconds) { $0.retryBaseSeconds >= 1 },
        .init("retryMaxSeconds", \.retryMaxSeconds) { $0.retryMaxSeconds >= 1 },
        .init("bytesPerCommand", \.bytesPerCommand) { $0.bytesPerCommand >= 1 },
        .init("migrationOnce", \.migrationOnce),
        .init("auditRetentionDays", \.auditRetentionDays) { $0.auditRetentionDays >= 1 },
    ]

    private static func isPercentage(_ value: Percent) -> Bool {
        (.zero)...(.hundred) ~= value
    }

    private static func isAscending(_ numbers: [Int], from least: Int) -> Bool {
        (numbers.first ?? least) >= least
            && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }
}
