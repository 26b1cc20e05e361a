package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// An item could not be had or moved; it may be tried again (16.7).
    package struct FailItem: Command {
        package static let type = "examroom.item.fail"
        var migration = MigrationID.none
        var item = ItemID.none
        var reason = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("migration", &migration)
            coder.field("item", &item)
            coder.field("reason", &reason)
        }

        package func who(in room: Room) -> Who { .adminOrService }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let row = try scene.state.openItem(item, of: migration)
            scene.record(
                Item.Failed(
                    migration: migration, item: item, reason: reason, tries: row.failures + 1),
                on: scene.migrationStream(migration))
        }
    }

    /// An item stays behind (16.7).
    package struct SkipItem: Command {
        package static let type = "examroom.item.skip"
        var migration = MigrationID.none
        var item = ItemID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("migration", &migration)
            coder.field("item", &item)
        }

        package func who(in room: Room) -> Who { .adminOrService }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            _ = try scene.state.openItem(item, of: migration)
            scene.record(
                Item.Skipped(migration: migration, item: item),
                on: scene.migrationStream(migration))
        }
    }
}

extension ExamRoom.Room {
    /// An item of a running migration that is not done; `not-found` is the migration.
    func openItem(
        _ item: ExamRoom.ItemID, of migration: ExamRoom.MigrationID
    ) throws(ExamRoom.Rejection) -> ExamRoom.ItemRow {
        _ = try runningMigration(migration)
        guard let row = items[.init(migration, item)] else { throw .itemUnknown }
        if row.isDone { throw .itemDone }
        return row
    }
}
