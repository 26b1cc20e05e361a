import Products
import Engine

/// What the tree over all events costs: all leaves made anew, as `verify` does it.
enum TreeCost {
    static func run(_ journal: String) throws {
        let engine = try EventEngine(at: journal)
        var rates: [Double] = []
        var size = 0
        for _ in 0..<5 {
            let clock = ContinuousClock()
            let start = clock.now
            size = try engine.treeMadeAnew().size
            let time = clock.now - start
            let seconds =
                Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
            rates.append(Double(size) / seconds)
        }
        rates.sort()
        print(
            "tree of \(size) events: \(Int(rates[2])) leaves/s on two threads "
                + "(\(Int(rates[0]))-\(Int(rates[4])))")
    }
}
