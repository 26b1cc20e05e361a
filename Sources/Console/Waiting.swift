import Core
import Synchronization

/// What a page waits for that is being worked out: told by any of its questions, looked at before it is shown.
final class Waiting: Sendable {
    /// How far it is: so much, of so much; nil where nobody can say.
    typealias Progress = (done: Int64, total: Int64)

    private let state = Mutex<(isSo: Bool, progress: Progress?)>((false, nil))

    /// Nil where the page waits for nothing.
    var progress: Progress?? { state.withLock { $0.isSo ? .some($0.progress) : nil } }

    /// An answer was `202 Accepted`.
    func begin(_ answer: APIAnswer) {
        let progress = (try? JSON(parsing: answer.body))?["progress"]
        state.withLock { state in
            state.isSo = true
            if let done = progress?["done"]?.wholeNumber,
                let total = progress?["total"]?.wholeNumber, total > 0
            {
                state.progress = (done, total)
            }
        }
    }
}

extension Visit {
    /// In place of a page whose answers take long: it asks again by itself, with scripts or without.
    func waitingPage(_ progress: Waiting.Progress?) -> PageAnswer {
        var answer = layout(
            say("Being worked out", "قيد الحساب"), scripts: ["wait.js"], status: 202,
            isLoadedAgain: true
        ) {
            element("div", ["data-wait": ""]) {
                element("p") {
                    say(
                        "The journal’s events are gone through for this; the page shows itself when it is done.",
                        "تُراجَع أحداث السجل لأجل هذا؛ تظهر الصفحة بنفسها عند الانتهاء.")
                }
                element(
                    "progress",
                    [
                        "max": progress.map { "\($0.total)" },
                        "value": progress.map { "\($0.done)" },
                        "aria-label": say("How far it is", "مدى التقدم"),
                    ])
                element("p", ["class": "how-far", "aria-live": "polite", "dir": "ltr"]) {
                    progress.map { "\($0.done * 100 / $0.total) %" } ?? "…"
                }
                element("p") { link(inThisLanguage) { say("Look again", "انظر ثانية") } }
            }
        }
        answer.progress = progress.map { "\($0.done)/\($0.total)" }
        return answer
    }
}
