import Core
import Folding
package import LearnableEvents

extension Learnable.State {
    static func subjectRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.fold(Learnable.Generation.Requested.self) { state, event, metadata in
            state.add(event.subject, of: event.student) {
                $0.title = event.title
                $0.chapters = event.chapters
                $0.addOns = event.addOns
                $0.content = event.subject
            }
        }
        routes.fold(Learnable.Topic.Delivered.self) { state, event, _ in
            guard let row = state.subjects[event.subject], let index = row.index(of: event.topic)
            else { return }
            state.subjects.updateExisting(event.subject) { $0.delivered = event.delivered }
            state.contents.update(.init(event.subject, Ordinal(index))) {
                $0.blocks = event.blocks
                $0.engagement = event.engagement
                $0.project = event.project
                $0.voice = event.voice
            }
        }
        routes.fold(Learnable.Generation.Completed.self) { state, event, _ in
            guard let epoch = state.subjects.read(event.subject, { $0.epoch }) else { return }
            state.subjects.updateExisting(event.subject) { $0.state = .ready }
            state.epochs.updateExisting(epoch) { $0.generated += 1 }
        }
        routes.fold(Learnable.Generation.Failed.self) { state, event, _ in
            state.subjects.updateExisting(event.subject) {
                $0.state = .failed
                $0.failure = event.reason
            }
        }
        routes.fold(Learnable.Generation.Retried.self) { state, event, _ in
            state.subjects.updateExisting(event.subject) {
                $0.state = .generating
                $0.failure = nil
                $0.attempt = event.attempt
            }
        }
        routes.fold(Learnable.Subject.Acquired.self) { state, event, _ in state.acquired(event) }
        routes.fold(Learnable.Subject.Renamed.self) { state, event, _ in
            state.subjects.updateExisting(event.subject) { $0.title = event.to }
        }
        routes.fold(Learnable.Subject.Archived.self) { state, event, _ in
            state.subjects.updateExisting(event.subject) { $0.isArchived = true }
        }
        routes.fold(Learnable.Subject.Restored.self) { state, event, _ in
            state.subjects.updateExisting(event.subject) { $0.isArchived = false }
        }
        routes.fold(Learnable.Subject.Deleted.self) { state, event, _ in
            state.delete(event.subject)
        }
        routes.fold(Learnable.Subject.Completed.self) { state, event, _ in
            guard let epoch = state.subjects.read(event.subject, { $0.epoch }) else { return }
            state.epochs.updateExisting(epoch) { $0.completed += 1 }
        }
    }

    /// A new subject in the library of the student's epoch.
    private func add(
        _ subject: Learnable.SubjectID, of student: Learnable.StudentID,
        _ fill: (inout Learnable.SubjectRow) -> Void
    ) {
        guard let epoch = students.read(student, { $0.epoch }) else { return }
        subjects.update(subject) {
            $0.student = student
            $0.epoch = epoch
            fill(&$0)
        }
        epochs.updateExisting(epoch) { $0.subjects.append(subject) }
    }

    /// R41: the lectures are the source's as delivered, whatever becomes of it.
    private func acquired(_ event: Learnable.Subject.Acquired) {
        add(event.subject, of: event.student) {
            $0.origin = .acquired
            $0.state = .ready
            $0.title = event.title
            $0.chapters = event.chapters
            $0.addOns = event.addOns
            $0.content = event.source
            $0.offer = event.offer
            $0.delivered = event.topics
        }
    }

    /// R20: its questions leave the pool with it.
    private func delete(_ subject: Learnable.SubjectID) {
        guard let row = subjects[subject] else { return }
        subjects.updateExisting(subject) {
            $0.isDeleted = true
            $0.inPool = 0
        }
        epochs.updateExisting(row.epoch) { epoch in
            epoch.subjects.removeAll { $0 == subject }
            epoch.recent.removeAll { $0 == subject }
        }
        guard row.inPool > 0 else { return }
        for index in 0..<row.topics {
            for question in topics.read(.init(subject, Ordinal(index)), { $0.questions }) ?? [] {
                leavePool(question)
            }
        }
    }
}

extension Learnable.State {
    /// What was delivered of a topic; empty before.
    package func content(
        of row: Learnable.SubjectRow, _ index: Int
    ) -> Learnable.TopicContent {
        contents[.init(row.content, Ordinal(index))] ?? .init()
    }

    package func isDelivered(_ row: Learnable.SubjectRow, _ index: Int) -> Bool {
        contents.contains(.init(row.content, Ordinal(index)))
    }

    package func topic(_ subject: Learnable.SubjectID, _ index: Int) -> Learnable.TopicRow {
        topics[.init(subject, Ordinal(index))] ?? .init()
    }

    package func isCompleted(_ subject: Learnable.SubjectID, _ index: Int) -> Bool {
        topics.read(.init(subject, Ordinal(index))) { $0.isCompleted } ?? false
    }

    /// R14, R15: the first topic in order that is not completed; nil when all are.
    package func firstOpenTopic(
        _ subject: Learnable.SubjectID, _ row: Learnable.SubjectRow
    ) -> Int? {
        (0..<row.topics).first { !isCompleted(subject, $0) }
    }
}
