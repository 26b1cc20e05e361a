package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Writes down a new exam, a draft without questions (R7, 4.1).
    package struct CreateExam: Command {
        package static let type = "examroom.exam.create"
        var exam = ExamID.none
        var given = GivenDetails()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            given.fields(&coder)
        }

        package func problem(_ names: Names) -> String? {
            given.title == nil ? "missing field \"title\"" : nil
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            try create(in: scene)
        }

        func create(in scene: Scene<Room>) throws(Rejection) {
            let policy = scene.state.policy
            var details = Exam.Details(from: policy)
            given.apply(to: &details)
            try details.check(against: policy)
            try scene.checkStorage()
            if scene.state.exams.contains(exam) { throw .alreadyExists }  // R1
            scene.record(Exam.Created(exam: exam, details: details), on: scene.examStream(exam))
        }
    }

    /// Changes details; the revision is checked as the whole that it would make.
    package struct ReviseExam: Command {
        package static let type = "examroom.exam.revise"
        var exam = ExamID.none
        var changes = GivenDetails()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("changes", &changes)
        }

        package func problem(_ names: Names) -> String? {
            changes.isEmpty ? "expected \"changes\" with at least one detail" : nil
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let row = try scene.state.editableExam(exam)
            var details = row.details
            changes.apply(to: &details)
            try details.check(against: scene.state.policy)
            let different = Exam.DetailChanges(from: row.details, to: details)
            if different.isEmpty { throw .nothingToChange }
            scene.record(
                Exam.Revised(exam: exam, changes: different), on: scene.examStream(exam))
        }
    }

    /// Lets students start the exam (4.3).
    package struct PublishExam: Command {
        package static let type = "examroom.exam.publish"
        var exam = ExamID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let row = try scene.state.editableExam(exam)
            if row.isPublished { throw .alreadyPublished }
            if row.questions == 0 { throw .noQuestions }
            if let closesAt = row.details.window.closesAt, closesAt <= scene.at {
                throw .windowOver
            }
            scene.record(
                Exam.Published(exam: exam, questions: row.questions, maxScore: row.maxScore),
                on: scene.examStream(exam))
        }
    }

    /// Takes the exam back: no one may start it any more.
    package struct WithdrawExam: Command {
        package static let type = "examroom.exam.withdraw"
        var exam = ExamID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            if try !scene.state.exam(exam).isPublished { throw .notPublished }
            scene.record(Exam.Withdrawn(exam: exam), on: scene.examStream(exam))
        }
    }

    /// Deletes the exam; images that lose their last reference are orphaned (R11).
    package struct DeleteExam: Command {
        package static let type = "examroom.exam.delete"
        var exam = ExamID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let row = try scene.state.exam(exam)
            if row.unclosed > 0 { throw .attemptsOpen }
            scene.delete(exam, row)
        }
    }

    /// Shows students their scores (7.3).
    package struct PublishResults: Command {
        package static let type = "examroom.results.publish"
        var exam = ExamID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            if try scene.state.exam(exam).areResultsPublished { throw .resultsAlreadyPublished }
            scene.record(Exam.ResultsPublished(exam: exam), on: scene.examStream(exam))
            if scene.state.policy.awardsWhen == .results { scene.awardAll(at: exam) }
        }
    }

    /// Hides the scores again.
    package struct WithholdResults: Command {
        package static let type = "examroom.results.withhold"
        var exam = ExamID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            if try !scene.state.exam(exam).areResultsPublished { throw .resultsNotPublished }
            scene.record(Exam.ResultsWithheld(exam: exam), on: scene.examStream(exam))
        }
    }
}

extension Scene<ExamRoom.Room> {
    /// R11: images that lose their last reference with the exam are orphaned.
    func delete(_ exam: ExamRoom.ExamID, _ row: ExamRoom.ExamRow) {
        let images = (state.banks[exam]?.questions ?? []).compactMap(\.image)
        record(
            ExamRoom.Exam.Deleted(exam: exam, title: row.details.title), on: examStream(exam))
        recordOrphans(among: images)
    }
}
