package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A document that was made; its content is made anew when it is shown (R34).
    package struct ExportRow: Record {
        package var scope = Export.Scope.exam
        package var exam: ExamID?
        package var filters: Export.Filters?
        package var format = Export.Format.json
        package var records = 0
        package var digest = ""
        package var isForSpreadsheets = true
        package var hasOccasionalEntries = true
        package var madeAt = Instant.epoch
        package var position = Position.zero

        package init() {}
    }
}

extension ExamRoom.State {
    static func exportRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Export.Made.self) { $0.exported($1, $2) }
    }

    private func exported(_ event: ExamRoom.Export.Made, _ metadata: EventMetadata) {
        exports.update(event.export) {
            $0.scope = event.scope
            $0.exam = event.exam
            $0.filters = event.filters
            $0.format = event.format
            $0.records = event.records
            $0.digest = event.digest
            $0.isForSpreadsheets = event.isForSpreadsheets
            $0.hasOccasionalEntries = event.hasOccasionalEntries
            $0.madeAt = metadata.moment
            $0.position = metadata.position
        }
        // What exams may be archived after (R12).
        switch event.scope {
        case .all: roster.update(.only) { $0.exported = metadata.position }
        case .exam:
            guard let exam = event.exam else { return }
            exams.updateExisting(exam) { $0.exported = metadata.position }
        case .results, .audit: break
        }
    }
}
