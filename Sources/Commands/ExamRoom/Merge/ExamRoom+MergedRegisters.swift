import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

// A merged write is judged by its own content. It takes the registers that no later write holds, and is
// recorded all the same where it loses (R40).

extension ExamRoom.ReviseProfile {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let row = try context.find(account)
        try check()
        if given.names.isEmpty { throw .nothingToChange }
        context.record(
            ExamRoom.Account.Revised(account: account, changes: given),
            on: account,
            superseded: context.superseded(given.names, of: row.holders, first: row.first))
    }
}

extension ExamRoom.ChoosePreference {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        guard let row = context.state.accounts[account] else { throw context.notFound(account) }
        context.record(
            ExamRoom.Account.PreferenceChosen(account: account, changes: changes),
            on: account,
            superseded: context.superseded(changes.givenNames, of: row.holders, first: row.first))
    }
}

extension ExamRoom.AdoptPolicy {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let holders = context.state.policies.holders
        try adopt(in: context) { context.superseded($0, of: holders, first: nil) }
    }
}

extension ExamRoom.ReviseExam {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let target = try merge.target(exam)
        try changes.check(against: context.state.policy)
        merge.restore(target)
        guard let row = context.state.exams[exam] else { return }
        context.record(
            ExamRoom.Exam.Revised(
                exam: exam, changes: changes.changes(of: row.details)),
            on: exam,
            superseded: context.superseded(changes.givenNames, of: row.holders, first: row.first))
        if changes.window != nil { merge.openedExams.insert(exam) }
        if changes.maxAttempts != nil { merge.limitedExams.insert(exam) }
    }
}

extension ExamRoom.GivenDetails {
    /// Every given detail with the present value, also one that equals it.
    func changes(of present: ExamRoom.Exam.Details) -> ExamRoom.Exam.DetailChanges {
        var changes = ExamRoom.Exam.DetailChanges()
        changes.title = title.map { .init(from: present.title, to: $0) }
        changes.description = description.map { .init(from: present.description, to: $0) }
        changes.durationMinutes = durationMinutes.map {
            .init(from: present.durationMinutes, to: $0)
        }
        changes.window = window.map { .init(from: present.window, to: $0) }
        changes.maxAttempts = maxAttempts.map { .init(from: present.maxAttempts, to: $0) }
        changes.shuffleQuestions = shuffleQuestions.map {
            .init(from: present.shuffleQuestions, to: $0)
        }
        changes.shuffleOptions = shuffleOptions.map { .init(from: present.shuffleOptions, to: $0) }
        changes.feedback = feedback.map { .init(from: present.feedback, to: $0) }
        changes.passPercent = passPercent.map { .init(from: present.passPercent, to: $0) }
        return changes
    }
}

extension ExamRoom.ReviseQuestion {
    /// The content is what the device knew with its changes (R42).
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let target = try merge.target(exam, question)
        try changes.check(against: context.state.policy)
        let known = merge.known(exam).bankQuestion(question, of: exam)
        merge.restore(target)
        guard let present = context.state.bankQuestion(question, of: exam) else { return }
        var content = (known ?? present).content
        changes.apply(to: &content)
        context.record(
            ExamRoom.Question.Revised(
                exam: exam, question: question, content: content, names: changes.givenNames),
            on: exam,
            superseded: context.superseded(
                [ExamRoom.Register.content], of: present.holders, first: present.first))
    }
}

extension ExamRoom.AttachImage {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let target = try merge.target(exam, question)
        try file.check(against: context.state.policy)
        merge.restore(target)
        guard let present = context.state.bankQuestion(question, of: exam) else { return }
        context.record(
            ExamRoom.Image.Attached(
                exam: exam, question: question, image: file, originalBytes: originalBytes,
                replaced: present.image?.hash),
            on: exam,
            superseded: context.superseded(
                [ExamRoom.Register.image], of: present.holders, first: present.first))
        context.recordOrphans(among: [present.image].compactMap(\.self))
    }
}

