import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Begins the migration from the former system, with the list of its items (16.1, R37).
    struct BeginMigration: Command {
        static let type = "examroom.migration.begin"
        var migration = MigrationID.none
        var source = ""
        var items: [Item.Listed] = []

        func senders(in state: State) -> Senders { .admin.or(.service) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            try context.checkIsFree(migration, unless: state.migrations.contains(migration))
            if state.policy.migrationOnce, state.hasMigration(finished: true) {
                throw .migrationDone
            }
            if state.hasMigration(finished: false) { throw .migrationRunning }
            if items.isEmpty { throw .noItems }
            if Set(items.map(\.item)).count < items.count { throw .itemRepeated }
            context.record(
                Migration.Begun(migration: migration, source: source, items: items),
                on: migration)
        }
    }

    /// Finishes the migration and lists what is missing (16.5, R37).
    struct FinishMigration: Command {
        static let type = "examroom.migration.finish"
        var migration = MigrationID.none

        func senders(in state: State) -> Senders { .admin.or(.service) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findRunning(migration)
            if row.done < row.total { throw .itemsPending }
            context.record(
                Migration.Finished(
                    migration: migration, imported: row.imported, skipped: row.skipped,
                    missing: context.state.missing(after: migration)),
                on: migration)
        }
    }
}

extension ExamRoom.State {
    fileprivate func hasMigration(finished isFinished: Bool) -> Bool {
        migrations.allKeys.contains { migrations[$0]?.isFinished == isFinished }
    }

    /// Images that imported exams need and no item brought, then items whose exam or account is
    /// deleted (R37).
    fileprivate func missing(after migration: ExamRoom.MigrationID) -> [String] {
        let imported = items(of: migration).filter { $0.row.state == .imported }
        let brought = imported.filter { $0.row.kind == .image }.map {
            ExamRoom.ImageHash($0.row.thing)
        }
        let images = Set(imported.flatMap(\.row.images)).subtracting(brought)
        let gone = imported.filter { isGone($0.row) }
        return images.map { names.text($0) }.sorted { $0.precedes($1) }
            + gone.map { names.text($0.id) }.sorted { $0.precedes($1) }
    }

    private func isGone(_ item: ExamRoom.ItemRow) -> Bool {
        switch item.kind {
        case .account: accounts[.init(item.thing)]?.isActive != true
        case .exam: exams[.init(item.thing)]?.isDeleted != false
        case .attempt, .image: false
        }
    }
}
