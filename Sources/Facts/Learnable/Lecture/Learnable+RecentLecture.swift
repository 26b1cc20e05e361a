package import Core
package import Folding
package import LearnableEvents

extension Learnable {

    /// Where the student left off (R40).
    package struct RecentLecture {
        package let subject: SubjectID
        package let title: Title
        package let topic: TopicNumber
        package let topicTitle: Title?
        package let block: Int

        package func target(_ names: Names) -> String {
            "\(Target.subject(names.text(subject)))/topics/\(topic.text)"
        }
    }
}

extension Learnable.State {

    /// The subject, not archived, that was opened or bookmarked last; it resumes at its current topic
    /// (R40).
    package func recent(_ epoch: Ordinal) -> Learnable.RecentLecture? {
        let list = epochs.read(epoch) { $0.recent } ?? []
        guard let subject = list.last(where: { isShown($0) }), let row = subjects[subject],
            let current = row.current
        else { return nil }
        return Learnable.RecentLecture(
            subject: subject, title: title(of: subject, row), topic: row.topic(at: current),
            topicTitle: topicTitle(of: subject, row, current),
            block: topic(subject, current).bookmark ?? 0)
    }

    private func isShown(_ subject: Learnable.SubjectID) -> Bool {
        subjects.read(subject) { !$0.isArchived && !$0.isDeleted } ?? false
    }
}
