package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A conflict, and the choice that settled it.
    package struct ConflictRow: Record {
        package var kind = Conflict.Kind.exam
        package var record = ""
        package var names: [String] = []
        package var contenders: [Conflict.Contender] = []
        package var deletion: String?
        package var resolution = Conflict.Resolution.automatic
        package var winner: String?
        package var choices: [Conflict.Option] = []
        package var detectedAt = Instant.epoch
        package var choice: Conflict.Option?

        /// It is about an attempt, which does not count until it is settled, or what came late to it does not
        /// (R44, R53, R54).
        package var isHolding: Bool {
            switch kind {
            case .attemptLimit, .blockedAttempt, .startOutside, .lateAnswers: true
            case .profile, .preference, .policy, .exam, .question, .seat, .editDelete: false
            }
        }

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("kind", &kind)
            coder.field("record", &record)
            coder.field("fields", &names)
            coder.field("contenders", &contenders)
            coder.field("deletion", &deletion)
            coder.field("resolution", &resolution)
            coder.field("winner", &winner)
            coder.field("choices", &choices)
            coder.field("detectedAt", &detectedAt)
            coder.field("choice", &choice)
        }
    }

    /// What a conflict is about, behind the text of its record (R44).
    package enum ConflictSubject: Hashable, Sendable {
        case exam(ExamID)
        case question(ExamID, QuestionID)
        case attempt(AttemptID)

        /// Nil for the records of automatic conflicts, on which nothing is chosen.
        package init?(_ row: ConflictRow, _ names: Names) {
            let parts = row.record.split(separator: "/", maxSplits: 2).map(String.init)
            guard parts.count == 3 else { return nil }
            switch row.kind {
            case .attemptLimit, .blockedAttempt, .startOutside, .lateAnswers:
                self = .attempt(names.id(parts[2]))
            case .editDelete:
                let ids = parts[2].split(separator: "#", maxSplits: 1).map(String.init)
                self =
                    ids.count == 2
                    ? .question(names.id(ids[0]), names.id(ids[1])) : .exam(names.id(parts[2]))
            case .profile, .preference, .policy, .exam, .question, .seat: return nil
            }
        }
    }

    /// Deletions that a merge did not carry out because others had edited (R41), of one exam.
    package struct KeptDeletions: Record {
        package struct Entry: Record {
            /// Null for the exam itself.
            package var question: QuestionID?
            /// The device that deleted.
            package var device = DeviceID.none
            /// Where its conflict was recorded.
            package var position = Position.zero

            package init() {}

            func subject(of exam: ExamID) -> ConflictSubject {
                question.map { .question(exam, $0) } ?? .exam(exam)
            }
        }

        package var entries: [Entry] = []

        package init() {}
    }
}

extension ExamRoom.State {
    static func conflictRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Conflict.Detected.self) { $0.detected($1, $2) }
        routes.on(ExamRoom.Conflict.Resolved.self) { state, event, metadata in
            state.conflicts.updateExisting(event.conflict) { $0.choice = event.choice }
            guard let row = state.conflicts[event.conflict],
                case .attempt(let attempt) = ExamRoom.ConflictSubject(row, state.names)
            else { return }
            // What is set aside already stays so: the choice is all that is recorded (R45).
            if event.choice == .setAside, state.attempts.read(attempt, \.isSetAside) == true {
                state.change(attempt) { $0.holds.removeAll { $0 == event.conflict } }
            }
            guard row.kind == .lateAnswers else { return }
            state.attempts.updateExisting(attempt) {
                $0.lateChoices += 1
                $0.lateSettledAt = metadata.position
            }
        }
    }

    /// Automatic conflicts are settled as they arise, others by a choice (R45). A block that a later merge
    /// shows to have been lifted before the attempt began leaves nothing to choose, and so a publication or
    /// a window, and a limit that is kept again: otherwise pending choices would depend on the order of merges (R47).
    package func isSettled(_ row: ExamRoom.ConflictRow) -> Bool {
        if row.resolution == .automatic || row.choice != nil { return true }
        guard case .attempt(let attempt) = ExamRoom.ConflictSubject(row, names),
            let attempt = attempts[attempt]
        else { return false }
        return switch row.kind {
        case .attemptLimit: !isHeldForLimit(attempt)
        case .blockedAttempt: !wasBlocked(attempt)
        case .startOutside: !wasOutside(attempt)
        case .lateAnswers: !isWaiting(attempt)
        default: false
        }
    }

    /// Its student had too many attempts, and nobody has chosen whether it counts (R44).
    package func isHeldForLimit(_ attempt: ExamRoom.AttemptRow) -> Bool {
        attempt.holds.contains { conflicts.read($0, \.kind) == .attemptLimit }
    }

    /// Something that came late still waits for a choice. A late submission does not when one that counts turned
    /// out to be earlier (R53).
    private func isWaiting(_ attempt: ExamRoom.AttemptRow) -> Bool {
        let isPending = { (conflict: ExamRoom.ConflictID) in
            self.conflicts[conflict].map { $0.kind == .lateAnswers && $0.choice == nil } ?? false
        }
        return attempt.holds.contains(where: isPending)
            || attempt.heldAnswers.contains { isPending($0.conflict) }
            || attempt.submissions.contains { late in
                late.conflict.map(isPending) ?? false
                    && attempt.submittedAt.map { late.at < $0 } ?? true
            }
            || attempt.paper.contains { isDoubtful($0.value(in: names), in: attempt) }
    }

    /// Whether some of an attempt waits for the choice of a conflict, beside the attempt itself (R53).
    package func hasLate(
        _ attempt: ExamRoom.AttemptRow, _ conflict: ExamRoom.ConflictID
    ) -> Bool {
        attempt.heldAnswers.contains { $0.conflict == conflict }
            || attempt.submissions.contains { $0.conflict == conflict }
            || attempt.paper.contains { isDoubtful($0.value(in: names), in: attempt) }
    }

    private func detected(_ event: ExamRoom.Conflict.Detected, _ metadata: EventMetadata) {
        var row = ExamRoom.ConflictRow()
        row.kind = event.kind
        row.record = event.record
        row.names = event.names
        row.contenders = event.contenders
        row.deletion = event.deletion
        row.resolution = event.resolution
        row.winner = event.winner
        row.choices = event.choices
        row.detectedAt = metadata.moment
        conflicts.insert(row, at: event.conflict)
        rememberKept(row, metadata.position)
    }

    /// An edit-delete whose deletion came later than the edits: its thing was kept.
    private func rememberKept(_ row: ExamRoom.ConflictRow, _ position: Position) {
        guard let subject = ExamRoom.ConflictSubject(row, names),
            let command = row.deletion,
            let deletion = row.contenders.first(where: { $0.command.isExactly(command) })
        else { return }
        var entry = ExamRoom.KeptDeletions.Entry()
        entry.device = deletion.device ?? .none
        entry.position = position
        switch subject {
        case .exam(let exam):
            keptDeletions.update(exam) { $0.entries.append(entry) }
        case .question(let exam, let question):
            entry.question = question
            keptDeletions.update(exam) { $0.entries.append(entry) }
        case .attempt: break
        }
    }
}
