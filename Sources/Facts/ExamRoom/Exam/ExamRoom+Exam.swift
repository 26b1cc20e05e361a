package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// An exam with the counts of its attempts; its questions are in its `Bank`.
    package struct ExamRow: Record {
        package var details = Exam.Details()
        package var createdAt = Instant.epoch
        /// Of the first event.
        package var writer = DeviceID.none
        package var holders = Holders()
        /// The exam that it was duplicated from.
        package var source: ExamID?
        package var isPublished = false
        package var isArchived = false
        package var isDeleted = false
        package var areResultsPublished = false
        package var questions = 0
        package var maxScore = 0
        /// All that were ever started: the length of `examAttempts`.
        package var attempts = 0
        /// Counting ones without a closing event (R24).
        package var open = 0
        /// Those without a closing event whose student is not deleted, set aside or not.
        package var unclosed = 0
        /// Counting ones that are closed, and the sum of their seconds (R28, Speed Demon).
        package var completed = 0
        package var completedSeconds = 0
        /// The last closing event of a counting attempt.
        package var lastClosing = Position.zero
        /// The last event that an export must hold, of the exam and its attempts (R12).
        package var touched = Position.zero
        /// The last export of the exam by itself.
        package var exported = Position.zero

        package init() {}

        package var first: Stamp { Stamp(createdAt, writer.symbol) }
    }
}

extension ExamRoom.State {
    static func examRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Exam.Created.self) { $0.created($1, $2) }
        routes.on(ExamRoom.Exam.Revised.self) { $0.revised($1, $2) }
        routes.on(ExamRoom.Exam.Published.self) { state, event, metadata in
            state.write(ExamRoom.Register.publication, of: event.exam, by: metadata) {
                $0.isPublished = true
            }
        }
        routes.on(ExamRoom.Exam.Withdrawn.self) { state, event, metadata in
            state.write(ExamRoom.Register.publication, of: event.exam, by: metadata) {
                $0.isPublished = false
            }
        }
        routes.on(ExamRoom.Exam.Deleted.self) { state, event, _ in state.delete(event.exam) }
        routes.on(ExamRoom.Exam.Restored.self) { state, event, _ in state.restore(event.exam) }
    }

    private func created(_ event: ExamRoom.Exam.Created, _ metadata: EventMetadata) {
        exams.update(event.exam) {
            $0.details = event.details
            $0.createdAt = metadata.moment
            $0.writer = .init(metadata.writer)
        }
        roster.update(.only) { $0.exams += 1 }
    }

    /// Changes what a register holds, if the write takes it (R40).
    func write(
        _ register: String, of exam: ExamRoom.ExamID, by metadata: EventMetadata,
        _ body: (inout ExamRoom.ExamRow) -> Void
    ) {
        exams.updateExisting(exam) { row in
            if row.holders.take(register, by: metadata, first: row.first, names) { body(&row) }
        }
    }

    /// Each detail is a register (R40).
    private func revised(_ event: ExamRoom.Exam.Revised, _ metadata: EventMetadata) {
        exams.updateExisting(event.exam) { row in
            let first = row.first
            let taken = event.changes.names.filter {
                row.holders.take($0, by: metadata, first: first, names)
            }
            event.changes.keeping(taken.contains).apply(to: &row.details)
        }
    }

    /// Deleting what is deleted already changes nothing.
    func delete(_ exam: ExamRoom.ExamID) {
        guard exams[exam]?.isDeleted == false else { return }
        exams.update(exam) { $0.isDeleted = true }
        roster.update(.only) { $0.exams -= 1 }
        for question in banks[exam]?.questions ?? [] {
            if let image = question.image { release(image) }
        }
    }

    /// Restores the exam as it was, its images, publication and results included (R41).
    private func restore(_ exam: ExamRoom.ExamID) {
        guard exams[exam]?.isDeleted == true else { return }
        exams.update(exam) { $0.isDeleted = false }
        roster.update(.only) { $0.exams += 1 }
        for question in banks[exam]?.questions ?? [] {
            if let image = question.image { refer(to: image) }
        }
    }
}
