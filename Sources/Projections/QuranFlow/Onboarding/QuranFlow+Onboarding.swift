import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// How far is my set-up, and what does it show (R13)?
    static let onboardingView = ReadModel<State>(
        "quranflow.onboarding", "How far is my set-up, and what does it show?", key: "student",
        keys: { $0.studentKeys },
        basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let learner = Learner(request.key, state, at: request.now) else { return false }
        learner.writeOnboardingDocument(to: &output)
        return true
    }
}

extension QuranFlow.Learner {
    /// The steps of the set-up, and what they show (R13).
    fileprivate func writeOnboardingDocument(to output: inout JSONOutput) {
        let state = row.onboarding
        let isOpen = row.isPlaced
        let next = isOpen && !state.isComplete ? state.next : nil
        let level = phase == .advanced ? nil : current?.row.level
        output.object { output in
            writeCoach(current?.row.coach, to: &output)
            output.member("coachText", isOpen ? Self.coachText : nil)
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
            output.member("placementText", isOpen ? Self.placementText : nil)
            if let weeks = current?.row.weeks {
                output.object("rhythm") { output in
                    output.member("items", Self.rhythm)
                    output.member("text", "Each week follows the same rhythm:")
                    output.member("title", "Your \(weeks)-Week Journey")
                }
            } else {
                output.null("rhythm")
            }
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

    /// What steps 2, 4 and 5 say (4.8).
    private static let placementText =
        "This placement is based on the assessment you completed. If you have questions, you can contact "
        + "your coach anytime."
    private static let coachText =
        "Your coach will review your weekly submissions and send personalized audio feedback. You can "
        + "message them anytime."
    private static let rhythm = [
        "Watch your lesson (short videos, 3-5 minutes each)",
        "Submit your recording for coach feedback",
        "Attend live sessions for practice and Q&A",
    ]

    private var semesterText: String? {
        guard let row = current?.row else { return nil }
        let week = row.currentWeek(at: now)
        return week == 0
            ? "Your semester starts \(formatter.dateText(of: row.weekStarts[0]))"
            : "You're in Week \(week)"
    }

    /// What Today says of the set-up, while it is open and not complete (R13).
    func writeOnboarding(to output: inout JSONOutput) {
        guard row.isPlaced, !row.onboarding.isComplete, let next = row.onboarding.next else {
            return output.null("onboarding")
        }
        output.object("onboarding") { output in
            output.member("name", QuranFlow.Onboarding.Step(number: next))
            output.member("nextStep", next)
            output.member("steps", QuranFlow.Onboarding.Step.allCases.count)
        }
    }
}
