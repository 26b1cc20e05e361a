import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What does a download hold? The data of the student's epoch, unsealed (R45).
    static let exportView = ReadModel<State>(
        "learnable.export", "What does a download hold?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let epoch = state.epoch(of: row)
        let now = request.now
        output.object { output in
            output.json.key("account")
            state.writeAccount(student, row, at: now, to: &output)
            output.json.key("achievements")
            state.writeAchievements(student, row, at: now, to: &output)
            state.writeChats(epoch, to: &output)
            output.array("earnings", state.sales.elements(of: student, count: row.sales)) {
                $1.writeEntry(to: &$0)
            }
            output.array(
                "notifications", state.notices.elements(of: row.epoch, count: epoch.notices)
            ) { $1.writeEntry(to: &$0) }
            output.array("offers", state.offerLists.elements(of: student, count: row.offers)) {
                output, offer in
                guard let row = state.offers[offer] else { return output.json.null() }
                state.writeOffer(offer, row, at: now, to: &output)
            }
            output.array("questions", state.pools.elements(of: row.epoch, count: epoch.pooled)) {
                output, question in
                state.writeQuestion(
                    question, state.questions[question] ?? QuestionRow(), to: &output)
            }
            output.array("quizzes", state.quizLists.elements(of: row.epoch, count: epoch.quizzes)) {
                output, quiz in
                state.writeQuiz(quiz, state.quizzes[quiz] ?? QuizRow(), to: &output)
            }
            output.json.key("settings")
            state.writeSettings(row, to: &output)
            output.array(
                "study", state.studyEntries.elements(of: row.epoch, count: epoch.studies)
            ) { $1.write(to: &$0) }
            output.array("subjects", state.library(epoch)) { output, entry in
                output.object { state.writeSubject(entry, at: now, to: &$0) }
            }
        }
        return true
    }
}

extension Learnable.State {
    /// The messages that are not erased, per subject that has any, by position.
    fileprivate func writeChats(_ epoch: Learnable.EpochRow, to output: inout JSONOutput) {
        let chats = library(epoch).map { entry in
            (
                subject: entry.id,
                said: (0..<entry.row.topics).flatMap { topic(entry.id, $0).said }
                    .sorted { $0.entry.position < $1.entry.position }
            )
        }
        output.array("chats", chats.filter { !$0.said.isEmpty }) { output, chat in
            output.object { output in
                writeMessages(of: chat.said, to: &output)
                output.member("subject", chat.subject)
            }
        }
    }

    fileprivate func writeSubject(
        _ entry: Learnable.LibraryEntry, at now: Instant, to output: inout JSONOutput
    ) {
        writeEntry(entry, to: &output)
        output.json.key("contents")
        writeContents(entry.id, entry.row, at: now, to: &output)
        output.array("lectures", 0..<entry.row.topics) { output, index in
            let page = page(entry.id, entry.row, index)
            output.object { output in
                output.member("blocks", page.content.blocks)
                writeEngagement(page.progress.asked(page.content), page.progress, to: &output)
                output.member("topic", entry.row.topic(at: index))
            }
        }
    }
}
