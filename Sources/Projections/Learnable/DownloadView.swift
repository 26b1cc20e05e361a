import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// The student's data for download: the epoch's, in clear.
    static let exportView = ReadModel<Academy>(
        "learnable.export", "What does a download hold?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { academy, request, output in
        guard let (student, row) = academy.student(request.key) else { return false }
        let epoch = academy.epochRow(row)
        let now = request.now
        output.object { output in
            output.json.key("account")
            academy.writeAccount(student, row, at: now, to: &output)
            output.json.key("achievements")
            academy.writeAchievements(student, row, at: now, to: &output)
            academy.writeChats(epoch, to: &output)
            output.array("earnings", academy.sales.elements(of: student, count: row.sales)) {
                $1.writeEntry(to: &$0)
            }
            output.array(
                "notifications", academy.notices.elements(of: row.epoch, count: epoch.notices)
            ) { $1.write(to: &$0) }
            output.array("offers", academy.offerLists.elements(of: student, count: row.offers)) {
                output, offer in
                guard let row = academy.offers[offer] else { return output.json.null() }
                academy.writeOffer(offer, row, at: now, to: &output)
            }
            output.array("questions", academy.pools.elements(of: row.epoch, count: epoch.pooled)) {
                output, question in
                (academy.questions[question] ?? QuestionRow()).write(question, to: &output)
            }
            output.array("quizzes", academy.quizLists.elements(of: row.epoch, count: epoch.quizzes))
            { output, quiz in
                academy.writeQuiz(quiz, academy.quizzes[quiz] ?? QuizRow(), to: &output)
            }
            output.json.key("settings")
            academy.writeSettings(row, to: &output)
            output.array(
                "study", academy.studyEntries.elements(of: row.epoch, count: epoch.studies)
            ) { $1.write(to: &$0) }
            output.array("subjects", academy.shelf(epoch)) { output, entry in
                output.object { academy.writeSubject(entry, at: now, to: &$0) }
            }
        }
        return true
    }
}

extension Learnable.Academy {
    /// Of each subject with messages that are not erased, those of all its topics, by position.
    fileprivate func writeChats(_ epoch: Learnable.EpochRow, to output: inout JSONOutput) {
        let chats = shelf(epoch).map { entry in
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
        _ entry: Learnable.ShelfEntry, at now: Instant, to output: inout JSONOutput
    ) {
        entry.row.writeEntry(entry.id, to: &output)
        output.json.key("contents")
        writeContents(entry.id, entry.row, at: now, to: &output)
        output.array("lectures", 0..<entry.row.topics) { output, index in
            let page = page(entry.id, entry.row, index)
            output.object { output in
                output.member("blocks", page.content.blocks)
                writeEngagement(page.standing.asked(page.content), page.standing, to: &output)
                output.member("topic", entry.row.place(of: index))
            }
        }
    }
}
