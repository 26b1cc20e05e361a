package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// What decisions quote of the journal in their events: documents that the read side makes. Rules know
    /// no more of it than this.
    package protocol Quotes {
        /// The document of an export (R34), made from what is so and was before the export.
        func export(
            _ scope: Export.Scope, _ format: Export.Format, exam: ExamID?, filters: Export.Filters?,
            state: State, history: any History
        ) -> (records: Int, digest: String)

        /// The digest of the audit entries that the events at these ascending positions make (R51).
        func archive(of positions: [Position], state: State, history: any History) -> String
    }
}
