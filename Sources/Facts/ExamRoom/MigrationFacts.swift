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

extension ExamRoom.State {
    static func migrationRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Migration.Begun.self) { state, event, _ in state.begun(event) }
        routes.on(ExamRoom.Item.Imported.self) { state, event, _ in
            state.change(event.item, of: event.migration) { item in
                item.state = .imported
                item.thing = event.thing
                // Folded right behind the exam's own event: these are its questions as imported.
                guard event.kind == .exam else { return }
                let questions = state.banks[.init(event.thing)]?.questions ?? []
                for case let image? in questions.map(\.image?.hash)
                where !item.images.contains(image) { item.images.append(image) }
            }
        }
        routes.on(ExamRoom.Item.Failed.self) { state, event, _ in
            state.change(event.item, of: event.migration) { item in
                item.state = .failed
                item.failures += 1
                item.reason = event.reason
            }
        }
        routes.on(ExamRoom.Item.Skipped.self) { state, event, _ in
            state.change(event.item, of: event.migration) { $0.state = .skipped }
        }
        routes.on(ExamRoom.Migration.Finished.self) { state, event, _ in
            state.migrations.updateExisting(event.migration) {
                $0.isFinished = true
                $0.isVerified = event.verified
                $0.missing = event.missing
            }
        }
        routes.on(ExamRoom.Attempt.Imported.self) { $0.imported($1, $2) }
    }

    private func begun(_ event: ExamRoom.Migration.Begun) {
        migrations.update(event.migration) {
            $0.source = event.source
            $0.total = event.total
        }
        for (place, listed) in event.items.enumerated() {
            itemLists.append(listed.item, to: event.migration, at: place)
            items.update(.init(event.migration, listed.item)) {
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
    private func imported(_ event: ExamRoom.Attempt.Imported, _ metadata: EventMetadata) {
        guard let exam = exams[event.exam], students.contains(event.student) else { return }
        var attempt = ExamRoom.AttemptRow()
        attempt.isImported = true
        attempt.exam = event.exam
        attempt.student = event.student
        attempt.startedAt = event.startedAt
        attempt.writer = .init(metadata.writer)
        attempt.startedPosition = metadata.position
        attempt.startCommand = metadata.originalCommand
        attempt.startedBy = Word(metadata.actor)
        // R22: the exam's at import.
        attempt.passPercent = exam.details.passPercent
        attempt.maxScore = event.maxScore
        var closing = ExamRoom.Closing()
        closing.how = event.how
        closing.closedAt = event.closedAt
        closing.localDate = event.localDate
        closing.secondsTaken = event.secondsTaken
        closing.score = event.score
        closing.position = metadata.position
        attempt.closing = closing
        attempts.insert(attempt, at: event.attempt)
        count(attempt, times: 1)
        exams.update(event.exam) {
            $0.attempts += 1
            $0.lastClosing = metadata.position
        }
        touch(event.exam, metadata)
        examAttempts.append(event.attempt, to: event.exam, at: exam.attempts)
        seat(event.exam, event.student) { $0.attempts.append(event.attempt) }
        let own = students.update(event.student) { student in
            student.attempts += 1
            return student.attempts - 1
        }
        studentAttempts.append(event.attempt, to: event.student, at: own)
    }
}
