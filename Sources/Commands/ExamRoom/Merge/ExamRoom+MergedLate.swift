import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

// What a merge brings to an attempt after its key could be known is kept and does not count until an admin
// settles it (R53), and so an attempt that began while its exam could not be sat (R54).

extension ExamRoom.Merge {
    /// What came late to one attempt: positions of answers, instants of submissions.
    struct Late {
        var answers: [Position] = []
        var submissions: [Instant] = []

        /// Each once: one batch may bring several publications.
        mutating func add(answers: [Position], submissions: [Instant]) {
            self.answers += answers.filter { !self.answers.contains($0) }
            self.submissions += submissions.filter { !self.submissions.contains($0) }
        }
    }

    /// Whether what this batch brings to the attempt is held apart as late: a publication of
    /// results stood here before, made elsewhere and after the attempt began. What is late by those
    /// alone that make the attempt late as a whole is part of it, whichever came first (R47, R53).
    func isLate(_ attempt: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow) -> Bool {
        !row.isImported
            && publicationsBefore(of: row.exam).contains {
                comesAfter($0, row) && !isWhole(attempt, row, behind: $0)
            }
    }

    /// Whether a publication makes the attempt late as a whole: it was made without the start, and
    /// no choice has settled that since. Of what is set aside nothing is left to choose.
    private func isWhole(
        _ attempt: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow,
        behind publication: ExamRoom.Publication
    ) -> Bool {
        let isHeld =
            row.holds.contains(context.conflictID(.lateAnswers, of: attempt, row))
            && publication.write.position > row.lateSettledAt
        return (isHeld || row.isSetAside)
            && isLate(row.startedPosition, from: row.source, of: row, behind: [publication])
    }

    /// Whether something of an attempt is late by one of the publications. In a batch that a student brought the name
    /// of the device proves nothing (R53).
    private func isLate(
        _ position: Position, from source: ExamRoom.DeviceID, of row: ExamRoom.AttemptRow,
        behind publications: [ExamRoom.Publication]
    ) -> Bool {
        publications.contains { publication in
            let isDoubtful =
                source == publication.source && source != .none
                && (position >= start ? isByStudent : context.state.isBroughtByStudent(position))
            return publication.makesLate(position, from: isDoubtful ? .none : source, of: row)
        }
    }

    /// Whether a publication that stood here before makes late what this batch brings.
    private func comesAfter(
        _ publication: ExamRoom.Publication, _ row: ExamRoom.AttemptRow
    ) -> Bool {
        publication.isAfterStart(of: row) && (isByStudent || publication.source != device)
    }

    // MARK: As the commands of the batch are decided

    /// An attempt that began outside, or that comes whole after its key could be known, is held from its start
    /// on: nothing is awarded for it.
    func holdStart(of attempt: ExamRoom.AttemptID) {
        guard let row = context.state.attempts[attempt] else { return }
        if context.state.wasOutside(row) { context.hold(attempt, row, .startOutside) }
        if publicationsBefore(of: row.exam).contains(where: { comesAfter($0, row) }) {
            context.hold(attempt, row, .lateAnswers)
        }
        if context.state.wasBlocked(row) {
            context.hold(attempt, row, .blockedAttempt)
            context.recordViolation(
                .studentBlocked, of: ExamRoom.StartAttempt.type, by: .init(row.student),
                exam: row.exam, toldAt: at)
        }
        if context.state.isOverLimit(.init(row.exam, row.student)) {
            context.hold(attempt, row, .attemptLimit)
        }
    }

    // MARK: At the end of the batch

