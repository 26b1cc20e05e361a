import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Exports an exam, everything, results, or the audit trail (R34).
    struct MakeExport: Command {
        static let type = "examroom.export.make"
        var export = ExportID.none
        var scope = Export.Scope.exam
        var format = Export.Format.json
        var exam: ExamID?
        var filters: Export.Filters?

        func problem(_ names: Names) -> String? {
            switch scope {
            case .exam, .results:
                if exam == nil { return "missing field \"exam\", which this scope needs" }
            case .all, .audit:
                if exam != nil { return "\"exam\" belongs to the scopes \"exam\" and \"results\"" }
            }
            return filters != nil && scope != .audit
                ? "\"filters\" belong to the scope \"audit\"" : nil
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            if let exam { _ = try context.find(exam) }
            if !scope.formats.contains(format) { throw .formatUnsupported }
            try context.checkIsFree(export, unless: context.state.exports.contains(export))
            let summary = context.state.quotes?.export(
                scope, format, exam: exam, filters: filters, state: context.state,
                history: context.history)
            context.record(
                Export.Made(
                    export: export,
                    scope: scope,
                    exam: exam,
                    filters: filters,
                    format: format,
                    records: summary?.records ?? 0,
                    digest: summary?.digest ?? ""), on: export)
        }
    }
}

extension ExamRoom.Export.Scope {
    /// Which formats a scope takes (R34).
    var formats: [ExamRoom.Export.Format] {
        switch self {
        case .exam, .all: [.json]
        case .results: [.csv, .html]
        case .audit: [.csv]
        }
    }
}
