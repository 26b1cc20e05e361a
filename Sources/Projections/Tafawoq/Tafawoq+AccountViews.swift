import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    static let profileView = ReadModel<State>(
        "tafawoq.profile", "Who is this?", key: "student", keys: { $0.studentKeys },
        basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        output.object { output in
            output.member("student", student)
            output.member("email", row.email)
            output.member("verified", row.isVerified)
            output.member("track", row.track)
            output.both("trackLabel", row.track.map { Texts.label($0.rawValue) })
            output.member("picture", row.picture)
            output.member("onboardingFinished", row.isOnboarded)
            output.member("registeredAt", row.registeredAt)
            output.member("lastSignInAt", row.lastSignInAt)
            output.member("termsVersion", row.termsVersion)
            output.member("privacyVersion", row.privacyVersion)
        }
        return true
    }

    static let sessionsView = ReadModel<State>(
        "tafawoq.sessions", "Where is the student signed in?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let open = row.openSessions.compactMap { id in
            state.sessions[id].map { (id: id, text: state.names.text(id), row: $0) }
        }.filter { request.now < $0.row.expiresAt }.sorted { left, right in
            left.row.openedAt == right.row.openedAt
                ? left.text.precedes(right.text) : left.row.openedAt < right.row.openedAt
        }
        output.object { output in
            output.member("student", student)
            output.array("sessions", open) { output, session in
                output.object { output in
                    output.member("session", session.id)
                    output.member("device", session.row.device)
                    output.member("openedAt", session.row.openedAt)
                    output.member("expiresAt", session.row.expiresAt)
                }
            }
        }
        return true
    }

    static let milestonesView = ReadModel<State>(
        "tafawoq.milestones", "What did the student reach?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let reached = state.milestones.elements(of: student, count: row.milestones.count)
        output.object { output in
            output.member("student", student)
            output.array("milestones", reached) { output, milestone in
                output.object { output in
                    output.member("milestone", milestone.milestone)
                    output.member("at", milestone.at)
                    output.member("value", milestone.value)
                }
            }
        }
        return true
    }

    static let notificationsView = ReadModel<State>(
        "tafawoq.notifications", "What was the student told?", key: "student",
        arguments: ["page"], keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        guard let (student, row) = state.student(request.key) else { return false }
        let page = try Page(request)
        let numbers = state.noticeNumbers.elements(of: student, count: row.told)
        let notices = numbers.reversed().compactMap { number in
            state.notices[.init(student, number)].map { (number: Int(number.number), row: $0) }
        }
        output.object { output in
            output.member("student", student)
            output.member("unread", notices.count { !$0.row.isOpened })
            page.write(total: notices.count, to: &output)
            output.array("notifications", notices[page.range(of: notices.count)]) {
                output, notice in
                let facts = notice.row.facts.value
                output.object { output in
                    output.member("number", notice.number)
                    output.member("type", notice.row.type)
                    output.member("raisedAt", notice.row.at)
                    output.member("target", notice.row.target)
                    output.member("channels", notice.row.channels)
                    output.member("facts", facts)
                    output.both("text", Texts.text(of: notice.row.type, facts))
                    output.member(
                        "status",
                        notice.row.isOpened ? "read" : notice.row.isDispatched ? "sent" : "pending")
                }
            }
        }
        return true
    }

    static let settingsView = ReadModel<State>(
        "tafawoq.settings", "What did the student choose?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let policy = state.policy
        let studies = row.studies.compactMap { id in state.studies[id].map { (id: id, row: $0) } }
            .filter { !$0.row.isCancelled }
        let isFree = state.tier(of: student, at: request.now) == .free
        let devices = row.pushDevices.map { state.names.text($0) }.sorted { $0.precedes($1) }
        output.object { output in
            output.member("student", student)
            output.object("topics") { output in
                for topic in Topic.allCases {
                    output.member(topic.rawValue, row.isEnabled(topic))
                }
            }
            output.member("reminderMode", policy.reminderMode)
            output.array("studyTimes", studies) { output, study in
                output.object { output in
                    output.member("study", study.id)
                    output.member("startsAt", study.row.startsAt)
                    output.member("repeat", study.row.repeat)
                    output.member("leadSeconds", study.row.leadSeconds)
                    output.member("nextReminderAt", state.nextReminder(of: study.id))
                }
            }
            output.member("weekResetsAt", state.week(of: request.now).end)
            output.member("pushDevices", devices)
            output.member("termsVersion", policy.legalTermsVersion)
            output.member("privacyVersion", policy.legalPrivacyVersion)
            output.member("acceptedTermsVersion", row.termsVersion)
            output.member("acceptedPrivacyVersion", row.privacyVersion)
            output.member("otpDigits", policy.otpDigits)
            output.member("track", row.track)
            output.member("upgradeTarget", isFree ? upgradeTarget : nil)
        }
        return true
    }
}
