import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The times of one metric, summed up.
    package struct MetricRow: Record {
        package var count = 0
        package var sum = 0
        package var largest = 0

        package init() {}
    }
}

extension Tafawoq.State {
    static func performanceRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Performance.Reported.self) { state, event, _ in
            guard state.sittings.contains(.init(event.of, event.id)) else { return }
            let kind = Ordinal(event.of == .exam ? 0 : 1)
            for entry in event.metrics.entries {
                state.metrics.update(.init(kind, entry.metric)) {
                    $0.count += 1
                    $0.sum = $0.sum.addingClamping(entry.milliseconds)
                    $0.largest = max($0.largest, entry.milliseconds)
                }
            }
        }
    }
}
