package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A publication of an exam's results: anyone who had seen it could know the right answers (R53).
    package struct Publication {
        package let write: RecordedWrite
        /// The device whose batch brought it; none where it was made in this journal.
        package let source: DeviceID
        /// What stands after this position was not known where it was made.
        package let horizon: Position

        /// Whether something of an attempt came after its key could be known: the attempt began before the
        /// publication, which was made elsewhere and without it.
        package func makesLate(
            _ position: Position, from source: DeviceID, of attempt: AttemptRow
        ) -> Bool {
            isAfterStart(of: attempt) && position > horizon && source != self.source
        }

        package func isAfterStart(of attempt: AttemptRow) -> Bool {
            attempt.startedAt <= write.moment
        }
    }
}

extension ExamRoom.State {
    /// All publications of an exam's results, those withheld or superseded since included. `seen` is that of
    /// the merge in progress, which has no row yet.
    package func publications(
        of exam: ExamRoom.ExamID, seen: Position
    ) -> [ExamRoom.Publication] {
        (examLogs[exam]?.writes ?? []).lazy
            .filter { $0.type == ExamRoom.Results.Published.type }
            .map { write in
                guard let batch = write.batch else {
                    return ExamRoom.Publication(
                        write: write, source: .none, horizon: write.position)
                }
                return ExamRoom.Publication(
                    write: write, source: batch.first, horizon: self.batches[batch]?.seen ?? seen)
            }
    }

    /// Whether the batch that brought what stands at a position was a student's. The merge in
    /// progress has no row yet, and knows that of its own.
    package func isBroughtByStudent(_ position: Position) -> Bool {
        batch(behind: position)?.row.isByStudent ?? false
    }

    /// The device whose batch brought a submission; none where it was made in this journal. One that
    /// counted without an event of its own came with the next batch to be merged whole, or with `merging`.
    package func source(
        of submission: ExamRoom.Submission, merging device: ExamRoom.DeviceID
    ) -> ExamRoom.DeviceID {
        submission.source ?? batch(behind: submission.position)?.device ?? device
    }

    /// The next batch to be merged whole: what a merge brought stands before its end.
    private func batch(
        behind position: Position
    ) -> (device: ExamRoom.DeviceID, row: ExamRoom.BatchRow)? {
        var found: (device: ExamRoom.DeviceID, row: ExamRoom.BatchRow)?
        batches.forEach { batch, row in
            guard row.position > position else { return }
            if let known = found, known.row.position < row.position { return }
            found = (batch.first, row)
        }
        return found
    }
}
