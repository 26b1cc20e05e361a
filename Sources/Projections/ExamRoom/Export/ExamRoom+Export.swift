import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What was exported? The document is made anew as of the position before the export.
    static let exportView = ReadModel<State>(
        "examroom.export", "What was exported?", key: "export",
        keys: { state in
            let exports = state.exports.allKeys.map { (id: $0, at: state.exports[$0]?.position) }
            return state.names.texts(
                exports.sorted { ($0.at ?? .zero) < ($1.at ?? .zero) }.map(\.id))
        }
    ) { state, request, output in
        guard let export: ExportID = state.id(request.key), let row = state.exports[export] else {
            return false
        }
        let document = document(of: row, request)
        output.object { output in
            output.json.key("content")
            switch document?.content {
            case .json(let bytes): output.json.canonical(bytes[...])
            case .text(let bytes): output.json.stringBytes(bytes)
            case nil: output.json.null()
            }
            output.member("digest", row.digest)
            output.member("exam", row.exam)
            output.member("export", export)
            output.member("format", row.format)
            output.member("madeAt", row.madeAt)
            output.member("records", row.records)
            output.member("scope", row.scope)
        }
        return true
    }

    private static func document(of row: ExportRow, _ request: ViewRequest) -> ExportDocument? {
        let before = Position(max(row.position.number, 1) - 1)
        guard let past = request.past(before), let state = past.state as? State else { return nil }
        return ExportDocument.make(
            scope: row.scope, format: row.format, exam: row.exam, filters: row.filters,
            isForSpreadsheets: row.isForSpreadsheets,
            hasOccasionalEntries: row.hasOccasionalEntries,
            state: state, history: past.history)
    }
}
