import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// The student's questions, in order of pooling. Only those of the page are read.
    static let poolView = ReadModel<Academy>(
        "learnable.pool", "Which questions are in the pool?", key: "student", arguments: ["page"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { academy, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let (_, row) = academy.student(request.key) else { return false }
        let total = academy.epochRow(row).inPool
        let questions = academy.pool(row.epoch, in: page.range(of: total))
        output.object { output in
            page.write(total: total, to: &output)
            output.array("questions", questions) { output, question in
                let row = academy.questions[question] ?? QuestionRow()
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
                    output.member("text", academy.wording(of: question, at: row.level))
                    output.member("topic", row.place)
                }
            }
        }
        return true
    }

    /// One question's life.
    static let questionView = ReadModel<Academy>(
        "learnable.question", "What is one question's life?", key: "question",
        keys: { academy in
            academy.questions.allKeys.filter { question in
                academy.questions[question].map { academy.isCurrent($0.student, $0.epoch) } ?? false
            }.map { academy.names.text($0) }
        },
        basis: .on(.stream("question").each("student", Grounds.life), Grounds.policy)
    ) { academy, request, output in
        guard let question: QuestionID = academy.id(request.key),
            let row = academy.questions[question], academy.isCurrent(row.student, row.epoch)
        else { return false }
        row.write(question, to: &output)
        return true
    }

    /// What falls due when?
    static let scheduleView = ReadModel<Academy>(
        "learnable.schedule", "What falls due when?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { academy, request, output in
        guard let (student, row) = academy.student(request.key) else { return false }
        let today = academy.day(of: student, at: request.now)
        let days = academy.dueByDay(row.epoch)
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

extension Learnable.Academy {
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
