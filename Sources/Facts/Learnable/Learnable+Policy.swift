package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// The numbers and switches that the rules depend on (page, Policy).
    package struct Policy: Hashable, Sendable {
        package var trialDays: Days = 7
        package var trialTracking = TrialTracking.accountOrDevice
        package var trialRemindDaysBefore: Days = 3
        package var afterTrial = AfterTrial.wholeApp
        package var freeLimit = 3
        package var verifiedDuringTrial = false
        package var curriculumPresets = ["comprehensive", "basic-to-advanced"]
        package var tonePresets = ["eli5", "pirate", "like-my-mom"]
        package var toneRequired = true
        package var draftDays: Days = 30
        package var addOns = AddOns()
        package var extraQuestions = 1
        package var chatClearsOn = ChatClearsOn.anyMove
        /// Levels 1 to 4.
        package var levels = [
            Level(1, 2, [.multipleChoice]), Level(3, 4, [.multipleChoice, .freeText]),
            Level(7, 8, [.freeText]), Level(14, 15, [.freeText]),
        ]
        package var masteredEveryDays = 20
        package var wrongAnswerDue = WrongAnswerDue.shortest
        package var wrongAnswerCount = WrongAnswerCount.kept
        package var dailyFirst = DailyFirst.everyOpen
        package var afterSkip = AfterSkip.indicator
        package var optionalQuestions = 5
        package var optionalWhenFewer = WhenFewer.refuse
        package var optionalStatistics = Quiz.Statistics.completed
        package var quizIdleDays = IdleDays.neutral
        package var studySeconds = 1
        package var maxSpanMinutes: Minutes = 720
        package var masteryMeasure = MasteryMeasure.correctOfAnswered
        package var dailyQuizAt = ClockTime(minutes: 20 * 60)
        package var studyAt = ClockTime(minutes: 19 * 60)
        package var quickQuizAt = ClockTime(minutes: 17 * 60)
        package var studyMinutes = 15
        package var studyWhen = StudyWhen.noStudy
        package var quietAfterDays = 7
        package var fontSizes = ["small", "medium", "large", "extra-large"]
        package var fontStyles = ["system", "serif", "sans-serif", "monospace"]
        package var authorPercent = 100
        package var terms = Title("learnable://documents/terms")
        package var privacy = Title("learnable://documents/privacy")

        package init() {}

        /// What the daily quiz does with questions of a level.
        package struct Level: Hashable, Sendable {
            package var minDays: Int
            package var maxDays: Int
            package var formats: [Format]
            package var correctToAdvance = 7

            init(_ minDays: Int, _ maxDays: Int, _ formats: [Format]) {
                self.minDays = minDays
                self.maxDays = maxDays
                self.formats = formats
            }
        }

        package enum TrialTracking: String, Choice {
            case accountOrDevice = "account-or-device"
            case account
        }

        package enum AfterTrial: String, Choice {
            case wholeApp = "whole-app"
            case premiumFeatures = "premium-features"
        }

        package enum ChatClearsOn: String, Choice {
            case anyMove = "any-move"
            case forwardOnly = "forward-only"
        }

        package enum WrongAnswerDue: String, Choice {
            case shortest, tomorrow, range
        }

        package enum WrongAnswerCount: String, Choice {
            case kept
            case minusOne = "minus-one"
            case reset
        }

        package enum DailyFirst: String, Choice {
            case everyOpen = "every-open"
            case firstOpen = "first-open"
            case never
        }

        package enum AfterSkip: String, Choice {
            case indicator, none
        }

        package enum WhenFewer: String, Choice {
            case refuse
            case askAll = "ask-all"
        }

        package enum IdleDays: String, Choice {
            case neutral
            case breaks = "break"
        }

        package enum MasteryMeasure: String, Choice {
            case correctOfAnswered = "correct-of-answered"
            case correctOfGenerated = "correct-of-generated"
        }

        package enum StudyWhen: String, Choice {
            case noStudy = "no-study"
            case tooShort = "too-short"
        }

        /// What holds at a level, 1 to 4; of any other number the nearest one.
        package func level(_ number: Int) -> Level {
            levels[min(max(number, 1), levels.count) - 1]
        }
    }

    /// A time of the day, `HH:MM`.
    package struct ClockTime: FieldValue {
        package let minutes: Int

        package init(minutes: Int) {
            self.minutes = minutes
        }

        package var secondOfDay: Int32 { Int32(clamping: minutes * 60) }

        package static var empty: ClockTime { ClockTime(minutes: 0) }
        package static var schema: String { "clock" }

        package func write(to writer: inout BinaryWriter) { minutes.write(to: &writer) }

        package static func read(from reader: inout BinaryReader) -> ClockTime {
            ClockTime(minutes: Int.read(from: &reader))
        }

        package func write(to output: inout JSONOutput) {
            func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            output.json.string("\(digits(minutes / 60)):\(digits(minutes % 60))")
        }

        package static func read(_ json: JSON, from input: inout JSONInput) -> ClockTime? {
            if case .string(let text) = json, let minutes = Self.minutes(Array(text.utf8)) {
                return ClockTime(minutes: minutes)
            }
            input.fail("expected a time from 00:00 to 23:59")
            return nil
        }

        private static func minutes(_ text: [UInt8]) -> Int? {
            guard text.count == 5, text[2] == UInt8(ascii: ":") else { return nil }
            let digits = [text[0], text[1], text[3], text[4]].map { Int($0) - 48 }
            guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
            let hours = digits[0] * 10 + digits[1]
            let minutes = digits[2] * 10 + digits[3]
            return hours < 24 && minutes < 60 ? hours * 60 + minutes : nil
        }
    }
}

