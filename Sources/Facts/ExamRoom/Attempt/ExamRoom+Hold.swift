package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A submission of an attempt by its student (R43).
    package struct Submission: Record {
        package internal(set) var at = Instant.epoch
        package internal(set) var position = Position.zero
        /// The device whose batch brought it, none for this journal; null where no event of its own says so.
        package internal(set) var source: DeviceID?
        /// It came late, and does not count until this conflict is settled (R53).
        package internal(set) var conflict: ConflictID?

        package init() {}

        init(at instant: Instant, _ position: Position, _ source: DeviceID?) {
            at = instant
            self.position = position
            self.source = source
        }
    }

    /// An answer that came late, and does not count until the conflict is settled (R53).
    package struct HeldAnswer: Record {
        package internal(set) var position = Position.zero
        package internal(set) var conflict = ConflictID.none

        package init() {}

        fileprivate init(_ position: Position, _ conflict: ConflictID) {
            self.position = position
            self.conflict = conflict
        }
    }
}

extension ExamRoom.AttemptRow {
    /// The earliest submission that counts; nil where time was up, or will be (R43).
    package var submittedAt: Instant? {
        submissions.lazy.filter { $0.conflict == nil }.map(\.at).min()
    }

    package func isHeld(answerAt position: Position) -> Bool {
        heldAnswers.contains { $0.position == position }
    }
}

extension EventMetadata {
    /// The device whose batch brought the event; none where it happened in this journal.
    var source: ExamRoom.DeviceID { isMerged ? .init(writer) : .none }

    /// The batch of that device; none where it happened in this journal.
    var batch: ExamRoom.BatchID { origin.map { .init($0.batch.symbol) } ?? .none }
}

extension ExamRoom.State {
    static func holdRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Attempt.Held.self) { state, event, _ in
            state.change(event.attempt) { $0.holds.append(event.conflict) }
        }
        routes.on(ExamRoom.Attempt.Released.self) { state, event, _ in
            state.change(event.attempt) { attempt in
                attempt.holds.removeAll { $0 == event.conflict }
            }
        }
        routes.on(ExamRoom.Attempt.Resubmitted.self) { state, event, metadata in
            state.attempts.updateExisting(event.attempt) {
                $0.submissions.append(.init(at: event.submittedAt, metadata.position, nil))
            }
        }
        routes.on(ExamRoom.Answer.Held.self) { $0.held($1, $2) }
        routes.on(ExamRoom.Answer.Admitted.self) { state, event, metadata in
            state.attempts.updateExisting(event.attempt) { attempt in
                attempt.heldAnswers.removeAll { $0.conflict == event.conflict }
                for index in attempt.submissions.indices
                where attempt.submissions[index].conflict == event.conflict {
                    attempt.submissions[index].conflict = nil
                }
                attempt.admittedThrough = metadata.position
            }
        }
    }

    private func held(_ event: ExamRoom.Answer.Held, _ metadata: EventMetadata) {
        attempts.updateExisting(event.attempt) { attempt in
            for position in event.answers where !attempt.isHeld(answerAt: position) {
                attempt.heldAnswers.append(.init(position, event.conflict))
            }
            for instant in event.submissions {
                let known = attempt.submissions.firstIndex {
                    $0.at == instant && $0.conflict == nil
                }
                if let known {
                    attempt.submissions[known].conflict = event.conflict
                    continue
                }
                var submission = ExamRoom.Submission(at: instant, metadata.position, nil)
                submission.conflict = event.conflict
                attempt.submissions.append(submission)
            }
        }
    }
}
