package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// One student's place at one exam.
    package struct SeatRow: Record {
        package var isBlocked = false
        package var blockReason: String?
        private var student = Word.empty
        package var granted: Seat.Extension?
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
            self.student = Word(student)
        }
    }

    package struct RequestRow: Record {
        package enum State: String, Choice {
            case pending, approved, denied
        }

        package var exam = ExamID.none
        package var student = StudentID.none
        package var asked = Seat.Extension()
        package var justification: String?
        package var requestedAt = Instant.epoch
        package var state = State.pending
        package var granted: Seat.Extension?
        package var reason: String?
        package var decidedAt: Instant?
        /// The deciding admin; null for `system`.
        package var decidedBy: AccountID?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.field("asked", &asked)
            coder.kept("justification", &justification, of: student.symbol)
            coder.field("requestedAt", &requestedAt)
            coder.field("state", &state)
            coder.field("granted", &granted)
            coder.kept("reason", &reason, of: student.symbol)
            coder.field("decidedAt", &decidedAt)
            coder.field("decidedBy", &decidedBy)
        }
    }
}

extension ExamRoom.State {
    static func seatRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Seat.Blocked.self) { state, event, metadata in
            state.write(event.exam, event.student, ExamRoom.Register.block, metadata) {
                $0.block(event.reason, of: metadata.subject)
            }
            // Without the reason, which is personal.
            let logged = ExamRoom.Seat.Blocked(
                exam: event.exam, student: event.student, reason: nil)
            state.log(logged, event.exam, event.student, metadata)
        }
        routes.on(ExamRoom.Seat.Unblocked.self) { state, event, metadata in
            state.write(event.exam, event.student, ExamRoom.Register.block, metadata) {
                $0.isBlocked = false
                $0.blockReason = nil
            }
            state.log(event, event.exam, event.student, metadata)
        }
        routes.on(ExamRoom.Seat.ExtensionGranted.self) { state, event, metadata in
            state.write(event.exam, event.student, ExamRoom.Register.extraTime, metadata) {
                $0.granted = event.granted
                $0.request = event.request
                $0.grantedAt = metadata.moment
            }
            state.log(event, event.exam, event.student, metadata)
        }
        routes.on(ExamRoom.Seat.ExtensionModified.self) { state, event, metadata in
            state.write(event.exam, event.student, ExamRoom.Register.extraTime, metadata) {
                $0.granted = event.to
                $0.request = event.request
                $0.grantedAt = metadata.moment
            }
            state.log(event, event.exam, event.student, metadata)
        }
        routes.on(ExamRoom.Seat.ExtensionRevoked.self) { state, event, metadata in
            state.write(event.exam, event.student, ExamRoom.Register.extraTime, metadata) {
                $0.granted = nil
                $0.request = nil
            }
            state.log(event, event.exam, event.student, metadata)
        }
        routes.on(ExamRoom.Accommodation.Requested.self) { state, event, metadata in
            guard state.exams.contains(event.exam), state.students.contains(event.student) else {
                return
            }
            state.requests.update(event.request) {
                $0.exam = event.exam
                $0.student = event.student
                $0.asked = event.asked
                $0.justification = event.justification
                $0.requestedAt = metadata.moment
            }
            state.seat(event.exam, event.student) { $0.requests.append(event.request) }
        }
        routes.on(ExamRoom.Accommodation.Approved.self) { state, event, metadata in
            state.requests.updateExisting(event.request) {
                $0.state = .approved
                $0.granted = event.granted
                $0.decidedAt = metadata.moment
                $0.decidedBy = state.account(behind: metadata.actor)
            }
        }
        routes.on(ExamRoom.Accommodation.Denied.self) { state, event, metadata in
            state.requests.updateExisting(event.request) {
                $0.state = .denied
                $0.reason = event.reason
                $0.decidedAt = metadata.moment
                $0.decidedBy = state.account(behind: metadata.actor)
            }
        }
    }

    /// R40: changes what a register of a seat holds, if the write takes it.
    private func write(
        _ exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID, _ register: String,
        _ metadata: EventMetadata, _ body: (inout ExamRoom.SeatRow) -> Void
    ) {
        seat(exam, student) { row in
            if row.holders.take(register, by: metadata, first: nil, names) { body(&row) }
        }
    }

    private func log<P: Payload>(
        _ event: P, _ exam: ExamRoom.ExamID, _ student: ExamRoom.StudentID,
        _ metadata: EventMetadata
    ) {
        seatLogs.update(.init(exam, student)) { $0.facts.append(.init(event, metadata, names)) }
    }

    /// Changes a seat; the first change makes it.
    func seat(
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

    /// R44: whether the seat was blocked when the attempt began, by the last `block` write not after it
    /// in order of (moment, writer).
    package func wasBlocked(_ attempt: ExamRoom.AttemptRow) -> Bool {
        let blocks = (seatLogs[.init(attempt.exam, attempt.student)]?.facts ?? []).filter {
            ($0.type == ExamRoom.Seat.Blocked.type || $0.type == ExamRoom.Seat.Unblocked.type)
                && $0.moment <= attempt.startedAt
        }
        let last = blocks.max {
            $0.stamp == $1.stamp ? $0.position < $1.position : $0.stamp.precedes($1.stamp, names)
        }
        return last?.type == ExamRoom.Seat.Blocked.type
    }

    /// R15: the attempts at a seat that are not set aside.
    package func standingAttempts(of seat: ExamRoom.SeatRow) -> [ExamRoom.AttemptID] {
        seat.attempts.filter { attempts.read($0, \.isSetAside) == false }
    }

    /// The account of `admin:A-1`; none for `system`.
    package func account(behind actor: Symbol) -> ExamRoom.AccountID? {
        let parts = names.text(actor).split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0] == "admin" || parts[0] == "student",
            let symbol = names.known(String(parts[1]))
        else { return nil }
        return .init(symbol)
    }
}
