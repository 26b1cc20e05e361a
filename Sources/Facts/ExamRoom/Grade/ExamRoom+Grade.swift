import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// The last modified grade, by moment, then writer; equal pairs: the later position (R22).
    package struct GradeRow: Record {
        package var score = 0
        package var stamp = Stamp()

        package init() {}
    }
}

extension ExamRoom.State {
    static func gradeRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Grade.Modified.self) { $0.graded($1, $2) }
    }

    private func graded(_ event: ExamRoom.Grade.Modified, _ metadata: EventMetadata) {
        guard let attempt = attempts[event.attempt], let old = attempt.percent else { return }
        let stamp = Stamp(metadata)
        if let former = attempt.grade, stamp.precedes(former.stamp, names) { return }
        var grade = ExamRoom.GradeRow()
        grade.score = event.newScore
        grade.stamp = stamp
        attempts.update(event.attempt) { row in row.changeOutcome { $0.grade = grade } }
        guard attempt.counts else { return }
        let difference = Int(event.newPercent.hundredths - old.hundredths)
        let isPublished = areResultsPublished(of: attempt.exam)
        changeStudent(event.student) {
            $0.percentSum += difference
            if isPublished { $0.publishedSum += difference }
        }
    }
}
