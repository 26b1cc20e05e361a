import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// How far is my set-up, and what does it show?
    static let onboardingView = ReadModel<State>(
        "quranflow.onboarding", "How far is my set-up, and what does it show?", key: "student",
        keys: { $0.studentKeys },
        basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        learner.writeOnboardingDocument(to: &output)
        return true
    }

    /// Who am I here, and who is my coach?
    static let profileView = ReadModel<State>(
        "quranflow.profile", "Who am I here, and who is my coach?", key: "student",
        keys: { $0.studentKeys },
        basis: .on(Grounds.wholeLife, Grounds.lessons, Grounds.policy)
    ) { state, request, output in
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        learner.writeProfile(to: &output)
        return true
    }

    /// How do I want it?
    static let settingsView = ReadModel<State>(
        "quranflow.settings", "How do I want it?", key: "student", keys: { $0.studentKeys },
        basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        let settings = learner.row.settings
        let font = state.font(of: learner.id)
        output.object { output in
            output.member("appearance", settings.appearance)
            output.member("font", font.name)
            output.member("fontChosen", settings.font != nil)
            output.member("fontSize", font.size)
            output.object("notifications") { output in
                output.member("announcements", settings.announcements)
                output.member("deadlines", settings.deadlines)
                output.member("email", settings.email)
                output.member("feedback", settings.feedback)
                output.member("permission", settings.permission)
                output.member("push", settings.push)
                output.member("sessions", settings.sessions)
            }
            output.member("student", learner.id)
            output.member("textSize", settings.textSize)
            output.member("timeZone", learner.row.timeZone)
            output.member("timeZoneSource", learner.row.zoneSource?.rawValue ?? "registered")
        }
        return true
    }

    /// What have I been through? Oldest first.
    static let learningHistoryView = ReadModel<State>(
        "quranflow.learning-history", "What have I been through?", key: "student",
        keys: { $0.studentKeys },
        basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        output.object { output in
            output.array("items", learner.row.enrollments) { output, id in
                guard let row = state.enrollments[id] else { return }
                let semester = state.semesters[row.semester]
                output.object { output in
                    output.member("coach", row.coach)
                    output.member("completed", row.completedWeeks)
                    output.time("endedAt", row.endedAt, learner.teller)
                    output.member("enrollment", id)
                    output.member("eocAttempts", row.attempts)
                    output.member("level", row.level)
                    output.member("name", learner.policy.levelName(row.level))
                    output.member("outcome", row.state)
                    output.member("semester", row.semester)
                    output.member("semesterName", semester?.name)
                    output.member("startedOn", semester?.startsOn)
                }
            }
            output.member("student", learner.id)
        }
        return true
    }
}

extension QuranFlow.Learner {
    private func writeCoach(
        _ coach: QuranFlow.CoachID?, to output: inout JSONOutput,
        adding more: (inout JSONOutput) -> Void = { _ in }
    ) {
        guard let coach else { return output.null("coach") }
        let person = state.people[.init(coach)]
        output.object("coach") { output in
            output.member("bio", person?.bio)
            output.member("coach", coach)
            output.member("name", person?.name)
            output.member("photo", person?.photo)
            more(&output)
        }
    }

    /// R13.
    fileprivate func writeOnboardingDocument(to output: inout JSONOutput) {
        let state = row.onboarding
        let isOpen = row.isPlaced
        let next = isOpen && !state.isComplete ? state.next : nil
        let level = phase == .advanced ? nil : current?.row.level
        output.object { output in
            writeCoach(current?.row.coach, to: &output)
            output.member("complete", state.isComplete)
            output.array("fonts", policy.fonts.enumerated()) { output, font in
                output.object { output in
                    output.member("font", font.element)
                    output.member("recommended", font.offset == 0)
                }
            }
            output.member("level", level.map { policy.levelLine($0) })
            output.member("levelText", level.map { policy.levelDescription($0) })
            output.member("name", name)
            output.member("nextStep", next)
            output.member("open", isOpen)
            output.member("permission", row.settings.permission)
            output.member("semesterText", semesterText)
            output.array("steps", QuranFlow.Onboarding.Step.allCases.enumerated()) { output, step in
                let number = step.offset + 1
                output.object { output in
                    output.member("name", step.element)
                    output.member("skippable", policy.onboardingSkippable.contains(number))
                    output.member(
                        "state",
                        state.taken.contains(number)
                            ? "taken"
                            : state.skipped.contains(number)
                                ? "skipped" : number == next ? "next" : "later")
                    output.member("step", number)
                }
            }
            output.member("waitingText", isOpen ? nil : primary.subtitle)
        }
    }

