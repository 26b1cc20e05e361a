import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// Is there a quiz today? What is due is read from the index of due dates (R25, R28).
    static let dailyQuizView = ReadModel<State>(
        "learnable.daily-quiz", "Is there a quiz today?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let today = state.day(of: student, at: request.now)
        let epoch = state.epoch(of: row)
        let due = state.due(row.epoch, on: today)
        let open = epoch.dailyQuiz.flatMap { quiz in
            state.quizzes.read(quiz) { $0.day } == today ? quiz : nil
        }
        let completed = epoch.completedDaily(today)
        output.object { output in
            output.array("asks", due) { output, question in
                let row = state.questions[question] ?? QuestionRow()
                output.object { output in
                    // A mastered question comes at a level drawn when the quiz begins (R31).
                    let level = row.isMastered ? nil : row.level
                    output.member("difficulty", level.map { difficulty(of: $0) })
                    output.member("formats", level.map { state.policy.level($0).formats })
                    output.member("level", level)
                    output.member("question", question)
                }
            }
            output.member("due", due.count)
            output.member("questions", due)
            output.member("quiz", completed ?? (due.isEmpty ? nil : open))
            let state =
                if completed != nil {
                    "completed"
                } else if due.isEmpty {
                    "nothing-due"
                } else if open != nil {
                    "open"
                } else if epoch.skipped.contains(today) {
                    "skipped"
                } else {
                    "waiting"
                }
            output.member("state", state)
            output.member("today", today)
        }
        return true
    }

    /// What is on the quiz's pages? (R29, R31)
    static let quizView = ReadModel<State>(
        "learnable.quiz", "What is on the quiz's pages?", key: "quiz",
        keys: { $0.quizKeys },
        basis: .on(.stream("quiz").each("student", Grounds.life), Grounds.policy)
    ) { state, request, output in
        guard let (quiz, row) = state.quiz(request.key) else { return false }
        state.writeQuiz(quiz, row, to: &output)
        return true
    }
}

extension Learnable.State {
    func writeQuiz(
        _ quiz: Learnable.QuizID, _ row: Learnable.QuizRow, to output: inout JSONOutput
    ) {
        output.object { output in
            output.member("asked", row.judged)
            output.member("correct", row.right)
            output.member("day", row.day)
            output.member("kind", row.kind)
            output.array("questions", row.pages.enumerated()) { output, page in
                let answer =
                    row.answers.indices.contains(page.offset)
                    ? row.answers[page.offset] : nil
                output.object { writePage(page.element, answer, to: &$0) }
            }
            output.member("quiz", quiz)
            output.member("remaining", remaining(row))
            output.member("state", row.state)
            output.member("streak", row.streak)
        }
    }

    /// Nothing is given away before the answer.
    private func writePage(
        _ page: Learnable.QuizPage, _ answer: Learnable.AnyString?, to output: inout JSONOutput
    ) {
        let variants = variants[page.page.question]?.list ?? []
        let form =
            variants.indices.contains(page.page.variant)
            ? variants[page.page.variant].form : Learnable.Form()
        let state =
            if page.isJudged {
                "judged"
            } else if !isInPool(page.page.question) {
                "withdrawn"
            } else {
                page.isAnswered ? "answered" : "unanswered"
            }
        output.member("answer", answer)
        output.member("choice", page.choice)
        output.member("correct", page.correct)
        output.member("correctChoice", page.isAnswered ? form.correct : nil)
        output.member("difficulty", Learnable.difficulty(of: page.page.level))
        output.member("explanation", page.isAnswered ? form.explanation : nil)
        output.member("format", page.page.format)
        output.member("level", page.page.level)
        output.member("modelAnswer", page.isAnswered ? form.answer : nil)
        output.member("options", form.options)
        output.member("question", page.page.question)
        output.member("state", state)
        output.member("text", form.text)
    }
}

extension Learnable.State {
    /// Whether an optional quiz would find enough questions (R30).
    func isOptionalQuizReady(_ epoch: Learnable.EpochRow) -> Bool {
        epoch.inPool >= policy.leastForOptionalQuiz
    }
}