extension ExamRoom.DetachImage {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        merge.restore(try merge.target(exam, question))
        guard let present = context.state.bankQuestion(question, of: exam) else { return }
        context.record(
            ExamRoom.Image.Detached(exam: exam, question: question, hash: present.image?.hash),
            on: exam,
            superseded: context.superseded(
                [ExamRoom.Register.image], of: present.holders, first: present.first))
        context.recordOrphans(among: [present.image].compactMap(\.self))
    }
}

extension ExamRoom.Merge {
    /// Writes to a register of an exam, which comes back if it was deleted on the other side; true if
    /// the write takes the register.
    fileprivate func write<P: Payload>(
        _ register: String, of exam: ExamRoom.ExamID, _ event: (ExamRoom.ExamRow) -> P
    ) throws(ExamRoom.Rejection) -> Bool {
        restore(try target(exam))
        guard let row = context.state.exams[exam] else { throw context.notFound(exam) }
        let superseded = context.superseded([register], of: row.holders, first: row.first)
        context.record(event(row), on: exam, superseded: superseded)
        return superseded.isEmpty
    }

    /// Writes to a register of a seat.
    fileprivate func write<P: Payload>(
        _ register: String, of seat: ExamRoom.SeatRow, _ event: P, on stream: String
    ) {
        context.record(
            event, on: stream,
            superseded: context.superseded([register], of: seat.holders, first: nil))
    }
}

extension ExamRoom.PublishExam {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        _ = try merge.write(ExamRoom.Register.publication, of: exam) {
            ExamRoom.Exam.Published(exam: exam, questions: $0.questions, maxScore: $0.maxScore)
        }
        merge.openedExams.insert(exam)
    }
}

extension ExamRoom.WithdrawExam {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        _ = try merge.write(ExamRoom.Register.publication, of: exam) { _ in
            ExamRoom.Exam.Withdrawn(exam: exam)
        }
        merge.openedExams.insert(exam)
    }
}

extension ExamRoom.PublishResults {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let isTaken = try merge.write(ExamRoom.Register.results, of: exam) { _ in
            ExamRoom.Results.Published(exam: exam)
        }
        merge.holdUnseen(at: exam)
        if isTaken, context.state.policy.awardsWhen == .results {
            context.awardAll(at: exam, except: Set(merge.late.keys))
        }
    }
}

extension ExamRoom.WithholdResults {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        _ = try merge.write(ExamRoom.Register.results, of: exam) { _ in
            ExamRoom.Results.Withheld(exam: exam)
        }
    }
}

extension ExamRoom.Merge {
    /// Writes the register `block` of a seat, whose attempts are then checked for conflicts (R44 d).
    fileprivate func writeBlock<P: Payload>(
        _ exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID, _ event: P
    ) throws(ExamRoom.Rejection) {
        write(
            ExamRoom.Register.block, of: try seat(exam, student), event,
            on: context.seatStream(exam, student))
        blockedSeats.insert(.init(exam, student))
    }
}

extension ExamRoom.BlockStudent {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        try merge.writeBlock(
            exam, student,
            ExamRoom.Seat.Blocked(exam: exam, student: student, reason: reason))
    }
}

extension ExamRoom.UnblockStudent {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        try merge.writeBlock(
            exam, student, ExamRoom.Seat.Unblocked(exam: exam, student: student))
    }
}

extension ExamRoom.GrantExtension {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let seat = try merge.seat(exam, student)
        try context.checkOffered(granted)
        merge.write(
            ExamRoom.Register.extraTime, of: seat,
            ExamRoom.Extension.Granted(
                exam: exam, student: student, granted: granted, request: nil),
            on: context.seatStream(exam, student))
    }
}

extension ExamRoom.ModifyExtension {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let seat = try merge.seat(exam, student)
        try context.checkOffered(granted)
        merge.write(
            ExamRoom.Register.extraTime, of: seat,
            ExamRoom.Extension.Modified(
                exam: exam, student: student, from: seat.granted, to: granted, request: nil),
            on: context.seatStream(exam, student))
    }
}

extension ExamRoom.RevokeExtension {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let seat = try merge.seat(exam, student)
        merge.write(
            ExamRoom.Register.extraTime, of: seat,
            ExamRoom.Extension.Revoked(exam: exam, student: student, revoked: seat.granted),
            on: context.seatStream(exam, student))
    }
}
