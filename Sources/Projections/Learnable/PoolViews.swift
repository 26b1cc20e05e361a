import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// The student's questions, in order of pooling. Only those of the page are read.
    static let poolView = ReadModel<State>(
        "learnable.pool", "Which questions are in the pool?", key: "student", arguments: ["page"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let (_, row) = state.student(request.key) else { return false }
        let total = state.epochRow(row).inPool
        let questions = state.pool(row.epoch, in: page.range(of: total))
        output.object { output in
            page.write(total: total, to: &output)
            output.array("questions", questions) { output, question in
                let row = state.questions[question] ?? QuestionRow()
                output.object { output in
                    output.member("asked", row.asked)
                    output.member("askedText", "Asked: \(counted(row.asked, "time"))")
                    output.member("correct", row.correct)
                    output.member("correctAtLevel", row.correctAtLevel)
                    output.member("correctText", "Correct: \(counted(row.correct, "time"))")
                    output.member("due", row.isRecurring ? row.due : nil)
                    output.member("level", row.level)
                    output.member("mastered", row.isMastered)
                    output.member("question", question)
                    output.member("recurring", row.isRecurring)
                    output.member("subject", row.subject)
                    output.member("text", state.wording(of: question, at: row.level))
                    output.member("topic", row.place)
                }
            }
        }
        return true
    }

    /// One question's life.
    static let questionView = ReadModel<State>(
        "learnable.question", "What is one question's life?", key: "question",
        keys: { state in
            state.questions.allKeys.filter { question in
                state.questions[question].map { state.isCurrent($0.student, $0.epoch) } ?? false
            }.map { state.names.text($0) }
        },
        basis: .on(.stream("question").each("student", Grounds.life), Grounds.policy)
    ) { state, request, output in
        guard let question: QuestionID = state.id(request.key),
            let row = state.questions[question], state.isCurrent(row.student, row.epoch)
        else { return false }
        row.write(question, to: &output)
        return true
    }

    /// What falls due when?
    static let scheduleView = ReadModel<State>(
        "learnable.schedule", "What falls due when?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let today = state.day(of: student, at: request.now)
        let days = state.dueByDay(row.epoch)
        output.object { output in
            output.array("days", days) { output, entry in
                output.object { output in
                    output.member("day", entry.day)
                    output.member("questions", entry.questions)
                }
            }
            output.member(
                "overdue", days.reduce(0) { $1.day < today ? $0 + $1.questions.count : $0 })
            output.member("today", today)
        }
        return true
    }
}

extension Learnable.State {
    /// The first wording of a level.
    fileprivate func wording(of question: Learnable.QuestionID, at level: Int) -> Learnable.Body? {
        variants.read(question) { row in
            row.list.first { $0.level == level }?.form.text
        } ?? nil
    }
}

extension Learnable.QuestionRow {
    func write(_ question: Learnable.QuestionID, to output: inout JSONOutput) {
        output.object { output in
            output.member("asked", asked)
            output.member("correct", correct)
            output.member("correctAtLevel", correctAtLevel)
            output.member("due", isRecurring ? due : nil)
            output.member("history", history)
            output.member("level", level)
            output.member("mastered", isMastered)
            output.member("question", question)
            output.member("recurring", isRecurring)
            output.member("state", isDeleted ? "deleted" : "in-pool")
            output.member("subject", subject)
            output.member("topic", place)
            output.member("variants", variants)
        }
    }
}
