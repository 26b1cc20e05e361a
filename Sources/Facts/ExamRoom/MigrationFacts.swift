package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// How far one move from the former system is (R37).
    package struct MigrationRow: Record {
        package var source = ""
        package var total = 0
        package var imported = 0
        package var skipped = 0
        /// Last tried and failed, not done since.
        package var failed = 0
        package var isFinished = false
        /// Null and empty until it is finished.
        package var isVerified: Bool?
        package var missing: [String] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("source", &source)
            coder.field("total", &total)
            coder.field("imported", &imported)
            coder.field("skipped", &skipped)
            coder.field("failed", &failed)
            coder.field("isFinished", &isFinished)
            coder.field("isVerified", &isVerified)
            coder.field("missing", &missing)
        }

        /// Imported or skipped.
        package var done: Int { imported + skipped }
    }

    package struct ItemRow: Record {
        package enum State: String, Choice {
            case pending, failed, imported, skipped
        }

        package var kind = Item.Kind.account
        package var digest = ""
        package var state = State.pending
        package var failures = 0
        /// Of the last failure.
        package var reason = ""
        package var thing = Item.MovedID.none
        /// Of an exam: the images that its questions referred to when it came.
        package var images: [ImageHash] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("kind", &kind)
            coder.field("digest", &digest)
            coder.field("state", &state)
            coder.field("failures", &failures)
            coder.field("reason", &reason)
            coder.field("thing", &thing)
            coder.field("images", &images)
        }

        package var isDone: Bool { state == .imported || state == .skipped }
    }
}

extension ExamRoom.Room {
    static func migrationRoutes(_ routes: inout Routes<ExamRoom.Room>) {
        routes.on(ExamRoom.Migration.Begun.self) { room, fact, _ in room.begun(fact) }
        routes.on(ExamRoom.Item.Imported.self) { room, fact, _ in
            room.change(fact.item, of: fact.migration) { item in
                item.state = .imported
                item.thing = fact.thing
                // Folded right behind the exam's own event: these are its questions as imported.
                guard fact.kind == .exam else { return }
                let questions = room.banks[.init(fact.thing)]?.questions ?? []
                for case let image? in questions.map(\.image?.hash)
                where !item.images.contains(image) { item.images.append(image) }
            }
        }
        routes.on(ExamRoom.Item.Failed.self) { room, fact, _ in
            room.change(fact.item, of: fact.migration) { item in
                item.state = .failed
                item.failures += 1
                item.reason = fact.reason
            }
        }
        routes.on(ExamRoom.Item.Skipped.self) { room, fact, _ in
            room.change(fact.item, of: fact.migration) { $0.state = .skipped }
        }
        routes.on(ExamRoom.Migration.Finished.self) { room, fact, _ in
            room.migrations.updateExisting(fact.migration) {
                $0.isFinished = true
                $0.isVerified = fact.verified
                $0.missing = fact.missing
            }
        }
        routes.on(ExamRoom.Attempt.Imported.self) { $0.imported($1, $2) }
    }

    private func begun(_ fact: ExamRoom.Migration.Begun) {
        migrations.update(fact.migration) {
            $0.source = fact.source
            $0.total = fact.total
        }
        for (place, listed) in fact.items.enumerated() {
            itemLists.append(listed.item, to: fact.migration, at: place)
            items.update(.init(fact.migration, listed.item)) {
                $0.kind = listed.kind
                $0.digest = listed.digest
            }
        }
    }

    /// Changes an item and counts it where it now belongs.
    private func change(
        _ item: ExamRoom.ItemID, of migration: ExamRoom.MigrationID,
        _ body: (inout ExamRoom.ItemRow) -> Void
    ) {
        let key = ExamRoom.ItemKey(migration, item)
        guard let former = items[key]?.state else { return }
        items.update(key, body)
        let state = items[key]?.state ?? former
        migrations.updateExisting(migration) {
            if former == .failed { $0.failed -= 1 }
            switch state {
            case .pending: break
            case .failed: $0.failed += 1
            case .imported: $0.imported += 1
            case .skipped: $0.skipped += 1
            }
        }
    }

    /// The items of a migration, in the order in which it listed them.
    package func items(
        of migration: ExamRoom.MigrationID
    ) -> [(id: ExamRoom.ItemID, row: ExamRoom.ItemRow)] {
        itemLists.elements(of: migration, count: migrations[migration]?.total ?? 0).compactMap {
            id in items[.init(migration, id)].map { (id, $0) }
        }
    }

    /// An attempt that comes closed: it counts like any other, earns nothing, and its date is none
    /// of a streak's (R25, R28).
    private func imported(_ fact: ExamRoom.Attempt.Imported, _ event: Circumstances) {
        guard let exam = exams[fact.exam], students.contains(fact.student) else { return }
        var attempt = ExamRoom.AttemptRow()
        attempt.isImported = true
        attempt.exam = fact.exam
        attempt.student = fact.student
        attempt.startedAt = fact.startedAt
        attempt.writer = .init(event.writer)
        attempt.startedPosition = event.position
        attempt.startCommand = event.originalCommand
        attempt.startedBy = Word(event.actor)
        // R22: the exam's at import.
        attempt.passPercent = exam.details.passPercent
        attempt.maxScore = fact.maxScore
        var closing = ExamRoom.Closing()
        closing.how = fact.how
        closing.closedAt = fact.closedAt
        closing.localDate = fact.localDate
        closing.secondsTaken = fact.secondsTaken
        closing.score = fact.score
        closing.position = event.position
        attempt.closing = closing
        attempts.insert(attempt, at: fact.attempt)
        count(attempt, times: 1)
        exams.update(fact.exam) {
            $0.attempts += 1
            $0.lastClosing = event.position
        }
        touch(fact.exam, event)
        examAttempts.append(fact.attempt, to: fact.exam, at: exam.attempts)
        seat(fact.exam, fact.student) { $0.attempts.append(fact.attempt) }
        let own = students.update(fact.student) { student in
            student.attempts += 1
            return student.attempts - 1
        }
        studentAttempts.append(fact.attempt, to: fact.student, at: own)
    }
}
