import Core
package import ExamRoomEvents
import Folding

/// What attempts count for, and whose they are.
extension ExamRoom.State {
    /// R24: adds what a counting attempt is to its exam and its student, or takes it away.
    func count(_ attempt: ExamRoom.AttemptRow, times sign: Int) {
        guard attempt.counts else { return }
        exams.updateExisting(attempt.exam) {
            guard let closing = attempt.closing else {
                $0.open += sign
                return
            }
            $0.completed += sign
            $0.completedSeconds += sign * closing.secondsTaken
        }
        changeStudent(attempt.student) {
            $0.counting += sign
            guard let closing = attempt.closing else { return }
            $0.completed += sign
            if closing.how == .student { $0.handedIn += sign }
            $0.percentSum += sign * Int(attempt.percent?.hundredths ?? 0)
            if attempt.isImported { return }  // R28: its date is none of a streak's
            if sign > 0 { $0.addDay(closing.localDate) } else { $0.removeDay(closing.localDate) }
        }
    }

    /// R6, R24: the attempts of a deleted student count nowhere, the open ones never close.
    func forgetAttempts(of student: ExamRoom.StudentID) {
        for id in attemptsOf(student) {
            change(id) { $0.isForgotten = true }
            guard let attempt = attempts[id], attempt.closing == nil else { continue }
            exams.updateExisting(attempt.exam) { $0.unclosed -= 1 }
            if let stream = names.known("examroom/attempt/\(names.text(id))") {
                timers.cancelAll(on: stream)
            }
        }
    }

    /// All attempts of a student, in the order in which they were started.
    package func attemptsOf(_ student: ExamRoom.StudentID) -> [ExamRoom.AttemptID] {
        studentAttempts.elements(of: student, count: students[student]?.attempts ?? 0)
    }

    /// All attempts at an exam, in the order in which they were started.
    package func attemptsAt(_ exam: ExamRoom.ExamID) -> [ExamRoom.AttemptID] {
        examAttempts.elements(of: exam, count: exams[exam]?.attempts ?? 0)
    }
}
