package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Moves one thing in: an account, an exam, a completed attempt, or an image that is there now
    /// (R36).
    package struct ImportItem: Command {
        package static let type = "examroom.item.import"
        var migration = MigrationID.none
        var item = ItemID.none
        var content: JSON = .null

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("migration", &migration)
            coder.field("item", &item)
            coder.field("content", &content)
        }

        package func problem(_ names: Names) -> String? {
            content.members == nil ? "expected \"content\" as an object" : nil
        }

        package func who(in room: Room) -> Who { .adminOrService }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let row = try scene.state.openItem(item, of: migration)
            let digest = Document.digest(of: content)
            guard row.digest.isExactly(digest) else { throw .digestMismatch }
            let thing =
                switch row.kind {
                case .account: try account(in: scene)
                case .exam: try exam(in: scene)
                case .attempt: try attempt(in: scene)
                case .image: try image(in: scene)
                }
            scene.record(
                Item.Imported(
                    migration: migration, item: item, kind: row.kind, digest: digest, thing: thing,
                    tries: row.failures + 1),
                on: scene.migrationStream(migration))
        }

        /// The data of `account.register`, with its codes.
        private func account(in scene: Scene<Room>) throws(Rejection) -> Item.MovedID {
            guard let account = RegisterAccount(content, scene.names) else {
                throw .contentInvalid
            }
            do throws(Rejection) {
                try account.checkContent(in: scene.state)
            } catch {
                throw .contentInvalid
            }
            if scene.state.accounts.contains(account.account) { throw .alreadyExists }  // R1
            account.record(.migration, in: scene)
            return .init(account.account)
        }

        private func exam(in scene: Scene<Room>) throws(Rejection) -> Item.MovedID {
            guard let object = Document.ExamObject(content, scene.names),
                object.isAccepted(in: scene.state)
            else { throw .contentInvalid }
            if scene.state.exams.contains(object.exam) { throw .alreadyExists }  // R1
            scene.recordImport(of: object, in: migration)
            return .init(object.exam)
        }

        private func attempt(in scene: Scene<Room>) throws(Rejection) -> Item.MovedID {
            let room = scene.state
            guard let content = AttemptContent(content, scene.names), content.isPossible else {
                throw .contentInvalid
            }
            guard let exam = room.exams[content.exam], !exam.isDeleted,
                room.accounts[.init(content.student)]?.isActiveStudent == true
            else { throw .dependencyMissing }
            if room.attempts.contains(content.attempt) { throw .alreadyExists }  // R1
            var fact = Attempt.Imported()
            fact.attempt = content.attempt
            fact.exam = content.exam
            fact.student = content.student
            fact.migration = migration
            fact.how = content.how
            fact.startedAt = content.startedAt
            fact.closedAt = content.closedAt
            fact.localDate = scene.localDate(of: .init(content.student), at: content.closedAt)
            fact.secondsTaken =
                Int(content.closedAt.milliseconds(since: content.startedAt) / 1000)
            fact.score = content.score
            fact.maxScore = content.maxScore
            fact.percent = Percent(content.score, of: content.maxScore)
            fact.passed = exam.details.passPercent.isReached(
                by: content.score, of: content.maxScore)
            scene.record(fact, on: scene.attemptStream(content.attempt))
            return .init(content.attempt)
        }

        /// The file is the client's; that it is there is all that is recorded.
        private func image(in scene: Scene<Room>) throws(Rejection) -> Item.MovedID {
            guard let file = Image.File(content, scene.names), file.isAccepted(in: scene.state)
            else { throw .contentInvalid }
            return .init(file.hash)
        }
    }

    /// What is known of an attempt in the former system.
    private struct AttemptContent: Record {
        var attempt = AttemptID.none
        var exam = ExamID.none
        var student = StudentID.none
        var how = Attempt.How.student
        var startedAt = Instant.epoch
        var closedAt = Instant.epoch
        var score = 0
        var maxScore = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.field("how", &how)
            coder.field("startedAt", &startedAt)
            coder.field("closedAt", &closedAt)
            coder.field("score", &score)
            coder.field("maxScore", &maxScore)
        }

        var isPossible: Bool { maxScore >= 1 && score <= maxScore && closedAt >= startedAt }
    }
}
