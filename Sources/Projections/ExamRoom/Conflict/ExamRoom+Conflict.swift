import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    private enum ConflictState: String, Choice {
        case pending, settled
    }

    /// What clashed? By kind, then record, then id (R44).
    static let conflictsView = ReadModel<State>(
        "examroom.conflicts", "What clashed?", arguments: ["page", "state"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let wanted = try request.choice("state", ConflictState.self)
        var found: [(id: ConflictID, row: ConflictRow, state: ConflictState)] = []
        state.conflicts.forEach { id, row in
            let state: ConflictState = state.isSettled(row) ? .settled : .pending
            if wanted.map({ $0 == state }) ?? true { found.append((id, row, state)) }
        }
        found.sort { left, right in
            if left.row.kind != right.row.kind {
                return left.row.kind.rawValue.precedes(right.row.kind.rawValue)
            }
            if !left.row.record.isExactly(right.row.record) {
                return left.row.record.precedes(right.row.record)
            }
            return state.precedes(left.id, right.id)
        }
        output.object { output in
            output.array("conflicts", found[page.range(of: found.count)]) { output, conflict in
                output.object { write(conflict.id, conflict.row, conflict.state, to: &$0) }
            }
            page.write(total: found.count, to: &output)
        }
        return true
    }

    private static func write(
        _ id: ConflictID, _ row: ConflictRow, _ state: ConflictState, to output: inout JSONOutput
    ) {
        output.member("choice", row.choice)
        output.member("choices", row.choices)
        output.member("conflict", id)
        output.member("contenders", row.contenders)
        output.member("deletion", row.deletion)
        output.member("detectedAt", row.detectedAt)
        output.member("fields", row.names)
        output.member("kind", row.kind)
        output.member("record", row.record)
        output.member("resolution", row.resolution)
        output.member("state", state)
        output.member("winner", row.winner)
    }
}
