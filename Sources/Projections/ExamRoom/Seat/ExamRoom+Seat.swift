import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom.State {
    /// Seats of active students at exams not deleted; with a student only theirs are read.
    func seats(
        at exam: String?, of student: String?
    ) -> [(ExamRoom.SeatKey, ExamRoom.SeatRow)] {
        let wanted: ExamRoom.ExamID? = exam.flatMap { id($0) }
        if exam != nil, wanted == nil { return [] }
        var found: [(ExamRoom.SeatKey, ExamRoom.SeatRow)] = []
        if let student {
            guard let student = activeStudent(student) else { return [] }
            found = seats(of: student).map { (.init($0.exam, student), $0.row) }
        } else {
            seats.forEach { key, row in
                if isActiveStudent(key.second) { found.append((key, row)) }
            }
        }
        return found.filter { key, _ in
            (wanted == nil || key.first == wanted) && !isDeleted(key.first)
        }
    }

    /// The student's seats, in no order that means anything.
    func seats(
        of student: ExamRoom.StudentID
    ) -> [(exam: ExamRoom.ExamID, row: ExamRoom.SeatRow)] {
        (accounts[.init(student)]?.seats ?? []).compactMap { exam in
            seats[.init(exam, student)].map { (exam, $0) }
        }
    }
}
