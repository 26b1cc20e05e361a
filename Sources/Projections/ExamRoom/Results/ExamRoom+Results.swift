import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// How did it go? The student's view: scores stay hidden until results are published (R21).
    static let resultView = ReadModel<State>(
        "examroom.result", "How did it go?", key: "attempt",
        keys: { $0.names.texts($0.attempts.keys) }, basis: .on(Grounds.attempt)
    ) { state, request, output in
        guard let attempt: AttemptID = state.id(request.key), let row = state.attempts[attempt]
        else {
            return false
        }
        let closing = row.closing
        let isPublished = state.isResultPublished(row)
        output.object { output in
            output.member("answered", row.isImported && row.paper.isEmpty ? nil : closing?.answered)
            output.member("attempt", attempt)
            output.member("closedAt", closing?.closedAt)
            output.member("exam", row.exam)
            output.member("how", closing?.how)
            output.member("maxScore", row.maxScore)
            output.member("modified", row.grade != nil)
            output.member("passed", isPublished ? row.isPassed : nil)
            output.member("percent", isPublished ? row.percent : nil)
            output.member("published", isPublished)
            if isPublished, let closing {
                writeMarked(row, closing, state, to: &output)
            } else {
                output.member("questions", String?.none)
            }
            output.member("score", isPublished ? row.score : nil)
            output.member("secondsTaken", closing?.secondsTaken)
            output.member("state", AttemptState(row))
        }
        return true
    }

    /// The questions with what was chosen, what is right, and the points earned.
    private static func writeMarked(
        _ row: AttemptRow, _ closing: Closing, _ state: State, to output: inout JSONOutput
    ) {
        let answers = state.shownAnswers(row.answerLog.answers, in: row)
        output.array("questions", zip(row.paper.indices, closing.marks)) { output, marked in
            let (index, mark) = marked
            let question = row.paper[index].value(in: state.names)
            output.object { output in
                answers[index].writeChosen(to: &output)
                output.member("correct", mark.correct)
                output.member("correctOptions", state.sorted(question.correct))
                output.member("explanation", question.explanation)
                output.member("points", mark.points)
                output.member("question", question.question)
            }
        }
    }

    /// Who looks at a history: the student, or an admin who sees all.
    private enum Viewer: String, Choice {
        case student, admin
    }

    /// What has this student taken? With `viewer=admin` discarded attempts (R23) and all scores.
    static let historyView = ReadModel<State>(
        "examroom.history", "What has this student taken?", key: "student",
        arguments: ["page", "viewer"], keys: { $0.names.texts($0.activeStudents) },
        basis: .on(Grounds.account, Grounds.studentLife)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let isAdmin = try request.choice("viewer", Viewer.self) == .admin
        guard let student = state.activeStudent(request.key) else { return false }
        let shown = state.attemptsOf(student).filter { attempt in
            state.attempts.read(attempt) { !$0.isSetAside && (isAdmin || !$0.isDiscarded) } ?? false
        }
        let attempts = state.newestFirst(shown)
        output.object { output in
            output.array("attempts", attempts[page.range(of: attempts.count)]) { output, attempt in
                let row = state.attempts[attempt] ?? AttemptRow()
                let isPublished = state.isResultPublished(row)
                output.object { output in
                    output.member("attempt", attempt)
                    output.member("closedAt", row.closing?.closedAt)
                    output.member("exam", row.exam)
                    output.member("maxScore", row.maxScore)
                    output.member("percent", isPublished || isAdmin ? row.percent : nil)
                    output.member("published", isPublished)
                    output.member("score", isPublished || isAdmin ? row.score : nil)
                    output.member("startedAt", row.startedAt)
                    output.member("state", AttemptState(row))
                    output.member("title", state.title(of: row))
                }
            }
            page.write(total: attempts.count, to: &output)
            output.member("student", student)
        }
        return true
    }

    /// Who scored what? Never hidden from admins.
    static let resultsView = ReadModel<State>(
        "examroom.results", "Who scored what?", key: "exam", arguments: ["page"],
        keys: { $0.names.texts($0.exams.keys) }, basis: .on(Grounds.examLife)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let exam: ExamID = state.id(request.key), state.exams.contains(exam) else {
            return false
        }
        let attempts = state.countingAttempts(at: exam)
        output.object { output in
            output.member("exam", exam)
            page.write(total: attempts.count, to: &output)
            output.array("results", attempts[page.range(of: attempts.count)]) { output, attempt in
                let line = ResultLine(attempt, state)
                output.object { line.write(to: &$0) }
            }
            output.member(
                "resultsPublished", state.exams.read(exam) { $0.areResultsPublished } ?? false)
        }
        return true
    }
}

/// One line of an exam's results, as shown and as exported (R34).
struct ResultLine {
    let attempt: ExamRoom.AttemptID
    let row: ExamRoom.AttemptRow
    let number: Int
    /// Null once erased.
    let name: String?

    init(_ attempt: ExamRoom.AttemptID, _ state: ExamRoom.State) {
        self.attempt = attempt
        row = state.attempts[attempt] ?? ExamRoom.AttemptRow()
        number = state.number(of: attempt, row)
        name = state.accounts.read(.init(row.student)) { $0.name } ?? nil
    }

    func write(to output: inout JSONOutput) {
        output.member("attempt", attempt)
        output.member("closedAt", row.closing?.closedAt)
        output.member("extended", row.extra != nil)
        output.member("how", row.closing?.how)
        output.member("maxScore", row.maxScore)
        output.member("modified", row.grade != nil)
        output.member("name", name)
        output.member("number", number)
        output.member("passed", row.isPassed)
        output.member("percent", row.percent)
        output.member("score", row.score)
        output.member("startedAt", row.startedAt)
        output.member("state", ExamRoom.AttemptState(row))
        output.member("student", row.student)
    }
}

extension ExamRoom.State {
    /// The exam's results are published and the attempt is closed and not held (R53, R54).
    func isResultPublished(_ row: ExamRoom.AttemptRow) -> Bool {
        row.course != .open && row.holds.isEmpty
            && exams.read(row.exam) { $0.areResultsPublished } ?? false
    }

    /// The exam's title when the attempt was started; an imported attempt has that of today.
    fileprivate func title(of row: ExamRoom.AttemptRow) -> String {
        row.isImported
            ? exams.read(row.exam) { $0.details.title } ?? "" : names.text(row.title)
    }

    /// Newest `startedAt` first, then by id.
    func newestFirst(_ attempts: [ExamRoom.AttemptID]) -> [ExamRoom.AttemptID] {
        attempts.map { id in
            (id: id, startedAt: self.attempts.read(id) { $0.startedAt } ?? .epoch)
        }.sorted { left, right in
            left.startedAt == right.startedAt
                ? precedes(left.id, right.id) : left.startedAt > right.startedAt
        }.map(\.id)
    }

    /// Attempts that count (R24), newest first, then by id.
    func countingAttempts(at exam: ExamRoom.ExamID) -> [ExamRoom.AttemptID] {
        newestFirst(attemptsAt(exam).filter { attempts.read($0) { $0.counts } ?? false })
    }
}
