package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The last one-time code of a purpose (R6), without its digest.
    package struct CodeRow: Record {
        package var expiresAt = Instant.epoch
        package var resendAt = Instant.epoch
        package var isUsed = false
        /// Refusals `otp-wrong` since it was issued.
        package var wrong = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("expiresAt", &expiresAt)
            coder.field("resendAt", &resendAt)
            coder.field("isUsed", &isUsed)
            coder.field("wrong", &wrong)
        }
    }

    /// Who a student is, and what they are told.
    package struct StudentRow: Record {
        /// Whose key seals what is personal here.
        package var person = Word.empty
        package var email: String?
        package var passwordDigest: String?
        package var picture: String?
        package var verifyDigest: String?
        package var resetDigest: String?
        package var verifyCode: CodeRow?
        package var resetCode: CodeRow?
        package var registeredAt = Instant.epoch
        package var termsVersion: String?
        package var privacyVersion: String?
        package var isVerified = false
        package var isErased = false
        package var hasPicture = false
        package var track: Track?
        package var profileCompletedAt: Instant?
        package var isOnboarded = false
        package var pushDevices: [DeviceID] = []
        /// R7: refusals since the last sign-in or change of password.
        package var wrongCredentials = 0
        package var lastWrongAt: Instant?
        package var openSessions: [SessionID] = []
        package var lastSession: SessionID?
        package var lastSignInAt: Instant?
        /// Of the last event of the audit stream.
        package var auditedAt: Instant?
        /// R42, R43, R45
        package var disabledTopics: [Topic] = []
        package var remindersEnabledAt: Instant?
        package var engagementEnabledAt: Instant?
        package var remindedAt: Instant?
        package var engagedAt: Instant?
        package var activeAt: Instant?
        /// The last number of a notification, and how many there are.
        package var notices = 0
        package var told = 0
        package var studies: [StudyID] = []
        package var milestones: [String] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("person", &person)
            coder.kept("email", &email, of: person.symbol)
            coder.kept("passwordDigest", &passwordDigest, of: person.symbol)
            coder.kept("picture", &picture, of: person.symbol)
            coder.kept("verifyDigest", &verifyDigest, of: person.symbol)
            coder.kept("resetDigest", &resetDigest, of: person.symbol)
            coder.field("verifyCode", &verifyCode)
            coder.field("resetCode", &resetCode)
            coder.field("registeredAt", &registeredAt)
            coder.field("termsVersion", &termsVersion)
            coder.field("privacyVersion", &privacyVersion)
            coder.field("isVerified", &isVerified)
            coder.field("isErased", &isErased)
            coder.field("hasPicture", &hasPicture)
            coder.field("track", &track)
            coder.field("profileCompletedAt", &profileCompletedAt)
            coder.field("isOnboarded", &isOnboarded)
            coder.field("pushDevices", &pushDevices)
            coder.field("wrongCredentials", &wrongCredentials)
            coder.field("lastWrongAt", &lastWrongAt)
            coder.field("openSessions", &openSessions)
            coder.field("lastSession", &lastSession)
            coder.field("lastSignInAt", &lastSignInAt)
            coder.field("auditedAt", &auditedAt)
            coder.field("disabledTopics", &disabledTopics)
            coder.field("remindersEnabledAt", &remindersEnabledAt)
            coder.field("engagementEnabledAt", &engagementEnabledAt)
            coder.field("remindedAt", &remindedAt)
            coder.field("engagedAt", &engagedAt)
            coder.field("activeAt", &activeAt)
            coder.field("notices", &notices)
            coder.field("told", &told)
            coder.field("studies", &studies)
            coder.field("milestones", &milestones)
        }
    }

    package struct MilestoneRow: Record {
        package var milestone = ""
        package var at = Instant.epoch
        package var value = Percent.zero

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("milestone", &milestone)
            coder.field("at", &at)
            coder.field("value", &value)
        }
    }

    /// One notification.
    package struct NoticeRow: Record {
        package var type = Notification.Kind.empty
        package var at = Instant.epoch
        package var target = ""
        package var channels: [Notification.Channel] = []
        package var facts = KeptJSON.empty
        package var isDispatched = false
        package var isOpened = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("type", &type)
            coder.field("at", &at)
            coder.field("target", &target)
            coder.field("channels", &channels)
            coder.field("facts", &facts)
            coder.field("isDispatched", &isDispatched)
            coder.field("isOpened", &isOpened)
        }
    }

    package struct SessionRow: Record {
        package var student = StudentID.none
        package var device = DeviceID.none
        package var openedAt = Instant.epoch
        package var expiresAt = Instant.epoch
        package var appVersion: String?
        package var deviceType: String?
        package var isEnded = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("device", &device)
            coder.field("openedAt", &openedAt)
            coder.field("expiresAt", &expiresAt)
            coder.field("appVersion", &appVersion)
            coder.field("deviceType", &deviceType)
            coder.field("isEnded", &isEnded)
        }
    }

    package struct StudyRow: Record {
        package var student = StudentID.none
        package var scheduledAt = Instant.epoch
        package var startsAt = Instant.epoch
        package var `repeat` = Study.Repetition.empty
        package var leadSeconds = 0
        package var remindedAt: Instant?
        package var isCancelled = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("scheduledAt", &scheduledAt)
            coder.field("startsAt", &startsAt)
            coder.field("repeat", &`repeat`)
            coder.field("leadSeconds", &leadSeconds)
            coder.field("remindedAt", &remindedAt)
            coder.field("isCancelled", &isCancelled)
        }
    }
}
