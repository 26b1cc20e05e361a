package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// One whole course in a student's library.
    package struct SubjectRow: Record {
        package enum State: String, Choice {
            case generating, failed, ready
        }

        package enum Origin: String, Choice {
            case made, acquired
        }

        package var student = StudentID.none
        package var epoch = Ordinal(0)
        package var origin = Origin.made
        package var state = State.generating
        package var isArchived = false
        package var isDeleted = false
        /// Made without access: it counts against the limit when it is gone, too (R6).
        package var wasMadeWithoutAccess = false
        /// How many topics each chapter has; what they are called is in `SubjectWords`.
        package var chapterTopics: [Int] = []
        package var addOns = AddOns()
        package var attempt = 1
        package var delivered = 0
        package var failure: Body?
        /// The subject whose topics are read: a copy's source (R41), else the subject itself.
        package var content = SubjectID.none
        package var offer: OfferID?
        package var completed = 0
        /// The index of the topic opened last.
        package var current: Int?
        package var openedDay: LocalDate?
        package var openedAt: Instant?
        package var openOffer: OfferID?
        /// How many of its questions are in the pool.
        package var inPool = 0

        package init() {}

        package var topics: Int { chapterTopics.reduce(0, +) }

        /// A topic's index among all of the subject, from 0; nil for one that the subject lacks.
        package func index(of topic: TopicNumber) -> Int? {
            guard chapterTopics.indices.contains(topic.chapter - 1),
                (1...max(1, chapterTopics[topic.chapter - 1])).contains(topic.number)
            else { return nil }
            return chapterTopics[..<(topic.chapter - 1)].reduce(topic.number - 1, +)
        }

        /// What the topic at an index is called.
        package func topic(at index: Int) -> TopicNumber {
            var number = index
            for (chapter, topics) in chapterTopics.enumerated() {
                if number < topics {
                    return TopicNumber(chapter: chapter + 1, number: number + 1)
                }
                number -= topics
            }
            return .empty
        }

        package func isLastOfChapter(_ topic: TopicNumber) -> Bool {
            chapterTopics.indices.contains(topic.chapter - 1)
                && topic.number == chapterTopics[topic.chapter - 1]
        }
    }
}

extension Learnable {
    /// How many topics each chapter has, as recorded. No event can name more topics than it has bytes (65,535): what a made-up
    /// export says beyond that does not count.
    static func topicCounts(_ recorded: [Int]) -> [Int] {
        var left = 65_535
        return recorded.map { topics in
            let count = min(max(topics, 0), left)
            left -= count
            return count
        }
    }
}

extension Learnable.State {
    static func subjectRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Subject.Acquired.self) { $0.acquired($1, $2) }
        routes.on(Learnable.Subject.Renamed.self) { state, event, _ in
            state.subjectWords.updateExisting(event.subject) { $0.title = event.to }
        }
        routes.on(Learnable.Subject.Archived.self) { state, event, _ in
            state.subjects.updateExisting(event.subject) { $0.isArchived = true }
        }
        routes.on(Learnable.Subject.Restored.self) { state, event, _ in
            state.subjects.updateExisting(event.subject) { $0.isArchived = false }
        }
        routes.on(Learnable.Subject.Deleted.self) { state, event, _ in
            state.delete(event.subject)
        }
        routes.on(Learnable.Subject.Completed.self) { state, event, _ in
            guard let epoch = state.subjects.read(event.subject, { $0.epoch }) else { return }
            state.epochs.updateExisting(epoch) { $0.completed += 1 }
        }
    }

    /// Adds a subject to the student's library.
    func add(
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

    /// A copy shows the source's lectures as delivered, whatever happens to the source (R41).
    private func acquired(_ event: Learnable.Subject.Acquired, _ metadata: EventMetadata) {
        subjectWords.update(event.subject) {
            $0.person = InternedText(metadata.subject)
            $0.chapters = event.chapters
        }
        add(event.subject, of: event.student) {
            $0.origin = .acquired
            $0.state = .ready
            $0.chapterTopics = Learnable.topicCounts(event.chapterTopics)
            $0.addOns = event.addOns
            $0.content = event.source
            $0.offer = event.offer
            $0.delivered = event.topics
        }
    }

    /// Deletes a subject; its questions leave the pool with it (R20).
    private func delete(_ subject: Learnable.SubjectID) {
        guard let row = subjects[subject] else { return }
        spend(row)
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
