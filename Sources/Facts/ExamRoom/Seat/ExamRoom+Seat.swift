package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// One student's place at one exam: block, extra time, attempts, requests.
    package struct SeatRow: Record {
        package var isBlocked = false
        package var blockReason: String?
        private var student = InternedText.empty
        package var granted: ExtraTime?
        /// The request that the extension answers.
        package var request: RequestID?
        package var grantedAt = Instant.epoch
        /// In the order in which they were started.
        package var attempts: [AttemptID] = []
        package var requests: [RequestID] = []
        package var holders = Holders()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("isBlocked", &isBlocked)
            coder.field("student", &student)
            coder.kept("blockReason", &blockReason, of: student.symbol)
            coder.field("granted", &granted)
            coder.field("request", &request)
            coder.field("grantedAt", &grantedAt)
            coder.field("attempts", &attempts)
            coder.field("requests", &requests)
            coder.field("holders", &holders)
        }

        mutating func block(_ reason: String?, of student: Symbol) {
            isBlocked = true
            blockReason = reason
            self.student = InternedText(student)
        }
    }

    package typealias SeatKey = Pair<ExamID, StudentID>
}

extension ExamRoom.State {
    static func seatRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Seat.Blocked.self) { state, event, metadata in
            state.write(ExamRoom.Register.block, of: event.exam, event.student, by: metadata) {
                $0.block(event.reason, of: metadata.subject)
            }
        }
        routes.on(ExamRoom.Seat.Unblocked.self) { state, event, metadata in
            state.write(ExamRoom.Register.block, of: event.exam, event.student, by: metadata) {
                $0.isBlocked = false
                $0.blockReason = nil
            }
        }
    }

    /// Changes what a register of a seat holds, if the write takes it (R40).
    func write(
        _ register: String, of exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID,
        by metadata: EventMetadata, _ body: (inout ExamRoom.SeatRow) -> Void
    ) {
        changeSeat(exam, student) { row in
            if row.holders.take(register, by: metadata, first: nil, names) { body(&row) }
        }
    }

    /// Changes a seat; the first change creates it.
    func changeSeat(
        _ exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID,
        _ body: (inout ExamRoom.SeatRow) -> Void
    ) {
        let key = ExamRoom.SeatKey(exam, student)
        guard exams.contains(exam), students.contains(student) else { return }
        if !seats.contains(key) {
            accounts.updateExisting(.init(student)) { $0.seats.append(exam) }
        }
        seats.update(key, body)
    }

    /// A student's attempts at an exam by (`startedAt`, writer, attempt id).
    package func inOrderOfNumber(_ attempts: [ExamRoom.AttemptID]) -> [ExamRoom.AttemptID] {
        guard attempts.count > 1 else { return attempts }
        return attempts.compactMap { id in
            self.attempts.read(id) { (id: id, start: $0.start) }
        }.sorted { left, right in
            left.start == right.start
                ? names.text(left.id).precedes(names.text(right.id))
                : left.start.precedes(right.start, names)
        }.map(\.id)
    }

    /// Whether the seat was blocked when the attempt began, by the last `block` write not after it in
    /// order of (moment, writer) (R44).
    package func wasBlocked(_ attempt: ExamRoom.AttemptRow) -> Bool {
        let blocks = (seatLogs[.init(attempt.exam, attempt.student)]?.writes ?? []).filter {
            ($0.type == ExamRoom.Seat.Blocked.type || $0.type == ExamRoom.Seat.Unblocked.type)
                && $0.moment <= attempt.startedAt
        }
        let last = blocks.max {
            $0.stamp == $1.stamp ? $0.position < $1.position : $0.stamp.precedes($1.stamp, names)
        }
        return last?.type == ExamRoom.Seat.Blocked.type
    }

    /// The student has more attempts at the exam than its limit allows, as it stands now (R15, R44).
    package func isOverLimit(_ seat: ExamRoom.SeatKey) -> Bool {
        guard let most = exams.read(seat.first, { $0.details.maxAttempts }) ?? nil,
            let row = seats[seat]
        else { return false }
        return usedAttempts(of: row).count > most
    }

    /// The attempts used: those at a seat that are not set aside (R15).
    package func usedAttempts(of seat: ExamRoom.SeatRow) -> [ExamRoom.AttemptID] {
        seat.attempts.filter { attempts.read($0, \.isSetAside) == false }
    }
}