    private var semesterText: String? {
        guard let row = current?.row else { return nil }
        let week = row.currentWeek(at: now)
        return week == 0
            ? "Your semester starts \(teller.dateText(of: row.weekStarts[0]))"
            : "You're in Week \(week)"
    }

    // MARK: Profile

    fileprivate func writeProfile(to output: inout JSONOutput) {
        let person = state.people[.init(id)]
        let semester = current.flatMap { state.semesters[$0.row.semester] }
        let level = phase == .advanced ? nil : current?.row.level
        output.object { output in
            output.member("advancedSection", hasGraduatedLastLevel)
            writeCoach(current?.row.coach, to: &output) { output in
                output.member("messageTo", policy.coachTeamEmail)
            }
            output.member("email", person?.email)
            output.member("gender", person?.gender)
            output.member(
                "level", phase == .awaitingPlacement ? "Pending Assessment Review" : levelLine)
            output.member(
                "levelAndSemester", level.map { "Level \($0) -- \(semester?.name ?? "")" })
            output.member("name", person?.name)
            output.member("phone", person?.phone)
            output.member("photo", person?.photo)
            writeStats(to: &output)
            output.member("status", status)
            output.member("student", id)
            writeSubscription(to: &output)
            output.object("support") { output in
                output.member("categories", QuranFlow.SupportRequest.Category.allCases)
            }
        }
    }

    private var hasGraduatedLastLevel: Bool {
        row.enrollments.contains { id in
            state.enrollments.read(id) {
                $0.state == .graduated && $0.level == QuranFlow.Policy.levels.upperBound
            } ?? false
        }
    }

    private var status: String {
        switch phase {
        case .unassessed: "Assessment Due"
        case .awaitingPlacement: "Pending Assessment Review"
        case .preSemester: "Pre-Semester"
        case .active:
            "Week \(current?.row.currentWeek(at: now) ?? 0) of \(current?.row.weeks ?? 0)"
        case .eoc: "EOC Phase"
        case .graduated: "Level Complete -- Awaiting Next Semester"
        case .lapsed, .withdrawn: "Between Semesters"
        case .advanced: "QuranFlow Advanced"
        }
    }

    private func writeStats(to output: inout JSONOutput) {
        guard let current else { return output.null("stats") }
        output.object("stats") { output in
            output.member("attendancePercent", attendance(since: current.row.openedAt))
            output.member("submissions", current.row.recordings.count)
            output.member("weeksCompleted", state.completeWeeks(current.row, at: now))
        }
    }

    /// R27: of the sessions that ended, with an RSVP in force or a join; nil when there are none.
    private func attendance(since openedAt: Instant) -> Percent? {
        var all = 0
        var joined = 0
        for session in row.sessions {
            guard let attended = state.attendances[.init(session, id)],
                attended.isGoing || attended.hasJoined,
                state.sessions.read(
                    session,
                    {
                        !$0.isCancelled && $0.endsAt <= now && $0.startsAt >= openedAt
                    }) == true
            else { continue }
            all += 1
            if attended.hasJoined { joined += 1 }
        }
        return all == 0 ? nil : Percent(joined, of: all)
    }

    private func writeSubscription(to output: inout JSONOutput) {
        let shown = 7
        let last = state.paymentLists.elements(
            of: id, in: max(0, row.payments - shown)..<row.payments)
        output.object("subscription") { output in
            output.array("payments", last.reversed()) { output, payment in
                let content = state.payments[.init(id, payment)]
                output.object { output in
                    output.member("amount", content?.amount)
                    output.time("at", content?.at, teller)
                    output.member("currency", content?.currency)
                    output.member("description", content?.description)
                    output.member("payment", payment)
                }
            }
            output.member("plan", row.plan)
            output.member("renewsOn", row.renewsOn)
            output.member("status", row.status)
        }
    }
}
