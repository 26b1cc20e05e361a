import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// Every setting.
    static let settingsView = ReadModel<State>(
        "learnable.settings", "What is set?", key: "student",
        keys: { $0.studentKeys }, basis: .on(.stream("student"), .erasure, Grounds.policy)
    ) { state, request, output in
        guard let (_, row) = state.student(request.key) else { return false }
        state.writeSettings(row, to: &output)
        return true
    }

    /// Who is this account? Also a deleted one.
    static let accountView = ReadModel<State>(
        "learnable.account", "Who is this account?", key: "student",
        keys: { state in state.students.allKeys.map { state.names.text($0) } },
        basis: .on(.stream("student"), .erasure, Grounds.policy)
    ) { state, request, output in
        guard let student: StudentID = state.id(request.key), let row = state.students[student]
        else { return false }
        state.writeAccount(student, row, at: request.now, to: &output)
        return true
    }

    /// What may be used, until when?
    static let accessView = ReadModel<State>(
        "learnable.access", "What may be used, until when?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let access = row.access(at: request.now)
        let policy = state.policy
        let subscription = access == .subscribed ? row.subscription : nil
        let trial = access == .trial ? row.trial : nil
        let isLimited = access == .none && policy.afterTrial == .premiumFeatures
        output.object { output in
            output.member("access", access)
            output.member("blocking", policy.afterTrial)
            output.member("daysRemaining", trial?.daysRemaining(at: request.now))
            output.member("endsAt", subscription?.paidUntil ?? trial?.endsAt)
            output.member("notice", access == .none ? "Subscribe to continue" : nil)
            let options: [String] =
                if let subscription {
                    subscription.isCancelled ? [] : ["cancel"]
                } else {
                    ["subscribe"]
                }
            output.member("options", options)
            let isVerified = state.isVerified(student, at: request.now)
            output.array("perks", perks) { output, perk in
                output.object { output in
                    output.member(
                        "held", perk.name == "verified-user" ? isVerified : access != .none)
                    output.member("perk", perk.name)
                    output.member("title", perk.title)
                }
            }
            output.member("plan", subscription?.plan)
            output.member("renews", subscription.map { !$0.isCancelled })
            output.member("subjectLimit", isLimited ? policy.freeLimit : nil)
            output.member("subjectsHeld", state.subjectsHeld(student))
        }
        return true
    }

    private static let perks = [
        (name: "chat-assistant", title: "Chat Assistant"),
        (name: "unlimited-subjects", title: "Unlimited Creation of Subjects"),
        (name: "publishing", title: "Publishing Sources to Book Marketplace"),
        (name: "verified-user", title: "Verified User"),
    ]

    /// What was the student told? Newest first.
    static let notificationsView = ReadModel<State>(
        "learnable.notifications", "What was the student told?", key: "student",
        arguments: ["page"],
        keys: { $0.studentKeys }, basis: .on(.stream("student"), .erasure)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let (_, row) = state.student(request.key) else { return false }
        let total = state.epochRow(row).notices
        output.object { output in
            let places = page.range(of: total)
            let notices = state.notices.elements(
                of: row.epoch, in: total - places.upperBound..<total - places.lowerBound)
            output.array("notifications", notices.reversed()) { $1.write(to: &$0) }
            page.write(total: total, to: &output)
        }
        return true
    }
}

extension Learnable.State {
    func writeSettings(_ row: Learnable.StudentRow, to output: inout JSONOutput) {
        let epoch = epochRow(row)
        let policy = policy
        output.object { output in
            output.object("appearance") { output in
                for area in Learnable.Appearance.Area.allCases {
                    let fonts = fonts(area, of: epoch)
                    output.object(area.rawValue) { output in
                        output.member("fontSize", fonts.size)
                        output.member("fontStyle", fonts.style)
                    }
                }
            }
            output.object("choices") { output in
                output.member("fontSizes", policy.fontSizes)
                output.member("fontStyles", policy.fontStyles)
            }
            output.object("documents") { output in
                output.member("privacy", policy.privacy)
                output.member("terms", policy.terms)
            }
            output.object("keyboard") { output in
                output.member("codeBlock", epoch.codeBlock)
                output.member("mathLatex", epoch.mathLatex)
            }
            output.object("profile") { output in
                output.member("bio", epoch.bio)
                output.member("name", epoch.name)
                output.member("occupation", epoch.occupation)
                output.member("workplace", epoch.workplace)
            }
            output.object("reminders") { output in
                output.member("dailyQuiz", epoch.wantsDailyQuiz)
                output.member("quickQuiz", epoch.wantsQuickQuiz)
                output.member("quickQuizFrequency", epoch.quickQuizFrequency)
                output.member("study", epoch.wantsStudy)
            }
            output.member("timeZone", row.zone)
        }
    }

    func writeAccount(
        _ student: Learnable.StudentID, _ row: Learnable.StudentRow, at now: Instant,
        to output: inout JSONOutput
    ) {
        output.object { output in
            output.member("deletedAt", row.deletedAt)
            output.member("epoch", row.epochNumber)
            output.member("joinedAt", row.joinedAt)
            output.member("name", row.isActive ? epochRow(row).name : nil)
            output.member("state", row.isActive ? "active" : "deleted")
            output.member("student", student)
            output.member("timeZone", row.zone)
            output.member("trialUsed", row.wasTrialStarted)
            output.member("verified", row.isActive && isVerified(student, at: now))
        }
    }
}
