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
        try context.checkIsFree(attempt, unless: state.attempts.contains(attempt))
        let known = merge.known(exam, student)
        guard let row = known.exams[exam], !row.isDeleted, row.questions > 0,
            let bank = known.banks[exam]
        else { throw .noQuestions }
        record(row, bank, known.seats[.init(exam, student)]?.granted, in: context)
        merge.startedSeats.insert(.init(exam, student))
        merge.holdStart(of: attempt)
    }
}

extension ExamRoom.SaveAnswer {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let row = try merge.runningAttempt(attempt)
        let asked = try asked(in: row, context)
        if merge.isLate(attempt, row) {
            merge.late[attempt, default: .init()].answers.append(context.nextPosition)
        } else {
            merge.meet(attempt, row)
            if row.answersFinal {
                merge.answeredFinally[attempt, default: []].insert(question)
            }
        }
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
        if merge.isLate(attempt, row) {
            // R53: held; of several the earliest is enough, whether they came late or count.
            let known =
                row.submissions.filter { $0.conflict != nil }.map(\.at)
                + (merge.late[attempt]?.submissions ?? []) + merge.submissions(of: attempt, row)
            if known.contains(where: { $0 <= context.at }) { throw .attemptClosed }
            merge.late[attempt, default: .init()].submissions.append(context.at)
            return
        }
        if row.course == .open {
            context.close(attempt, .student, at: context.at)
            return
        }
        // R43: only the earliest known counts, without an event of its own.
        if merge.submissions(of: attempt, row).contains(where: { $0 <= context.at }) {
            merge.note(outdone: context.at, of: attempt, row)
            throw .attemptClosed
        }
        merge.count(submission: context.at, of: attempt)
    }
}

extension ExamRoom.Merge {
    /// The submissions that count, those of this batch that have no event included.
    fileprivate func submissions(
        of attempt: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow
    ) -> [Instant] {
        let held = late[attempt]?.submissions ?? []
        let known = row.submissions.filter { $0.conflict == nil && !held.contains($0.at) }
        return known.map(\.at) + [closed[attempt] ?? nil].compactMap(\.self)
    }

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
        for id in context.inOrder(closed.keys) {
            context.reconcile(id, with: closed[id] ?? nil)
            // What was late when the results were published, or was released, waited for its score.
            if released.contains(id) { context.earn(id) }
            guard late[id] != nil, let row = context.state.attempts[id],
                case .closed = row.course
            else { continue }
            context.awardIfDue(id, at: row.exam)
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// Closes a closed attempt anew, with a submission that no event tells of yet, if that changes anything
    /// (R43).
    func reconcile(_ id: ExamRoom.AttemptID, with submission: Instant? = nil) {
        guard let row = state.attempts[id], let former = row.closing, !row.isImported else {
            return
        }
        let submitted = [row.submittedAt, submission].compactMap(\.self).min()
        let closing = closing(
            of: id, row, submitted == nil ? .timeUp : .student, at: submitted ?? row.deadline)
        guard former.differs(from: closing) else { return }
        record(
            ExamRoom.Attempt.Reconciled(
                closing,
                previous: .init(how: former.how, closedAt: former.closedAt, score: former.score)),
            on: id)
        adjustAwards(for: id)
    }

    /// By the texts of their ids.
    func inOrder<T>(_ ids: some Sequence<Identifier<T>>) -> [Identifier<T>] {
        ids.sorted { names.text($0).precedes(names.text($1)) }
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
