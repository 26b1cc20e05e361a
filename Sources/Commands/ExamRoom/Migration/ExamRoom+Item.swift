import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// An item could not be fetched or imported; it may be tried again (16.7).
    struct FailItem: Command {
        static let type = "examroom.item.fail"
        var migration = MigrationID.none
        var item = ItemID.none
        var reason = ""

        func senders(in state: State) -> Senders { .admin.or(.service) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findPending(item, of: migration)
            context.record(
                Item.Failed(
                    migration: migration, item: item, reason: reason, tries: row.failures + 1),
                on: migration)
        }
    }

    /// Skips an item for good (16.7).
    struct SkipItem: Command {
        static let type = "examroom.item.skip"
        var migration = MigrationID.none
        var item = ItemID.none

        func senders(in state: State) -> Senders { .admin.or(.service) }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.findPending(item, of: migration)
            context.record(Item.Skipped(migration: migration, item: item), on: migration)
        }
    }
}
