import Products
import Engine

/// The contract's budgets (ExamRoom R52): an answer saved, durable, in under 100 ms; 100 exams listed in
/// under 500 ms; leaderboards up to date within a second of a submission. What counts is the slowest.
extension Workloads {
    mutating func budgets() throws {
        let path = directory + "/budgets"
        try EventEngine.create(at: path, isSimulated: true)
        let engine = try EventEngine(at: path)
        var traffic = ExamTraffic(
            prefix: "R", students: 100, exams: 100, desks: 16, seed: 52, hasClock: true)
        _ = try engine.submit(traffic.preparation())
        var everyExam = ShowRequest()
        everyExam.arguments["page"] = "all"
        var saving: [Double] = []
        var listing: [Double] = []
        var leading: [Double] = []
        for _ in 0..<2000 {
            let line = traffic.next()
            let text = String(decoding: line, as: UTF8.self)
            var status: [Outcome.Status] = []
            let seconds = try Measure.seconds { status = try engine.submit([line]).map(\.status) }
            guard status == [.accepted] else { throw Failure(what: text) }
            if text.contains("examroom.answer.save") { saving.append(seconds) }
            guard text.contains("examroom.attempt.submit") else { continue }
            leading.append(
                try Measure.seconds { _ = try engine.show("examroom.leaderboard", key: "points") })
            listing.append(
                try Measure.seconds {
                    _ = try engine.show("examroom.exams", key: nil, everyExam)
                })
        }
        for (name, measured, budget) in [
            ("an answer saved", saving, 100), ("100 exams listed", listing, 500),
            ("a leaderboard after a submission", leading, 1000),
        ] {
            results.add(
                "R52: \(name), slowest", (measured.max() ?? 0) * 1000, "ms",
                "budget \(budget); of \(measured.count)")
        }
    }
}