    /// Holds and releases what a live start would have refused, and what it would not have after all.
    func settleStarts() {
        let state = context.state
        // Released when all are held: one that is held for another reason in between has not counted.
        var releases: [(ExamRoom.AttemptID, ExamRoom.ConflictID)] = []
        for exam in context.inOrder(openedExams) {
            let opening = state.opening(of: exam)
            releases += settle(.startOutside, state.attemptsAt(exam)) {
                !$0.isImported && !opening.includes($0.startedAt)
            }
        }
        for seat in startedSeats.union(blockedSeats).sorted(by: precedes) {
            let attempts = state.seats[seat]?.attempts ?? []
            releases += settle(.blockedAttempt, attempts) { state.wasBlocked($0) }
        }
        // All that began without sight of each other: only the devices say which was first, and whoever could
        // choose it could choose the better one (R44).
        for seat in startedSeats.sorted(by: precedes) where state.isOverLimit(seat) {
            let attempts = state.seats[seat]?.attempts ?? []
            let known = knownToAll(of: attempts)
            releases += settle(.attemptLimit, attempts) {
                !$0.isImported && ($0.startedPosition > known || state.isHeldForLimit($0))
            }
        }
        for exam in context.inOrder(limitedExams) {
            releases += context.heldWithinLimit(state.attemptsAt(exam))
        }
        for (attempt, conflict) in releases { release(attempt, conflict) }
    }

    /// What stands up to here was seen by all who brought an attempt without sight of another: by
    /// this batch, by those that brought what it had not seen, and so on (R44 c). By its own `seen`
    /// alone, what is held would depend on which batch comes last (R47).
    private func knownToAll(of attempts: [ExamRoom.AttemptID]) -> Position {
        let used = attempts.compactMap { context.state.attempts[$0] }
            .filter { !$0.isImported && !$0.isSetAside }
            .sorted { $0.startedPosition > $1.startedPosition }
        // Newest first: what is known to all moves back only.
        return used.reduce(seen) { known, attempt in
            guard attempt.startedPosition > known else { return known }
            return min(known, context.state.seen(where: attempt) ?? known)
        }
    }

    /// What the batch changes of the attempt is counted before it earns anything: a badge is never taken back (R27).
    private func release(_ attempt: ExamRoom.AttemptID, _ conflict: ExamRoom.ConflictID) {
        guard let row = context.state.attempts[attempt] else { return }
        let waits = late[attempt] != nil || closed[attempt] != nil
        if waits { released.insert(attempt) }
        context.release(attempt, row, conflict, earnsLater: waits)
    }

    /// Holds those of the attempts for which a reason stands that no choice has settled; answers those that are held and
    /// for which it stands no more. What is set aside is not held anew.
    private func settle(
        _ kind: ExamRoom.Conflict.Kind, _ attempts: [ExamRoom.AttemptID],
        where stands: (ExamRoom.AttemptRow) -> Bool
    ) -> [(ExamRoom.AttemptID, ExamRoom.ConflictID)] {
        var releases: [(ExamRoom.AttemptID, ExamRoom.ConflictID)] = []
        for attempt in context.inOrder(attempts) {
            guard let row = context.state.attempts[attempt] else { continue }
            let conflict = context.conflictID(kind, of: attempt, row)
            if !stands(row) {
                if row.holds.contains(conflict) { releases.append((attempt, conflict)) }
            } else if !row.isSetAside, context.state.conflicts[conflict]?.choice == nil {
                context.hold(attempt, row, kind)
            }
        }
        return releases
    }

    /// By the texts of exam and student.
    private func precedes(_ left: ExamRoom.SeatKey, _ right: ExamRoom.SeatKey) -> Bool {
        let names = context.names
        return left.first == right.first
            ? names.text(left.second).precedes(names.text(right.second))
            : names.text(left.first).precedes(names.text(right.first))
    }

    /// Notes a refused submission, the first of its device: without it, what stands when an earlier one comes out as late would depend on the order of merges (R47).
    func note(
        outdone instant: Instant, of attempt: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow
    ) {
        let isFirst = !row.submissions.contains {
            context.state.source(of: $0, merging: device) == device && $0.at <= instant
        }
        if isFirst, outdone[attempt] == nil, closed[attempt] ?? nil == nil {
            outdone[attempt] = instant
        }
    }

