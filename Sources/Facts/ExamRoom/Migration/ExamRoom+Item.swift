package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// One item of a migration and its state (R36).
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

        package var isDone: Bool { state == .imported || state == .skipped }
    }

    package typealias ItemKey = Pair<MigrationID, ItemID>
}

extension ExamRoom.State {
    static func itemRoutes(_ routes: inout Routes<ExamRoom.State>) {
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
}
