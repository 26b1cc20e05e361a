import Core
import Folding
package import LearnableEvents

extension Learnable.Academy {
    static func subjectRoutes(_ routes: inout Routes<Learnable.Academy>) {
        routes.fold(Learnable.Generation.Requested.self) { academy, fact, event in
            academy.add(fact.subject, of: fact.student) {
                $0.title = fact.title
                $0.chapters = fact.chapters
                $0.addOns = fact.addOns
                $0.content = fact.subject
            }
        }
        routes.fold(Learnable.Topic.Delivered.self) { academy, fact, _ in
            guard let row = academy.subjects[fact.subject], let index = row.index(of: fact.topic)
            else { return }
            academy.subjects.updateExisting(fact.subject) { $0.delivered = fact.delivered }
            academy.contents.update(.init(fact.subject, Ordinal(index))) {
                $0.blocks = fact.blocks
                $0.engagement = fact.engagement
                $0.project = fact.project
                $0.voice = fact.voice
            }
        }
        routes.fold(Learnable.Generation.Completed.self) { academy, fact, _ in
            guard let epoch = academy.subjects.read(fact.subject, { $0.epoch }) else { return }
            academy.subjects.updateExisting(fact.subject) { $0.state = .ready }
            academy.epochs.updateExisting(epoch) { $0.generated += 1 }
        }
        routes.fold(Learnable.Generation.Failed.self) { academy, fact, _ in
            academy.subjects.updateExisting(fact.subject) {
                $0.state = .failed
                $0.failure = fact.reason
            }
        }
        routes.fold(Learnable.Generation.Retried.self) { academy, fact, _ in
            academy.subjects.updateExisting(fact.subject) {
                $0.state = .generating
                $0.failure = nil
                $0.attempt = fact.attempt
            }
        }
        routes.fold(Learnable.Subject.Acquired.self) { academy, fact, _ in academy.acquired(fact) }
        routes.fold(Learnable.Subject.Renamed.self) { academy, fact, _ in
            academy.subjects.updateExisting(fact.subject) { $0.title = fact.to }
        }
        routes.fold(Learnable.Subject.Archived.self) { academy, fact, _ in
            academy.subjects.updateExisting(fact.subject) { $0.isArchived = true }
        }
        routes.fold(Learnable.Subject.Restored.self) { academy, fact, _ in
            academy.subjects.updateExisting(fact.subject) { $0.isArchived = false }
        }
        routes.fold(Learnable.Subject.Deleted.self) { academy, fact, _ in
            academy.delete(fact.subject)
        }
        routes.fold(Learnable.Subject.Completed.self) { academy, fact, _ in
            guard let epoch = academy.subjects.read(fact.subject, { $0.epoch }) else { return }
            academy.epochs.updateExisting(epoch) { $0.completed += 1 }
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
    private func acquired(_ fact: Learnable.Subject.Acquired) {
        add(fact.subject, of: fact.student) {
            $0.origin = .acquired
            $0.state = .ready
            $0.title = fact.title
            $0.chapters = fact.chapters
            $0.addOns = fact.addOns
            $0.content = fact.source
            $0.offer = fact.offer
            $0.delivered = fact.topics
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

extension Learnable.Academy {
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
