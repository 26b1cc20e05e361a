import Core
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

/// The lines of an export that tell of the first so many events, with the keys and commands behind them.
func exported(_ export: [String], upTo last: Int) throws -> [String] {
    var events: [String] = []
    var commands: [String] = []
    var key: [String] = []
    for line in export.dropFirst() {
        let json = try JSON(parsing: Array(line.utf8))
        if let position = json["position"]?.wholeNumber {
            if position <= last { events += key + [line] }
            key = []
        } else if json["key"] != nil {
            key = [line]
        } else if let first = json["first"]?.wholeNumber,
            let count = json["events"]?.wholeNumber, first + count - 1 <= last
        {
            commands.append(line)
        }
    }
    return Array(export.prefix(1)) + events + commands
}
