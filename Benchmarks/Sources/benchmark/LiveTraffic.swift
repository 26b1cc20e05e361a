import Products
import Engine
import EventLog
import Core
import Synchronization

/// Commands to an engine of their own, from one caller or from many at once.
final class LiveTraffic {
    private let engine: EventEngine
    private let journal: Journal
    private var traffics: [ExamTraffic]

    init(at path: String) throws {
        try EventEngine.create(at: path, isSimulated: true)
        engine = try EventEngine(at: path)
        journal = try Journal(at: path)
        traffics = (0..<16).map {
            ExamTraffic(
                prefix: "P\($0)", students: 40, exams: 2, desks: 2, seed: UInt64($0),
                hasClock: false)
        }
        for index in traffics.indices { _ = try engine.submit(traffics[index].preparation()) }
    }

    /// So many commands a call; gives the events that came of them.
    func submit(
        _ count: Int, threads: Int, perCall: Int
    ) throws -> (events: Int, seconds: Double) {
        let calls = count / threads / perCall
        let work = (0..<threads).map { number in
            (0..<calls).map { _ in (0..<perCall).map { _ in traffics[number].next() } }
        }
        let before = try journal.head().position.number
        let failure = Mutex<String?>(nil)
        let engine = engine
        let seconds = Measure.seconds {
            Measure.onThreads(threads) { number in
                for lines in work[number] {
                    do {
                        for outcome in try engine.submit(lines)
                        where outcome.status != .accepted {
                            failure.withLock { $0 = outcome.document.text }
                        }
                    } catch {
                        failure.withLock { $0 = "\(error)" }
                    }
                }
            }
        }
        if let what = failure.withLock({ $0 }) { throw Workloads.Failure(what: what) }
        return (Int(try journal.head().position.number - before), seconds)
    }
}
