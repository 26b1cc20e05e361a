import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Times measured by clients: count, mean and maximum of each metric.
    static let performanceView = ReadModel<State>(
        "tafawoq.performance", "How fast is the client?"
    ) { state, _, output in
        var rows: [(kind: Int, name: String, row: MetricRow)] = []
        state.metrics.forEach { key, row in
            rows.append((Int(key.first.number), state.names.text(key.second), row))
        }
        rows.sort { $0.name.precedes($1.name) }
        output.object { output in
            for (index, kind) in SittingKind.allCases.enumerated() {
                output.object(kind.rawValue) { output in
                    for entry in rows where entry.kind == index {
                        output.object(entry.name) { output in
                            writeMean(entry.row.count, entry.row.sum, to: &output)
                            output.member("max", entry.row.largest)
                        }
                    }
                }
            }
        }
        return true
    }
}
