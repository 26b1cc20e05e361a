import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Who a student is: address, track, picture, and the terms that were accepted.
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

    /// What a student chose: topics, study times with their next reminders, devices (R42, R44).
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
            output.member("weekResetsAt", state.limitResets(of: student, at: request.now))
            output.member("pushDevices", devices)
            output.member("termsVersion", policy.legalTermsVersion)
            output.member("privacyVersion", policy.legalPrivacyVersion)
            output.member("acceptedTermsVersion", row.termsVersion)
            output.member("acceptedPrivacyVersion", row.privacyVersion)
            output.member(
                "toAccept",
                Legal.Kind.allCases.filter {
                    row.accepted($0)?.isExactly(policy.legalVersion(of: $0)) != true
                })
            output.member("otpDigits", policy.otpDigits)
            output.member("track", row.track)
            output.member("upgradeTarget", isFree ? upgradeTarget : nil)
        }
        return true
    }
}
