package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Makes a draft out of another exam: its details and questions, nothing that came of it (R10).
    package struct DuplicateExam: Command {
        package static let type = "examroom.exam.duplicate"
        /// The source.
        var exam = ExamID.none
        var copy = ExamID.none
        var title: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("copy", &copy)
            coder.optional("title", &title)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            try copy(scene.state, in: scene)
        }

        /// R39: the source as the device knew it.
        package func merge(_ merge: Merge, in scene: Scene<Room>) throws(Rejection) {
            try copy(merge.known(exam), in: scene)
        }

        private func copy(_ known: Room, in scene: Scene<Room>) throws(Rejection) {
            let policy = scene.state.policy
            var details = try known.exam(exam).details
            details.title =
                title ?? Self.title(ofCopyOf: details.title, longest: policy.maxTitleLength)
            var given = GivenDetails()
            given.title = details.title
            try given.check(against: policy)
            try scene.checkStorage()
            if scene.state.exams.contains(copy) { throw .alreadyExists }  // R1
            let questions = (known.banks[exam] ?? Bank()).ordered(scene.names).map {
                Exam.Brought(question: $0.question, content: $0.content, image: $0.image)
            }
            scene.record(
                Exam.Duplicated(exam: copy, source: exam, details: details, questions: questions),
                on: scene.examStream(copy))
        }

        /// As much of the title as leaves room for what marks a copy.
        private static func title(ofCopyOf title: String, longest: Int) -> String {
            let suffix = " (copy)"
            let kept = title.unicodeScalars.prefix(max(0, longest - suffix.scalarCount))
            return String(String.UnicodeScalarView(kept)) + suffix
        }
    }

    /// Puts an exam away once all of it stands in an export (R12, 11.6).
    package struct ArchiveExam: Command {
        package static let type = "examroom.exam.archive"
        var exam = ExamID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let row = try scene.state.editableExam(exam)
            if row.isPublished { throw .examPublished }
            if row.unclosed > 0 { throw .attemptsOpen }
            if !scene.state.isExported(exam) { throw .notExported }
            scene.record(Exam.Archived(exam: exam), on: scene.examStream(exam))
        }
    }

    /// Takes an exam out of the archive: a draft again.
    package struct UnarchiveExam: Command {
        package static let type = "examroom.exam.unarchive"
        var exam = ExamID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            if try !scene.state.exam(exam).isArchived { throw .notArchived }
            scene.record(Exam.Unarchived(exam: exam), on: scene.examStream(exam))
        }
    }
}
