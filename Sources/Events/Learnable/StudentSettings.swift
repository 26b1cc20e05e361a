package import Core

extension Learnable {
    /// Who the student says to be. On the student's stream.
    package enum Profile {
        /// The given fields, null for one that was cleared (FR-012).
        package struct Edited: Carried {
            package static let type = "learnable.profile.edited"
            package static let streams = ["student"]
            package static let sentence = "A profile was edited."
            package var student = StudentID.none
            package var name: Title??
            package var occupation: Title??
            package var workplace: Title??
            package var bio: Body??

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.optionalPersonal("name", &name)
                coder.optionalPersonal("occupation", &occupation)
                coder.optionalPersonal("workplace", &workplace)
                coder.optionalPersonal("bio", &bio)
            }
        }
    }

    /// How the app looks. On the student's stream.
    package enum Appearance {
        package enum Area: String, Choice {
            case systemLayout = "system-layout"
            case subjectMaterial = "subject-material"
            case chatAssistant = "chat-assistant"
        }

        /// Both values now in force for the area.
        package struct Chosen: Carried {
            package static let type = "learnable.appearance.chosen"
            package static let streams = ["student"]
            package static let sentence = "Fonts were chosen."
            package var student = StudentID.none
            package var area = Area.systemLayout
            package var fontSize = ""
            package var fontStyle = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("area", &area)
                coder.field("fontSize", &fontSize)
                coder.field("fontStyle", &fontStyle)
            }
        }
    }

    /// The typing modes. On the student's stream.
    package enum Keyboard {
        /// Both values now in force.
        package struct Configured: Carried {
            package static let type = "learnable.keyboard.configured"
            package static let streams = ["student"]
            package static let sentence = "The keyboard was configured."
            package var student = StudentID.none
            package var codeBlock = true
            package var mathLatex = true

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("codeBlock", &codeBlock)
                coder.field("mathLatex", &mathLatex)
            }
        }
    }

    /// What the student wants to be reminded of (R44). On the student's stream.
    package enum Reminders {
        package enum Frequency: String, Choice {
            case daily, weekly
        }

        /// All four values now in force.
        package struct Configured: Carried {
            package static let type = "learnable.reminders.configured"
            package static let streams = ["student"]
            package static let sentence = "Reminders were configured."
            package var student = StudentID.none
            package var dailyQuiz = true
            package var study = true
            package var quickQuiz = false
            package var quickQuizFrequency = Frequency.weekly
            package var day = LocalDate.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("dailyQuiz", &dailyQuiz)
                coder.field("study", &study)
                coder.field("quickQuiz", &quickQuiz)
                coder.field("quickQuizFrequency", &quickQuizFrequency)
                coder.field("day", &day)
            }
        }
    }

    /// What the student should be told. On the student's stream.
    package enum Notification {
        package enum Kind: String, Choice {
            case trialEnding = "trial-ending"
            case trialEnded = "trial-ended"
            case subscriptionEnded = "subscription-ended"
            case dailyQuizReminder = "daily-quiz-reminder"
            case studyReminder = "study-reminder"
            case quickQuizReminder = "quick-quiz-reminder"
            case subjectReady = "subject-ready"
            case generationFailed = "generation-failed"
            case offerAcquired = "offer-acquired"
        }

        /// Delivery is the push service's.
        package struct Raised: Carried {
            package static let type = "learnable.notification.raised"
            package static let streams = ["student"]
            package static let sentence = "A notification was raised."
            package var student = StudentID.none
            package var notification = Kind.trialEnding
            package var target = ""
            package var day = LocalDate.epoch
            package var facts = KeptJSON(.object([]))

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("notification", &notification)
                coder.field("target", &target)
                coder.field("day", &day)
                coder.field("facts", &facts)
            }
        }
    }
}
