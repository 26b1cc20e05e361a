import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What can this student sit now? Published exams by title, then id.
    static let availableView = ReadModel<State>(
        "examroom.available", "What can this student sit now?", key: "student",
        keys: { $0.names.texts($0.activeStudents) },
        basis: .on(Grounds.account, .tag("student"), Grounds.allExams)
    ) { state, request, output in
        guard let student = state.activeStudent(request.key) else { return false }
        // Each student looks at all exams: a row is read where it lies.
        var exams = state.exams.allKeys.compactMap { id in
            state.exams.read(id) { row -> (id: ExamID, title: String)? in
                // R15: an archived exam is not published.
                guard row.isPublished, !row.isArchived, !row.isDeleted else { return nil }
                return (id, row.details.title)
            } ?? nil
        }
        exams.sort { left, right in
            left.title.isExactly(right.title)
                ? state.precedes(left.id, right.id) : left.title.precedes(right.title)
        }
        let seats = Dictionary(
            state.seats(of: student).map { ($0.exam, $0.row) }, uniquingKeysWith: { $1 })
        output.object { output in
            output.array("exams", exams) { output, exam in
                state.exams.read(exam.id) { row in
                    let chance = Opportunity(
                        exam.id, row, seats[exam.id] ?? SeatRow(), state, at: request.now)
                    output.object { chance.write(row, to: &$0) }
                }
            }
            output.member("student", student)
        }
        return true
    }
}

/// What one exam offers one student at one instant.
private struct Opportunity {
    /// Whether the student can start or resume, or why not.
    enum Status: String, Choice {
        case resumable, blocked, upcoming, closed
        case usedUp = "used-up"
        case startable
    }

    private let exam: ExamRoom.ExamID
    private let isExtended: Bool
    private let limitSeconds: Int
    private let used: Int
    private let openAttempt: ExamRoom.AttemptID?
    private let status: Status

    init(
        _ exam: ExamRoom.ExamID, _ row: borrowing ExamRoom.ExamRow, _ seat: ExamRoom.SeatRow,
        _ state: ExamRoom.State, at now: Instant
    ) {
        self.exam = exam
        isExtended = seat.granted != nil
        // R14: what an attempt that starts now would get.
        let duration = row.details.durationSeconds
        limitSeconds = duration.addingClamping(
            seat.granted?.extraSeconds(durationSeconds: duration) ?? 0)
        // R15: attempts of the student at the exam, open, closed or imported, not set aside.
        let attempts = state.usedAttempts(of: seat)
        used = attempts.count
        openAttempt = state.inOrderOfNumber(attempts).first { attempt in
            state.attempts.read(attempt) { $0.isOpen(at: now) } ?? false
        }
        status =
            if openAttempt != nil {
                .resumable
            } else if seat.isBlocked {
                .blocked
            } else if let opensAt = row.details.window.opensAt, now < opensAt {
                .upcoming
            } else if let closesAt = row.details.window.closesAt, now >= closesAt {
                .closed
            } else if let most = row.details.maxAttempts, used >= most {
                .usedUp
            } else {
                .startable
            }
    }

    func write(_ row: borrowing ExamRoom.ExamRow, to output: inout JSONOutput) {
        output.member("attemptsLeft", row.details.maxAttempts.map { max(0, $0 - used) })
        output.member("attemptsUsed", used)
        output.member("closesAt", row.details.window.closesAt)
        output.member("exam", exam)
        output.member("extended", isExtended)
        output.member("limitSeconds", limitSeconds)
        output.member("openAttempt", openAttempt)
        output.member("opensAt", row.details.window.opensAt)
        output.member("questions", row.questions)
        output.member("state", status)
        output.member("title", row.details.title)
    }
}
