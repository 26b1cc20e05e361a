package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Makes a document for somebody: an exam, everything, results, or the audit trail (R34).
    package struct MakeExport: Command {
        package static let type = "examroom.export.make"
        var export = ExportID.none
        var scope = Export.Scope.exam
        var format = Export.Format.json
        var exam: ExamID?
        var filters: Export.Filters?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("export", &export)
            coder.field("scope", &scope)
            coder.field("format", &format)
            coder.optional("exam", &exam)
            coder.optional("filters", &filters)
        }

        package func problem(_ names: Names) -> String? {
            switch scope {
            case .exam, .results:
                if exam == nil { return "missing field \"exam\", which this scope needs" }
            case .all, .audit:
                if exam != nil { return "\"exam\" belongs to the scopes \"exam\" and \"results\"" }
            }
            return filters != nil && scope != .audit
                ? "\"filters\" belong to the scope \"audit\"" : nil
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            if let exam { _ = try scene.state.exam(exam) }
            if !scope.formats.contains(format) { throw .formatUnsupported }
            if scene.state.exports.contains(export) { throw .alreadyExists }
            let summary = scene.state.quotes?.export(
                scope, format, exam: exam, filters: filters, room: scene.state,
                history: scene.history)
            var fact = Export.Made()
            fact.export = export
            fact.scope = scope
            fact.exam = exam
            fact.filters = filters
            fact.format = format
            fact.records = summary?.records ?? 0
            fact.digest = summary?.digest ?? ""
            scene.record(fact, on: "examroom/export/\(scene.names.text(export))")
        }
    }
}

extension ExamRoom.Export.Scope {
    /// R34: which formats a scope takes.
    var formats: [ExamRoom.Export.Format] {
        switch self {
        case .exam, .all: [.json]
        case .results: [.csv, .pdf]
        case .audit: [.csv]
        }
    }
}
