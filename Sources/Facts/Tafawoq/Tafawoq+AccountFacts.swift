import Core
import Folding
import TafawoqEvents

extension Tafawoq.Centre {
    static func accountRoutes(_ routes: inout Routes<Tafawoq.Centre>) {
        routes.on(Tafawoq.Account.Registered.self) { $0.registered($1, $2) }
        routes.on(Tafawoq.Account.CodeIssued.self) { centre, fact, _ in centre.issued(fact) }
        routes.on(Tafawoq.Account.Verified.self) { centre, fact, _ in
            let isFirst = centre.students.read(fact.student) { !$0.isVerified } ?? false
            centre.students.updateExisting(fact.student) {
                $0.isVerified = true
                $0.verifyCode?.isUsed = true
            }
            if isFirst { centre.roll.update(.only) { $0.verified += 1 } }
        }
        routes.on(Tafawoq.Account.PasswordChanged.self) { centre, fact, _ in
            centre.students.updateExisting(fact.student) {
                $0.passwordDigest = fact.passwordDigest
                $0.resetCode?.isUsed = true
                $0.wrongCredentials = 0
                $0.lastWrongAt = nil
            }
        }
        routes.on(Tafawoq.Account.ProfileCompleted.self) { centre, fact, event in
            let isFirst = centre.students.read(fact.student) { $0.track == nil } ?? false
            centre.students.updateExisting(fact.student) {
                $0.track = fact.track
                $0.profileCompletedAt = event.at
            }
            if isFirst { centre.roll.update(.only) { $0.profileCompleted += 1 } }
            centre.wasActive(fact.student, event)
            centre.setReminder(of: fact.student, event.position)
        }
        routes.on(Tafawoq.Account.TrackChanged.self) { centre, fact, _ in
            centre.students.updateExisting(fact.student) { $0.track = fact.to }
        }
        routes.on(Tafawoq.Account.PictureAttached.self) { centre, fact, _ in
            centre.students.updateExisting(fact.student) {
                $0.picture = fact.picture
                $0.hasPicture = true
            }
        }
        routes.on(Tafawoq.Account.PictureRemoved.self) { centre, fact, _ in
            centre.students.updateExisting(fact.student) {
                $0.picture = nil
                $0.hasPicture = false
            }
        }
        routes.on(Tafawoq.Account.OnboardingFinished.self) { centre, fact, _ in
            centre.students.updateExisting(fact.student) { $0.isOnboarded = true }
        }
        routes.on(Tafawoq.Account.DeviceEnrolled.self) { centre, fact, _ in
            centre.students.updateExisting(fact.student) { row in
                if !row.pushDevices.contains(fact.device) { row.pushDevices.append(fact.device) }
            }
        }
        routes.on(Tafawoq.Account.DeviceWithdrawn.self) { centre, fact, _ in
            centre.students.updateExisting(fact.student) { row in
                row.pushDevices.removeAll { $0 == fact.device }
            }
        }
        routes.on(AccountErased.self) { centre, fact, _ in centre.erased(fact) }
    }

    private func registered(_ fact: Tafawoq.Account.Registered, _ event: Circumstances) {
        students.update(fact.student) {
            $0.person = Word(event.subject)
            $0.email = fact.email
            $0.passwordDigest = fact.passwordDigest
            $0.termsVersion = fact.termsVersion
            $0.privacyVersion = fact.privacyVersion
            $0.registeredAt = event.at
        }
        remember(fact.email, of: fact.student)
        learning.insert(.init(), at: fact.student)
        subscriptions.insert(.init(), at: fact.student)
        roll.update(.only) { $0.registered += 1 }
    }

    /// R6: only the last code of a purpose counts.
    private func issued(_ fact: Tafawoq.Account.CodeIssued) {
        var code = Tafawoq.CodeRow()
        code.expiresAt = fact.expiresAt
        code.resendAt = fact.resendAt
        students.updateExisting(fact.student) {
            switch fact.purpose {
            case .verify:
                $0.verifyCode = code
                $0.verifyDigest = fact.otpDigest
            case .reset:
                $0.resetCode = code
                $0.resetDigest = fact.otpDigest
            }
        }
    }

    /// R2: all that is theirs is nobody's from here on, and none of their timers fires.
    private func erased(_ fact: AccountErased) {
        guard let person = Person(names.text(fact.subject)), person.product == Tafawoq.product,
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

    static func sessionRoutes(_ routes: inout Routes<Tafawoq.Centre>) {
        routes.on(Tafawoq.Session.Opened.self) { $0.opened($1, $2) }
        routes.on(Tafawoq.Session.Refreshed.self) { centre, fact, event in
            guard centre.sessions.contains(fact.session) else { return }
            centre.sessions.updateExisting(fact.session) { $0.expiresAt = fact.expiresAt }
            centre.setExpiry(fact.expiresAt, event)
        }
        routes.on(Tafawoq.Session.Ended.self) { $0.ended($1, $2) }
        routes.on(Tafawoq.Access.Refused.self) { $0.refused($1, $2) }
    }

    private func opened(_ fact: Tafawoq.Session.Opened, _ event: Circumstances) {
        guard students.contains(fact.student) else { return }
        sessions.update(fact.session) {
            $0.student = fact.student
            $0.device = fact.device
            $0.openedAt = event.at
            $0.expiresAt = fact.expiresAt
            $0.appVersion = fact.appVersion
            $0.deviceType = fact.deviceType
        }
        devices.update(fact.device) { $0.session = fact.session }
        students.updateExisting(fact.student) {
            $0.openSessions.append(fact.session)
            $0.lastSession = fact.session
            $0.lastSignInAt = event.at
            $0.wrongCredentials = 0
            $0.lastWrongAt = nil
        }
        setExpiry(fact.expiresAt, event)
        wasActive(fact.student, event)
    }

    private func setExpiry(_ due: Instant, _ event: Circumstances) {
        timers.set(
            [.init(Tafawoq.TimerName.sessionExpiry, due: due, cause: event.position)],
            on: event.stream)
    }

    private func ended(_ fact: Tafawoq.Session.Ended, _ event: Circumstances) {
        guard let row = sessions[fact.session] else { return }
        sessions.updateExisting(fact.session) { $0.isEnded = true }
        if devices[row.device]?.session == fact.session { devices.remove(row.device) }
        students.updateExisting(row.student) { student in
            student.openSessions.removeAll { $0 == fact.session }
        }
        timers.cancelAll(on: event.stream)
    }

    /// R3, and what R6 and R7 count.
    private func refused(_ fact: Tafawoq.Access.Refused, _ event: Circumstances) {
        guard let student = fact.student else {
            roll.update(.only) { $0.auditedAt = event.at }
            return
        }
        students.updateExisting(student) { row in
            row.auditedAt = event.at
            switch fact.code {
            case "wrong-credentials":
                row.wrongCredentials += 1
                row.lastWrongAt = event.at
            case "otp-wrong":
                if fact.command == "tafawoq.account.verify" {
                    row.verifyCode?.wrong += 1
                } else {
                    row.resetCode?.wrong += 1
                }
            default: break
            }
        }
    }
}
