import Core
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

        /// Imported or skipped.
        package var done: Int { imported + skipped }
    }
}

extension ExamRoom.State {
    static func migrationRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Migration.Begun.self) { state, event, _ in state.begun(event) }
        routes.on(ExamRoom.Migration.Finished.self) { state, event, _ in
            state.migrations.updateExisting(event.migration) {
                $0.isFinished = true
                $0.isVerified = event.verified
                $0.missing = event.missing
            }
        }
    }

    private func begun(_ event: ExamRoom.Migration.Begun) {
        migrations.update(event.migration) {
            $0.source = event.source
            $0.total = event.items.count
        }
        for (place, listed) in event.items.enumerated() {
            itemLists.append(listed.item, to: event.migration, at: place)
            items.update(.init(event.migration, listed.item)) {
                $0.kind = listed.kind
                $0.digest = listed.digest
            }
        }
    }
}
