import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Closed by a closing event; a deadline that passed alone does not close (R17).
    enum AttemptState: String, Choice {
        case open, closed

        init(_ row: borrowing AttemptRow) {
            self = row.course == .open ? .open : .closed
        }
    }

    /// Where does this attempt stand? Still answers after its student or exam is deleted.
    static let attemptView = ReadModel<State>(
        "examroom.attempt", "Where does this attempt stand?", key: "attempt",
        keys: { $0.names.texts($0.attempts.keys) }, basis: .on(Grounds.numberedAttempt)
    ) { state, request, output in
        guard let attempt: AttemptID = state.id(request.key), let row = state.attempts[attempt]
        else {
            return false
        }
        let remaining = row.remainingSeconds(at: request.now)
        let log = row.answerLog.all
        let seconds =
            row.isImported
            ? Dictionary(
                (row.closing?.marks ?? []).map { ($0.question, $0.seconds) },
                uniquingKeysWith: { first, _ in first }) : log.seconds
        let answers = state.shownAnswers(log.answers, in: row)
        output.object { output in
            output.member("answered", row.closing?.answered ?? answers.count { $0.isGiven })
            output.member("attempt", attempt)
            output.member("deadline", row.isImported ? nil : row.deadline)
            output.member("exam", row.exam)
            output.member("extended", row.extra != nil)
            output.member("extension", row.extra)
            output.member("feedback", row.isImported ? nil : row.feedback)
            output.member("held", !row.holds.isEmpty)
            output.member("limitSeconds", row.isImported ? nil : row.limitSeconds)
            output.member("number", state.number(of: attempt, row))
            output.member("over", remaining == 0)
            output.array("questions", row.paper.indices) { output, index in
                let question = row.paper[index].value(in: state.names)
                output.object { output in
                    answers[index].writeChosen(to: &output)
                    output.member("feedback", answers[index].feedback(on: question, state))
                    writeShown(question, number: index + 1, to: &output)
                    output.member("seconds", seconds[question.question] ?? 0)
                }
            }
            output.member("remainingSeconds", remaining)
            output.member("setAside", row.isSetAside || !row.holds.isEmpty)
            output.member("startedAt", row.startedAt)
            output.member("state", AttemptState(row))
            output.member("student", row.student)
            output.member("title", row.title)
            output.member("total", row.paper.count)
            output.member("warning", remaining == 0 ? nil : row.warning(at: remaining))
        }
        return true
    }
}

extension ExamRoom.AttemptRow {
    /// Seconds to the deadline, rounded up; 0 when it is over: closed, or the deadline reached.
    fileprivate func remainingSeconds(at now: Instant) -> Int {
        guard isOpen(at: now) else { return 0 }
        let milliseconds = deadline.milliseconds(since: now)
        return Int(milliseconds / 1000) + (milliseconds % 1000 > 0 ? 1 : 0)
    }

    /// The smallest of the warnings that is not below what remains.
    fileprivate func warning(at remaining: Int) -> Int? {
        warnings.filter { $0 >= remaining }.min()
    }
}

extension ExamRoom.State {
    /// The attempt's number among its student's at the exam, from 1.
    func number(of attempt: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow) -> Int {
        let all = inOrderOfNumber(seats[.init(row.exam, row.student)]?.attempts ?? [])
        return (all.firstIndex(of: attempt) ?? 0) + 1
    }
}
