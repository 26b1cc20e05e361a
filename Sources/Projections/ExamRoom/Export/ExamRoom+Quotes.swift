package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Makes what decisions quote, in the very form in which it is shown afterwards.
    package struct Quoter: Quotes {
        package init() {}

        package func export(
            _ scope: Export.Scope, _ format: Export.Format, exam: ExamID?, filters: Export.Filters?,
            state: State, history: any History
        ) -> (records: Int, digest: String) {
            let document = ExportDocument.make(
                scope: scope, format: format, exam: exam, filters: filters, state: state,
                history: history)
            return (document.records, document.digest)
        }

        package func archive(of positions: [Position], state: State, history: any History) -> String
        {
            var hash = RunningHash()
            hash.add([UInt8(ascii: "[")])
            var separator: [UInt8] = []
            AuditTrail(state: state, history: history).forEach(at: positions) { entry in
                var output = JSONOutput(names: state.names)
                output.object { entry.write(to: &$0) }
                hash.add(separator + output.json.bytes)
                separator = [UInt8(ascii: ",")]
            }
            hash.add([UInt8(ascii: "]")])
            return hash.hex
        }
    }
}
