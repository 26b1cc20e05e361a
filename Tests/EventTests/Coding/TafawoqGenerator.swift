import Core
import TafawoqEvents

extension Tafawoq.Metrics: Generated {
    static func generated(by generator: inout Generator) -> Tafawoq.Metrics {
        let names = generator.names
        var entries: [Tafawoq.Metrics.Entry] = []
        for _ in 0..<generator.random.below(4) {
            let metric = Tafawoq.MetricID.generated(by: &generator)
            guard !entries.contains(where: { $0.metric == metric }) else { continue }
            entries.append(
                .init(metric: metric, milliseconds: generator.random.below(1_000_000_001)))
        }
        // As JSON tells them: by name.
        return .init(
            entries: entries.sorted {
                names.text($0.metric).precedes(names.text($1.metric))
            })
    }
}
