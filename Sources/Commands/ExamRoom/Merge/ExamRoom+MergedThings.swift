import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

// What is created needs valid content and a free id (R39). What is deleted on one side and edited on the
// other stays until an admin chooses (R41).

extension ExamRoom.CreateExam {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        try create(in: context)
    }
}

extension ExamRoom.AddQuestion {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let target = try merge.target(exam)
        try content.check(against: context.state.policy)
        // A removed question's id stays used (R1).
        if context.state.banks[exam]?.hasUsed(question) == true {
            throw context.alreadyExists(question)
        }
        merge.restore(target)
        context.record(
            ExamRoom.Question.Added(exam: exam, question: question, content: content),
            on: exam)
    }
}

extension ExamRoom.RequestAccommodation {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        _ = try merge.seat(exam, student)
        try checkContent(in: context)
        try record(in: context)
    }
}

extension ExamRoom.RemoveQuestion {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let subject = ExamRoom.ConflictSubject.question(exam, question)
        let target = try merge.target(exam)
        guard context.state.banks[exam]?.hasUsed(question) == true else {
            throw context.notFound(question)
        }
        guard let present = context.state.bankQuestion(question, of: exam) else {
            // Deleted on the other side as well: recorded once more, which changes nothing.
            _ = try merge.deletion(of: subject, in: exam)
            merge.restore(target)
            context.record(ExamRoom.Question.Removed(exam: exam, question: question), on: exam)
            return
        }
        merge.restore(target)
        guard merge.editsElsewhere(of: subject, in: exam).isEmpty else {
            merge.keep(subject, command: context.mergedCommand)
            return
        }
        context.remove(question, of: exam, present)
    }
}

extension ExamRoom.DeleteExam {
    func merge(
        _ merge: ExamRoom.Merge, in context: ExamRoom.Context
    ) throws(ExamRoom.Rejection) {
        let subject = ExamRoom.ConflictSubject.exam(exam)
        guard let row = context.state.exams[exam] else { throw context.notFound(exam) }
        if row.isDeleted {
            // Deleted on the other side as well: recorded once more, which changes nothing.
            _ = try merge.deletion(of: subject, in: exam)
            context.record(ExamRoom.Exam.Deleted(exam: exam, title: row.details.title), on: exam)
            return
        }
        guard merge.editsElsewhere(of: subject, in: exam).isEmpty else {
            merge.keep(subject, command: context.mergedCommand)
            return
        }
        context.delete(exam, row)
    }
}
