import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// How far is the move? Failed items by id; those are not pending (R37).
    static let migrationView = ReadModel<State>(
        "examroom.migration", "How far is the move?", key: "migration",
        keys: { $0.names.texts($0.migrations.keys) }, basis: .on(.stream("migration"))
    ) { state, request, output in
        guard let migration: MigrationID = state.id(request.key),
            let row = state.migrations[migration]
        else { return false }
        let failed = state.items(of: migration).filter { $0.row.state == .failed }
            .sorted { state.precedes($0.id, $1.id) }
        output.object { output in
            output.array("failed", failed) { output, item in
                output.object { output in
                    output.member("item", item.id)
                    output.member("reason", item.row.reason)
                    output.member("tries", item.row.failures)
                }
            }
            output.member("imported", row.imported)
            output.member("migration", migration)
            output.member("missing", row.missing)
            output.member("pending", row.total - row.done - row.failed)
            output.member("percent", Percent(row.done, of: row.total))
            output.member("skipped", row.skipped)
            output.member("source", row.source)
            output.member("state", MigrationState(row))
            output.member("total", row.total)
            output.member("verified", row.isVerified)
        }
        return true
    }

    private enum MigrationState: String, Choice {
        case running, finished

        init(_ row: MigrationRow) {
            self = row.isFinished ? .finished : .running
        }
    }
}
