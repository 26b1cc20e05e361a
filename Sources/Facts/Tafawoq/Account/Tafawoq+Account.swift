package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// A student: account, profile, and what reminders and notifications wait for.
    package struct StudentRow: Record {
        /// Whose key seals what is personal here.
        package var person = InternedText.empty
        package var email: String?
        package var passwordDigest: String?
        package var picture: String?
        package var verifyDigest: String?
        package var resetDigest: String?
        package var verifyCode: CodeRow?
        package var resetCode: CodeRow?
        package var codeTries: CodeTries?
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
        /// Refusals since the last sign-in or change of password (R7).
        package var wrongCredentials = 0
        package var lastWrongAt: Instant?
        package var openSessions: [SessionID] = []
        package var lastSession: SessionID?
        package var lastSignInAt: Instant?
        /// When the last event of the audit stream happened.
        package var auditedAt: Instant?
        /// What the reminders wait for (R42, R43, R45).
        package var disabledTopics: [Topic] = []
        package var remindersEnabledAt: Instant?
        package var engagementEnabledAt: Instant?
        package var remindedAt: Instant?
        package var engagedAt: Instant?
        package var activeAt: Instant?
        /// The last number of a notification, and how many there are.
        package var lastNotificationNumber = 0
        package var notificationCount = 0
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
            coder.field("codeTries", &codeTries)
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
            coder.field("notices", &lastNotificationNumber)
            coder.field("told", &notificationCount)
            coder.field("studies", &studies)
            coder.field("milestones", &milestones)
        }
    }

    /// The last one-time code of a purpose (R6), without its digest.
    package struct CodeRow: Record {
        package var expiresAt = Instant.epoch
        package var resendAt = Instant.epoch
        package var isUsed = false
        /// Refusals `otp-wrong` since it was issued.
        package var wrong = 0

        package init() {}
    }

    /// Refusals `otp-wrong` of an account, whichever code they were for: another code begins no other count (R6).
    package struct CodeTries: Record {
        /// When the first of them happened.
        package var since = Instant.epoch
        package var wrong = 0

        package init() {}
    }
}

extension Tafawoq.State {
    /// When the account's codes are looked at again, and others are issued; nil while tries are left (R6).
    package func codesWait(of student: Tafawoq.StudentID, at instant: Instant) -> Instant? {
        guard let tries = students.read(student, { $0.codeTries }) ?? nil,
            tries.wrong >= policy.otpWindowAttempts
        else { return nil }
        let end = tries.since + policy.otpWindowSeconds
        return instant < end ? end : nil
    }

    /// Counts a wrong code; the count begins anew a window after its first one (R6).
    func noteWrongCode(of student: Tafawoq.StudentID, at instant: Instant) {
        let window = policy.otpWindowSeconds
        students.updateExisting(student) { row in
            var tries = row.codeTries ?? .init()
            if tries.wrong == 0 || instant >= tries.since + window {
                tries.since = instant
                tries.wrong = 0
            }
            tries.wrong += 1
            row.codeTries = tries
        }
    }
}

extension Tafawoq.State {
    static func accountRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Account.Registered.self) { $0.registered($1, $2) }
        routes.on(Tafawoq.Account.CodeIssued.self) { state, event, _ in state.issued(event) }
        routes.on(Tafawoq.Account.Verified.self) { state, event, _ in
            let isFirst = state.students.read(event.student) { !$0.isVerified } ?? false
            state.students.updateExisting(event.student) {
                $0.isVerified = true
                $0.verifyCode?.isUsed = true
                $0.codeTries = nil
            }
            if isFirst { state.totals.update(.only) { $0.verified += 1 } }
        }
        routes.on(Tafawoq.Account.PasswordChanged.self) { state, event, _ in
            state.students.updateExisting(event.student) {
                $0.passwordDigest = event.passwordDigest
                $0.resetCode?.isUsed = true
                $0.codeTries = nil
                $0.wrongCredentials = 0
                $0.lastWrongAt = nil
            }
        }
        routes.on(AccountErased.self) { $0.erased($1, $2) }
    }

    private func registered(_ event: Tafawoq.Account.Registered, _ metadata: EventMetadata) {
        students.update(event.student) {
            $0.person = InternedText(metadata.subject)
            $0.email = event.email
            $0.passwordDigest = event.passwordDigest
            $0.termsVersion = event.termsVersion
            $0.privacyVersion = event.privacyVersion
            $0.registeredAt = metadata.at
        }
        remember(event.email, of: event.student)
        learning.insert(.init(), at: event.student)
        subscriptions.insert(.init(), at: event.student)
        totals.update(.only) { $0.registered += 1 }
    }

    /// Replaces the code of a purpose: only the last one counts (R6).
    private func issued(_ event: Tafawoq.Account.CodeIssued) {
        var code = Tafawoq.CodeRow()
        code.expiresAt = event.expiresAt
        code.resendAt = event.resendAt
        students.updateExisting(event.student) {
            switch event.purpose {
            case .verify:
                $0.verifyCode = code
                $0.verifyDigest = event.otpDigest
            case .reset:
                $0.resetCode = code
                $0.resetDigest = event.otpDigest
            }
        }
    }

    /// Erases a student: personal fields and open sessions go, and none of their timers fires (R2).
    private func erased(_ event: AccountErased, _ metadata: EventMetadata) {
        guard let person = Person(names.text(event.subject)), person.product == Tafawoq.product,
            let symbol = names.known(person.id)
        else { return }
        let student = Tafawoq.StudentID(symbol)
        guard let row = students[student] else { return }
        for session in row.openSessions {
            cancelTimers(of: session)
            if let device = sessions[session]?.device, devices[device]?.session == session {
                devices.remove(device)
            }
        }
        for study in row.studies { cancelTimers(of: study) }
        cancelTimers("subscription", of: student)
        let reminders = notificationStream(of: student)
        timers.cancel(Tafawoq.TimerName.examReminder, onNamed: reminders)
        prompts.mark(student, cause: metadata.position)
        let progress = learning[student]
        if let exam = progress?.openExam {
            cancelTimers("exam", of: exam)
            leaveQueue(.init(.exam, exam))
        }
        if let practice = progress?.openPractice {
            cancelTimers("practice", of: practice)
            leaveQueue(.init(.practice, practice))
        }
        students.update(student) {
            $0.isErased = true
            $0.email = nil
            $0.passwordDigest = nil
            $0.picture = nil
            $0.verifyDigest = nil
            $0.resetDigest = nil
        }
    }

    /// Cancels all timers on a stream of the thing.
    private func cancelTimers<T>(_ noun: String = T.noun, of id: Identifier<T>) {
        guard let stream = knownStream(noun, of: id) else { return }
        timers.cancelAll(on: stream)
    }
}
