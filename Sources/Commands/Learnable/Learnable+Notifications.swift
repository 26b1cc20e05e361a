import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension DecisionContext<Learnable> {
    /// Notifies a student, right after the last event of the cause (page, Notifications).
    func notify(
        _ student: Learnable.StudentID, _ kind: Learnable.Notification.Kind,
        _ facts: [(String, JSON)], target: String, on day: LocalDate? = nil
    ) {
        let localDay = day ?? self.day(of: student)
        record(
            Learnable.Notification.Raised(
                student: student,
                notification: kind,
                target: target,
                day: localDay,
                facts: KeptJSON(.object(of: facts))), on: student)
    }

    /// An id among a notification's `facts`.
    func text<T>(_ id: Identifier<T>) -> JSON { .string(names.text(id)) }
}
