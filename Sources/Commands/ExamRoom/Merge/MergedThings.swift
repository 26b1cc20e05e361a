package import Commands
import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

/// R39: what is created needs right content and a free id. R41: what is deleted on one side and edited
/// on the other stays until somebody chooses.

extension ExamRoom.CreateExam {
    package func merge(
        _ merge: ExamRoom.Merge, in scene: Scene<ExamRoom.Room>
    ) throws(ExamRoom.Rejection) {
        try create(in: scene)
    }
}

extension ExamRoom.AddQuestion {
    package func merge(
        _ merge: ExamRoom.Merge, in scene: Scene<ExamRoom.Room>
    ) throws(ExamRoom.Rejection) {
        let target = try merge.target(exam)
        try content.check(against: scene.state.policy)
        if scene.state.banks[exam]?.hasUsed(question) == true { throw .alreadyExists }  // R1
        merge.restore(target)
        scene.record(
            ExamRoom.Question.Added(exam: exam, question: question, content: content),
            on: scene.examStream(exam))
    }
}

extension ExamRoom.RequestAccommodation {
    package func merge(
        _ merge: ExamRoom.Merge, in scene: Scene<ExamRoom.Room>
    ) throws(ExamRoom.Rejection) {
        _ = try merge.seat(exam, student)
        try check(against: scene.state)
        try record(in: scene)
    }
}

extension ExamRoom.RemoveQuestion {
    package func merge(
        _ merge: ExamRoom.Merge, in scene: Scene<ExamRoom.Room>
    ) throws(ExamRoom.Rejection) {
        let subject = ExamRoom.ConflictSubject.question(exam, question)
        let target = try merge.target(exam)
        guard scene.state.banks[exam]?.hasUsed(question) == true else { throw .notFound }
        guard let present = scene.state.bankQuestion(question, of: exam) else {
            // Deleted on the other side as well: told once more, which changes nothing.
            _ = try merge.deletion(of: subject, in: exam)
            merge.restore(target)
            scene.record(
                ExamRoom.Question.Removed(exam: exam, question: question),
                on: scene.examStream(exam))
            return
        }
        merge.restore(target)
        guard merge.editsElsewhere(of: subject, in: exam).isEmpty else {
            merge.keep(subject, command: scene.mergedCommand)
            return
        }
        scene.remove(question, of: exam, present)
    }
}

extension ExamRoom.DeleteExam {
    package func merge(
        _ merge: ExamRoom.Merge, in scene: Scene<ExamRoom.Room>
    ) throws(ExamRoom.Rejection) {
        let subject = ExamRoom.ConflictSubject.exam(exam)
        guard let row = scene.state.exams[exam] else { throw .notFound }
        if row.isDeleted {
            // Deleted on the other side as well: told once more, which changes nothing.
            _ = try merge.deletion(of: subject, in: exam)
            scene.record(
                ExamRoom.Exam.Deleted(exam: exam, title: row.details.title),
                on: scene.examStream(exam))
            return
        }
        guard merge.editsElsewhere(of: subject, in: exam).isEmpty else {
            merge.keep(subject, command: scene.mergedCommand)
            return
        }
        scene.delete(exam, row)
    }
}
