import Core
import Folding
import TafawoqEvents

extension Tafawoq.State {
    static func accountRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Account.Registered.self) { $0.registered($1, $2) }
        routes.on(Tafawoq.Account.CodeIssued.self) { state, event, _ in state.issued(event) }
        routes.on(Tafawoq.Account.Verified.self) { state, event, _ in
            let isFirst = state.students.read(event.student) { !$0.isVerified } ?? false
            state.students.updateExisting(event.student) {
                $0.isVerified = true
                $0.verifyCode?.isUsed = true
            }
            if isFirst { state.roll.update(.only) { $0.verified += 1 } }
        }
        routes.on(Tafawoq.Account.PasswordChanged.self) { state, event, _ in
            state.students.updateExisting(event.student) {
                $0.passwordDigest = event.passwordDigest
                $0.resetCode?.isUsed = true
                $0.wrongCredentials = 0
                $0.lastWrongAt = nil
            }
        }
        routes.on(Tafawoq.Account.ProfileCompleted.self) { state, event, metadata in
            let isFirst = state.students.read(event.student) { $0.track == nil } ?? false
            state.students.updateExisting(event.student) {
                $0.track = event.track
                $0.profileCompletedAt = metadata.at
            }
            if isFirst { state.roll.update(.only) { $0.profileCompleted += 1 } }
            state.wasActive(event.student, metadata)
            state.setReminder(of: event.student, metadata.position)
        }
        routes.on(Tafawoq.Account.TrackChanged.self) { state, event, _ in
            state.students.updateExisting(event.student) { $0.track = event.to }
        }
        routes.on(Tafawoq.Account.PictureAttached.self) { state, event, _ in
            state.students.updateExisting(event.student) {
                $0.picture = event.picture
                $0.hasPicture = true
            }
        }
        routes.on(Tafawoq.Account.PictureRemoved.self) { state, event, _ in
            state.students.updateExisting(event.student) {
                $0.picture = nil
                $0.hasPicture = false
            }
        }
        routes.on(Tafawoq.Account.OnboardingFinished.self) { state, event, _ in
            state.students.updateExisting(event.student) { $0.isOnboarded = true }
        }
        routes.on(Tafawoq.Account.DeviceEnrolled.self) { state, event, _ in
            state.students.updateExisting(event.student) { row in
                if !row.pushDevices.contains(event.device) { row.pushDevices.append(event.device) }
            }
        }
        routes.on(Tafawoq.Account.DeviceWithdrawn.self) { state, event, _ in
            state.students.updateExisting(event.student) { row in
                row.pushDevices.removeAll { $0 == event.device }
            }
        }
        routes.on(AccountErased.self) { state, event, _ in state.erased(event) }
    }

    private func registered(_ event: Tafawoq.Account.Registered, _ metadata: EventMetadata) {
        students.update(event.student) {
            $0.person = Word(metadata.subject)
            $0.email = event.email
            $0.passwordDigest = event.passwordDigest
            $0.termsVersion = event.termsVersion
            $0.privacyVersion = event.privacyVersion
            $0.registeredAt = metadata.at
        }
        remember(event.email, of: event.student)
        learning.insert(.init(), at: event.student)
        subscriptions.insert(.init(), at: event.student)
        roll.update(.only) { $0.registered += 1 }
    }

    /// R6: only the last code of a purpose counts.
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

    /// R2: all that is theirs is nobody's from here on, and none of their timers fires.
    private func erased(_ event: AccountErased) {
        guard let person = Person(names.text(event.subject)), person.product == Tafawoq.product,
            let symbol = names.known(person.id)
        else { return }
        let student = Tafawoq.StudentID(symbol)
        guard let row = students[student] else { return }
        for session in row.openSessions {
            cancelTimers("session", session)
            if let device = sessions[session]?.device, devices[device]?.session == session {
                devices.remove(device)
            }
        }
        for study in row.studies { cancelTimers("study", study) }
        cancelTimers("subscription", student)
        let notices = stream("notification", student)
        timers.cancel(Tafawoq.TimerName.examReminder, onNamed: notices)
        timers.cancel(Tafawoq.TimerName.inactivity, onNamed: notices)
        let learned = learning[student]
        if let exam = learned?.openExam {
            cancelTimers("exam", exam)
            leaveQueue(.init(.exam, exam))
        }
        if let practice = learned?.openPractice {
            cancelTimers("practice", practice)
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

    private func cancelTimers<T>(_ noun: String, _ id: Identifier<T>) {
        guard let stream = knownStream(noun, id) else { return }
        timers.cancelAll(on: stream)
    }

    // MARK: Sessions

    static func sessionRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Session.Opened.self) { $0.opened($1, $2) }
        routes.on(Tafawoq.Session.Refreshed.self) { state, event, metadata in
            guard state.sessions.contains(event.session) else { return }
            state.sessions.updateExisting(event.session) { $0.expiresAt = event.expiresAt }
            state.setExpiry(event.expiresAt, metadata)
        }
        routes.on(Tafawoq.Session.Ended.self) { $0.ended($1, $2) }
        routes.on(Tafawoq.Access.Refused.self) { $0.refused($1, $2) }
    }

    private func opened(_ event: Tafawoq.Session.Opened, _ metadata: EventMetadata) {
        guard students.contains(event.student) else { return }
        sessions.update(event.session) {
            $0.student = event.student
            $0.device = event.device
            $0.openedAt = metadata.at
            $0.expiresAt = event.expiresAt
            $0.appVersion = event.appVersion
            $0.deviceType = event.deviceType
        }
        devices.update(event.device) { $0.session = event.session }
        students.updateExisting(event.student) {
            $0.openSessions.append(event.session)
            $0.lastSession = event.session
            $0.lastSignInAt = metadata.at
            $0.wrongCredentials = 0
            $0.lastWrongAt = nil
        }
        setExpiry(event.expiresAt, metadata)
        wasActive(event.student, metadata)
    }

    private func setExpiry(_ due: Instant, _ metadata: EventMetadata) {
        timers.set(
            [.init(Tafawoq.TimerName.sessionExpiry, due: due, cause: metadata.position)],
            on: metadata.stream)
    }

    private func ended(_ event: Tafawoq.Session.Ended, _ metadata: EventMetadata) {
        guard let row = sessions[event.session] else { return }
        sessions.updateExisting(event.session) { $0.isEnded = true }
        if devices[row.device]?.session == event.session { devices.remove(row.device) }
        students.updateExisting(row.student) { student in
            student.openSessions.removeAll { $0 == event.session }
        }
        timers.cancelAll(on: metadata.stream)
    }

    /// R3, and what R6 and R7 count.
    private func refused(_ event: Tafawoq.Access.Refused, _ metadata: EventMetadata) {
        guard let student = event.student else {
            roll.update(.only) { $0.auditedAt = metadata.at }
            return
        }
        students.updateExisting(student) { row in
            row.auditedAt = metadata.at
            switch event.code {
            case "wrong-credentials":
                row.wrongCredentials += 1
                row.lastWrongAt = metadata.at
            case "otp-wrong":
                if event.command == "tafawoq.account.verify" {
                    row.verifyCode?.wrong += 1
                } else {
                    row.resetCode?.wrong += 1
                }
            default: break
            }
        }
    }
}