    private func recordOutdone() {
        for attempt in context.inOrder(outdone.keys) {
            guard let row = context.state.attempts[attempt], let instant = outdone[attempt] else {
                continue
            }
            context.record(
                ExamRoom.Attempt.Resubmitted(
                    attempt: attempt, exam: row.exam, student: row.student, submittedAt: instant),
                on: attempt)
        }
    }

    /// Holds the answers and submissions that are late (R53).
    func holdLate() {
        recordOutdone()
        for attempt in context.inOrder(late.keys) {
            guard let row = context.state.attempts[attempt], let late = late[attempt] else {
                continue
            }
            context.record(
                ExamRoom.Answer.Held(
                    attempt: attempt, exam: row.exam, student: row.student,
                    conflict: context.conflictID(.lateAnswers, of: attempt, row),
                    answers: late.answers.sorted(), submissions: late.submissions.sorted()),
                on: attempt)
            rescore(attempt)
        }
    }

    /// What a publication was made without is late as well: had its batch come first, the rest would have come
    /// after it.
    func holdUnseen(at exam: ExamRoom.ExamID) {
        publishedExams.insert(exam)
        let made = context.state.publications(of: exam, seen: seen)
            .filter { $0.write.position >= start }
        for attempt in context.inOrder(context.state.attemptsAt(exam)) {
            guard let row = context.state.attempts[attempt], !row.isImported else { continue }
            let comesLate = { [self] (position: Position, source: ExamRoom.DeviceID) in
                isLate(position, from: source, of: row, behind: made)
            }
            if comesLate(row.startedPosition, row.source) {
                if !row.isSetAside { context.hold(attempt, row, .lateAnswers) }
                continue
            }
            let answers = row.answerLog.answers.filter {
                !row.isHeld(answerAt: $0.position) && comesLate($0.position, $0.source)
            }
            let submissions = row.submissions.filter {
                $0.conflict == nil
                    && comesLate($0.position, context.state.source(of: $0, merging: device))
            }
            if answers.isEmpty, submissions.isEmpty { continue }
            late[attempt, default: .init()].add(
                answers: answers.map(\.position), submissions: submissions.map(\.at))
        }
    }

    // MARK: Conflicts

    /// One for each attempt that is held since it began outside or came late as a whole, one for each to which
    /// something came late or, where the first answer is final, right and wrong answers to a question (R53, R54).
    func heldAttempts() -> [ExamRoom.Conflict.Detected] {
        let state = context.state
        let touched =
            startedSeats.flatMap { state.seats[$0]?.attempts ?? [] }
            + openedExams.union(publishedExams).flatMap { state.attemptsAt($0) }
        let held = touched.flatMap { id -> [ExamRoom.Conflict.Detected] in
            guard let row = state.attempts[id], !row.holds.isEmpty else { return [] }
            return [.startOutside, .lateAnswers].map { context.conflict($0, of: id, row) }
                .filter { row.holds.contains($0.conflict) }
        }
        let doubtful = answeredFinally.filter { id, questions in
            guard let row = state.attempts[id] else { return false }
            return row.paper.contains { entry in
                let asked = entry.value(in: context.names)
                return questions.contains(asked.question)
                    && state.isDoubtful(asked, in: row)
            }
        }.keys
        return held
            + (Array(late.keys) + Array(doubtful)).compactMap { id in
                state.attempts[id].map { context.conflict(.lateAnswers, of: id, $0) }
            }
    }
}

extension DecisionContext<ExamRoom> {
    /// Holds an attempt for a conflict, once; what it earned is taken from the points (R27).
    func hold(
        _ attempt: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow, _ kind: ExamRoom.Conflict.Kind
    ) {
        let conflict = conflictID(kind, of: attempt, row)
        guard state.attempts[attempt]?.holds.contains(conflict) == false else { return }
        record(
            ExamRoom.Attempt.Held(
                attempt: attempt, exam: row.exam, student: row.student, conflict: conflict),
            on: attempt)
        adjustAwards(for: attempt)
    }

