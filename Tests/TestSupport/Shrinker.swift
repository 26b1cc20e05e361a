/// Makes a counterexample small: removes chunks of it while the law still fails (delta debugging,
/// Zeller and Hildebrandt 2002).
package enum Shrinker {
    /// The smallest sequence found within so many tries and about so much time; `fails` says
    /// whether a candidate does.
    package static func smallest<E>(
        _ elements: [E], tries: Int = 150, within limit: Duration = .seconds(15),
        fails: ([E]) -> Bool
    ) -> [E] {
        let end = ContinuousClock.now + limit
        var kept = elements
        var left = tries
        var chunk = max(1, elements.count / 2)
        while left > 0, ContinuousClock.now < end {
            var start = 0
            var didShrink = false
            while start < kept.count, left > 0, ContinuousClock.now < end {
                var candidate = kept
                candidate.removeSubrange(start..<min(start + chunk, kept.count))
                left -= 1
                if fails(candidate) {
                    kept = candidate
                    didShrink = true
                } else {
                    start += chunk
                }
            }
            if chunk == 1, !didShrink { break }
            if !didShrink { chunk = max(1, chunk / 2) }
        }
        return kept
    }
}

/// A law over random histories of commands.
package enum Law {
    /// Nil when it holds; else why not, with the seed and the shrunk commands. `body` gives the
    /// reason when its law does not hold for a history; what it throws is a reason as well.
    package static func failure(
        seed: UInt64, _ history: [TestCommand], _ body: ([TestCommand]) throws -> String?
    ) -> String? {
        func reason(_ commands: [TestCommand]) -> String? {
            do {
                return try body(commands)
            } catch {
                return "\(error)"
            }
        }
        guard let first = reason(history) else { return nil }
        let small = Shrinker.smallest(history) { reason($0) != nil }
        let why = reason(small) ?? first
        return """
            seed \(seed): \(why)
            \(small.count) of \(history.count) commands:
            \(small.map(\.description).joined(separator: "\n"))
            """
    }
}
