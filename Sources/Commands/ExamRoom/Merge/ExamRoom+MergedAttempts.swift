import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

// Merges add attempts and answers and never take any away (R42).

extension ExamRoom.StartAttempt {
    /// Needs the exam, the student and a free id, and nothing else; the attempt is what it was on its
    /// device (R42).
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let state = context.state
        guard state.exams.contains(exam) else { throw context.notFound(exam) }
        guard state.accounts[.init(student)]?.isActiveStudent == true else {
            throw context.notFound(student)
        }
        // An id is never used twice (R1).
        if state.attempts.contains(attempt) {
            throw context.alreadyExists(attempt)
        }
        let known = merge.known(exam, student)
        guard let row = known.exams[exam], !row.isDeleted, row.questions > 0,
            let bank = known.banks[exam]
        else { throw .noQuestions }
        record(row, bank, known.seats[.init(exam, student)]?.granted, in: context)
        merge.startedSeats.insert(.init(exam, student))
    }
}

extension ExamRoom.SaveAnswer {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let row = try merge.runningAttempt(attempt)
        let asked = try asked(in: row, context)
        merge.meet(attempt, row)
        record(of: row, asked, in: context)
    }
}

extension ExamRoom.LogTime {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let row = try merge.runningAttempt(attempt)
        try record(of: row, in: context)
        merge.meet(attempt, row)
    }
}

extension ExamRoom.SubmitAttempt {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let row = try merge.runningAttempt(attempt)
        guard let closing = row.closing else {
            context.close(attempt, .student, at: context.at)
            return
        }
        // R43: an earlier one counts, without an event of its own.
        if context.at >= closing.closedAt { throw .attemptClosed }
        merge.count(submission: context.at, of: attempt)
    }
}

extension ExamRoom.Merge {
    /// An attempt that was running at the instant, whether or not it is closed by now.
    fileprivate func runningAttempt(
        _ id: ExamRoom.AttemptID
    ) throws(ExamRoom.Rejection) -> ExamRoom.AttemptRow {
        let row = try context.find(id)
        if context.at < row.startedAt || context.at >= row.deadline { throw .attemptClosed }
        return row
    }

    /// Scores the closed attempts that the batch added to anew, in order of id (R43).
    func reconcile() {
        let names = context.names
        for id in closed.keys.sorted(by: { names.text($0).precedes(names.text($1)) }) {
            guard let row = context.state.attempts[id], let former = row.closing else { continue }
            let submissions = [
                former.how == .student ? former.closedAt : nil, closed[id] ?? nil,
            ].compactMap(\.self)
            let submitted = submissions.min()
            let closing = context.closing(
                of: id, row, submitted == nil ? .timeUp : .student, at: submitted ?? row.deadline)
            guard former.differs(from: closing) else { continue }
            context.record(
                ExamRoom.Attempt.Reconciled(
                    closing,
                    previous: .init(
                        how: former.how, closedAt: former.closedAt, score: former.score)),
                on: id)
            context.adjustAwards(for: id)
        }
    }
}

extension ExamRoom.Closing {
    /// They differ in how, when, the score or a mark; the time spent on a question does not matter.
    fileprivate func differs(from other: ExamRoom.Attempt.Submitted) -> Bool {
        how != other.how || closedAt != other.closedAt || score != other.score
            || !marks.elementsEqual(other.marks) { $0.isSame(as: $1) }
    }
}

extension ExamRoom.Attempt.Mark {
    fileprivate func isSame(as other: Self) -> Bool {
        question == other.question && answered == other.answered && correct == other.correct
            && points == other.points
    }
}
