import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What is set? Every setting with its value (FR-012).
    static let settingsView = ReadModel<State>(
        "learnable.settings", "What is set?", key: "student",
        keys: { $0.studentKeys }, basis: .on(.stream("student"), .erasure, Grounds.policy)
    ) { state, request, output in
        guard let (_, row) = state.student(request.key) else { return false }
        state.writeSettings(row, to: &output)
        return true
    }
}

extension Learnable.State {
    func writeSettings(_ row: Learnable.StudentRow, to output: inout JSONOutput) {
        let epoch = epoch(of: row)
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
}