extension Learnable.Policy: PolicyBook {
    package static let entries: [PolicyEntry<Self>] =
        [
            .init("trial.days", \.trialDays, 1...365),
            .init("trial.tracking", \.trialTracking),
            .init("trial.remindDaysBefore", \.trialRemindDaysBefore, 0...365),
            .init("access.afterTrial", \.afterTrial),
            .init("subjects.freeLimit", \.freeLimit, 0...1000),
            .init("verified.duringTrial", \.verifiedDuringTrial),
            .init("wizard.curriculumPresets", \.curriculumPresets, titles) {
                isList($0.curriculumPresets, mayBeEmpty: true)
            },
            .init("wizard.tonePresets", \.tonePresets, titles) {
                isList($0.tonePresets, mayBeEmpty: true)
            },
            .init("wizard.toneRequired", \.toneRequired),
            .init("wizard.draftDays", \.draftDays, 0...3650),
            .init("addOns.engagementQuestion", \.addOns.engagementQuestion),
            .init("addOns.endingProject", \.addOns.endingProject),
            .init("addOns.voice", \.addOns.voice),
            .init("addOns.reinforcement", \.addOns.reinforcement),
            .init("engagement.extraQuestions", \.extraQuestions, 0...1),
            .init("chat.clearsOn", \.chatClearsOn),
        ] + (0..<4).flatMap { levelEntries($0) } + [
            .init("mastered.everyDays", \.masteredEveryDays, 1...365),
            .init("wrongAnswer.due", \.wrongAnswerDue),
            .init("wrongAnswer.count", \.wrongAnswerCount),
            .init("quiz.dailyFirst", \.dailyFirst),
            .init("quiz.afterSkip", \.afterSkip),
            .init("quiz.optionalQuestions", \.optionalQuestions, 1...50),
            .init("quiz.optionalWhenFewer", \.optionalWhenFewer),
            .init("statistics.optionalQuiz", \.optionalStatistics),
            .init("streak.quizIdleDays", \.quizIdleDays),
            .init("streak.studySeconds", \.studySeconds, 1...86_400),
            .init("study.maxSpanMinutes", \.maxSpanMinutes, 1...1440),
            .init("mastery.measure", \.masteryMeasure),
            .init("reminder.dailyQuizAt", \.dailyQuizAt, timeOfDay),
            .init("reminder.studyAt", \.studyAt, timeOfDay),
            .init("reminder.quickQuizAt", \.quickQuizAt, timeOfDay),
            .init("reminder.studyMinutes", \.studyMinutes, 1...1440),
            .init("reminder.studyWhen", \.studyWhen),
            .init("reminder.quietAfterDays", \.quietAfterDays, 0...365),
            .init("fonts.sizes", \.fontSizes, someTitles) {
                isList($0.fontSizes, mayBeEmpty: false)
            },
            .init("fonts.styles", \.fontStyles, someTitles) {
                isList($0.fontStyles, mayBeEmpty: false)
            },
            .init("shop.authorPercent", \.authorPercent, 0...100),
            .init("documents.terms", \.terms, title),
            .init("documents.privacy", \.privacy, title),
        ]

    private static let someFormats =
        "a list, at least one, each once, of "
        + Learnable.Format.allCases.map(\.rawValue).joined(separator: ", ")
    private static let title = "a text of 1 to 200 characters, not all of them blank"
    private static let titles = "a list, each once, of texts of 1 to 200 characters"
    private static let someTitles = titles + ", at least one"
    private static let timeOfDay = "a time from 00:00 to 23:59"

    private static func levelEntries(_ index: Int) -> [PolicyEntry<Self>] {
        let name = "levels.\(index + 1)"
        return [
            .init("\(name).minDays", \.levels[index].minDays, 1...365) {
                $0.levels[index].minDays <= $0.levels[index].maxDays
            },
            .init("\(name).maxDays", \.levels[index].maxDays, 1...365),
            .init("\(name).formats", \.levels[index].formats, someFormats) {
                let formats = $0.levels[index].formats
                return !formats.isEmpty && Set(formats).count == formats.count
            },
            .init("\(name).correctToAdvance", \.levels[index].correctToAdvance, 1...100),
        ]
    }

    /// Titles without duplicates.
    private static func isList(_ texts: [String], mayBeEmpty: Bool) -> Bool {
        (mayBeEmpty || !texts.isEmpty)
            && Set(texts.map { ExactText($0) }).count == texts.count
            && texts.allSatisfy { (1...200).contains($0.scalarCount) && !$0.isBlank }
    }
}

extension Learnable.State {
    /// Adopts policy values. What was recorded stays; only reminders still to come move, and only when
    /// a value that they depend on has changed (R47). That no reminder may precede the adoption moves
    /// none: those due before it have fired.
    func adopt(_ event: Learnable.PolicyAdopted, _ metadata: EventMetadata) {
        let former = policy
        policies.adopt(event.changes, by: metadata)
        policyMoments.update(.only) { $0.latest = max($0.latest, metadata.at) }
        guard policy.remindsOtherwise(than: former) else { return }
        for student in students.allKeys.sorted(by: { $0.denseNumber < $1.denseNumber }) {
            setReminders(of: student, cause: metadata.position)
        }
    }
}
