package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// Where a notification or an entry of a page leads.
    package enum Target {
        package static let home = "learnable://home"
        package static let subscription = "learnable://settings/subscription"
        package static let dailyQuiz = "learnable://daily-quiz"
        package static let optionalQuiz = "learnable://optional-quiz"

        package static func subject(_ subject: String) -> String {
            "learnable://subjects/\(subject)"
        }

        package static func generation(_ subject: String) -> String {
            "learnable://subjects/\(subject)/generation"
        }

        package static func offer(_ offer: String) -> String { "learnable://offers/\(offer)" }
    }

    /// R40: where the student left off.
    package struct RecentLecture {
        package let subject: SubjectID
        package let title: Title
        package let place: TopicPlace
        package let topicTitle: Title
        package let block: Int

        package func target(_ names: Names) -> String {
            "\(Target.subject(names.text(subject)))/topics/\(place.text)"
        }
    }
}

extension Learnable.TrialTerm {
    /// R7: days of 86 400 s, rounded up.
    package func daysRemaining(at instant: Instant) -> Int {
        let left = endsAt.milliseconds(since: instant)
        return left <= 0 ? 0 : Int((left - 1) / 86_400_000 + 1)
    }
}

extension Learnable.State {
    /// R6: the student's own subjects, made and not acquired.
    package func subjectsHeld(_ student: Learnable.StudentID) -> Int {
        (epoch(of: student)?.subjects ?? []).count { subject in
            subjects.read(subject) { $0.origin == .made } ?? false
        }
    }

    /// R40: the subject, not archived, that was opened or bookmarked last; it resumes at its current topic.
    package func recent(_ epoch: Ordinal) -> Learnable.RecentLecture? {
        let list = epochs.read(epoch) { $0.recent } ?? []
        guard let subject = list.last(where: { isShown($0) }), let row = subjects[subject],
            let current = row.current
        else { return nil }
        return Learnable.RecentLecture(
            subject: subject, title: row.title, place: row.place(of: current),
            topicTitle: row.topicTitle(of: current), block: topic(subject, current).bookmark ?? 0)
    }

    private func isShown(_ subject: Learnable.SubjectID) -> Bool {
        subjects.read(subject) { !$0.isArchived && !$0.isDeleted } ?? false
    }
}
