import Testing
import TestSupport

/// Checks a law over the random history of a seed; a counterexample is made small first.
func expectLaw(
    seed: UInt64, count: Int = 110, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: ([TestCommand]) throws -> String?
) {
    let history = ExamRoomHistory.commands(seed: seed, count: count)
    if let failure = Law.failure(seed: seed, history, body) {
        Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
    }
}

/// The first line in which two lists differ.
func difference(_ left: [String], _ right: [String]) -> String? {
    for index in 0..<max(left.count, right.count) {
        let pair = (
            left.indices.contains(index) ? left[index] : "nothing",
            right.indices.contains(index) ? right[index] : "nothing"
        )
        if pair.0 != pair.1 { return "line \(index + 1):\n  \(pair.0)\n  \(pair.1)" }
    }
    return nil
}