    /// The attempt counts again, and earns what it would have earned (R26).
    ///
    /// - Parameter earnsLater: whether the caller sees to that, with ``earn(_:)``.
    func release(
        _ attempt: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow,
        _ conflict: ExamRoom.ConflictID, earnsLater: Bool = false
    ) {
        record(
            ExamRoom.Attempt.Released(
                attempt: attempt, exam: row.exam, student: row.student, conflict: conflict),
            on: attempt)
        if !earnsLater { earn(attempt) }
    }

    /// An attempt that was released earns what it would have earned (R26, R27).
    func earn(_ attempt: ExamRoom.AttemptID) {
        guard let row = state.attempts[attempt] else { return }
        switch row.course {
        case .open, .imported: break
        case .closed: awardIfDue(attempt, at: row.exam)
        case .awarded: adjustAwards(for: attempt)
        }
    }

    /// Attempts that were held since they were too many count where they are not any more (R44).
    func releaseWithinLimit(_ attempts: [ExamRoom.AttemptID]) {
        for (attempt, conflict) in heldWithinLimit(attempts) {
            if let row = state.attempts[attempt] { release(attempt, row, conflict) }
        }
    }

    /// Those that are held for their number and are not too many any more, with the conflict that holds them.
    func heldWithinLimit(
        _ attempts: [ExamRoom.AttemptID]
    ) -> [(ExamRoom.AttemptID, ExamRoom.ConflictID)] {
        inOrder(attempts).compactMap { attempt in
            guard let row = state.attempts[attempt], !row.holds.isEmpty,
                !state.isOverLimit(.init(row.exam, row.student))
            else { return nil }
            let conflict = conflictID(.attemptLimit, of: attempt, row)
            return row.holds.contains(conflict) ? (attempt, conflict) : nil
        }
    }

    func releaseWithinLimit(at exam: ExamRoom.ExamID) {
        releaseWithinLimit(state.attemptsAt(exam))
    }

    /// Late answers and submissions count from here on (R45).
    func admit(
        _ attempt: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow, _ conflict: ExamRoom.ConflictID
    ) {
        record(
            ExamRoom.Answer.Admitted(
                attempt: attempt, exam: row.exam, student: row.student, conflict: conflict),
            on: attempt)
        if row.course != .open {
            reconcile(attempt)
        } else if let submitted = state.attempts[attempt]?.submittedAt {
            close(attempt, .student, at: submitted)
        }
    }

    /// The conflict of an attempt: its id is of its kind, its record and its start's command, and of what came
    /// late from the second choice on of their number (R44).
    func conflictID(
        _ kind: ExamRoom.Conflict.Kind, of attempt: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow
    ) -> ExamRoom.ConflictID {
        let round = kind == .lateAnswers && row.lateChoices > 0 ? ["\(row.lateChoices)"] : []
        return conflictID(kind, stream(of: attempt), [row.startCommand] + round)
    }

    func conflictID(
        _ kind: ExamRoom.Conflict.Kind, _ record: String, _ commands: [String]
    ) -> ExamRoom.ConflictID {
        let basis = [
            kind.rawValue, record,
            commands.sorted { $0.precedes($1) }.joined(separator: "\n"),
        ]
        let digest = Hex.text(SHA256Digest.of(basis.joined(separator: "\n")))
        return .init(names.intern("CF-\(digest.prefix(16))"))
    }

    /// A choice about an attempt: it counts or is set aside, or what came late to it does (R45).
    func conflict(
        _ kind: ExamRoom.Conflict.Kind, of attempt: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow
    ) -> ExamRoom.Conflict.Detected {
        let start = ExamRoom.Conflict.Contender(
            command: row.startCommand, at: row.startedAt,
            device: row.writer == .none ? nil : row.writer, by: row.startedBy)
        return ExamRoom.Conflict.Detected(
            conflict: conflictID(kind, of: attempt, row),
            kind: kind,
            record: stream(of: attempt),
            names: [],
            contenders: [start],
            deletion: nil,
            resolution: .choice,
            winner: nil,
            choices: [.keep, .setAside])
    }
}
