import Core
import ExamRoomEvents
import Folding

extension ExamRoom.State {
    static func resultsRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Results.Published.self) { state, event, metadata in
            state.showResults(of: event.exam, true, by: metadata)
        }
        routes.on(ExamRoom.Results.Withheld.self) { state, event, metadata in
            state.showResults(of: event.exam, false, by: metadata)
        }
    }

    func areResultsPublished(of exam: ExamRoom.ExamID) -> Bool {
        exams.read(exam) { $0.areResultsPublished } ?? false
    }

    /// Shows or hides an exam's results: they enter or leave its students' averages (R31).
    private func showResults(
        of exam: ExamRoom.ExamID, _ isShown: Bool, by metadata: EventMetadata
    ) {
        let were = areResultsPublished(of: exam)
        write(ExamRoom.Register.results, of: exam, by: metadata) {
            $0.areResultsPublished = isShown
        }
        guard areResultsPublished(of: exam) != were else { return }
        let sign = isShown ? 1 : -1
        for attempt in attemptsAt(exam) {
            let counted = attempts.read(attempt) { row in
                row.counts ? row.percent.map { (row.student, $0) } : nil
            }
            guard let (student, percent) = counted ?? nil else { continue }
            changeStudent(student) {
                $0.published += sign
                $0.publishedSum += sign * Int(percent.hundredths)
            }
        }
    }
}
