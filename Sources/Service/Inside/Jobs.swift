import Core
import Dispatch
import Engine
import Foundation
import Logging
import Synchronization

/// Long work on a journal that an operator asked for, one piece after the other on a thread of its own
/// (docs/service/operator.md, Jobs).
///
/// What is here is in memory: a process that starts knows no job of the one before, whose log does.
final class Jobs: Sendable {
    /// So many wait for their turn, or run.
    static let mostWaiting = 8
    /// So many that have ended are remembered.
    static let mostEnded = 100
    /// How long a step gives way to requests at most.
    private static let patience = 4

    private struct State {
        /// The oldest first.
        var jobs: [Job] = []
        var isDraining = false

        /// Changes a job; nil where it is not here.
        mutating func change<R>(_ id: UInt64, _ body: (inout Job) -> R) -> R? {
            guard let place = jobs.firstIndex(where: { $0.id == id }) else { return nil }
            jobs[place].version += 1
            return body(&jobs[place])
        }

        mutating func forgetOldest() {
            while jobs.count(where: \.state.isOver) > Jobs.mostEnded,
                let oldest = jobs.firstIndex(where: \.state.isOver)
            {
                jobs.remove(at: oldest)
            }
        }
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "sijill.jobs")

    /// All that are known, the newest first.
    var all: [Job] { state.withLock { $0.jobs.reversed() } }

    /// Whether one runs or waits.
    var isBusy: Bool { state.withLock { $0.jobs.contains { !$0.state.isOver } } }

    func job(_ id: UInt64) -> Job? { state.withLock { state in state.jobs.first { $0.id == id } } }

    /// Has work done when its turn comes.
    func add(
        _ work: Job.Work, on journal: HostedJournal, by name: String, _ logger: Logger,
        _ metrics: ServiceMetrics
    ) throws -> Job {
        let now = Instant.now
        let job = try state.withLock { state in
            if state.isDraining {
                throw Problem.unavailable("draining", "the service is shutting down")
            }
            guard state.jobs.count(where: { !$0.state.isOver }) < Self.mostWaiting else {
                throw Problem.unavailable(
                    "too-busy", "\(Self.mostWaiting) jobs wait already: come again later",
                    retryAfter: 60)
            }
            // By the time, so that the jobs of two processes are not taken for one another.
            let id = max(UInt64(max(0, now.milliseconds)), (state.jobs.last?.id ?? 0) + 1)
            let job = Job(id: id, work: work, by: name, queued: now)
            state.jobs.append(job)
            return job
        }
        queue.async { self.run(job.id, journal, logger, metrics) }
        return job
    }

    /// Ends a job: at once if it waits, at its next step if it runs; nil where there is none.
    func cancel(_ id: UInt64) -> Job? {
        state.withLock { state in
            state.change(id) { job in
                job.cancel()
                return job
            }
        }
    }

    /// Ends all of them, and takes no more.
    func drain() {
        state.withLock { state in
            state.isDraining = true
            for job in state.jobs where !job.state.isOver {
                _ = state.change(job.id) { $0.cancel() }
            }
        }
    }

    /// Waits until the thread is done with what it had begun.
    func finish() async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }

    // MARK: Running

    private func run(
        _ id: UInt64, _ journal: HostedJournal, _ logger: Logger, _ metrics: ServiceMetrics
    ) {
        let begun = state.withLock { state in
            state.change(id) { job -> Job? in
                guard job.state == .queued else { return nil }
                job.state = .running
                job.started = .now
                return job
            }
        }
        guard case let job?? = begun else { return }
        let start = ContinuousClock.now
        let labels: Logger.Metadata = [
            "job": "\(id)", "kind": "\(job.work.kind)", "by": "\(job.by)",
        ]
        logger.info("a job begins", metadata: labels)
        let outcome = Result { () throws(EngineError) in
            try job.work.run(on: journal) { progress throws(EngineError) in
                try self.note(progress, of: id)
                Self.giveWay(to: journal)
            }
        }
        let ended = state.withLock { state in
            let job = state.change(id) { job in
                job.end(outcome, in: journal.directory)
                return job
            }
            state.forgetOldest()
            return job
        }
        guard let ended else { return }
        metrics.count(ended, start.duration(to: .now))
        var more = labels
        more["state"] = "\(ended.state)"
        if let error = ended.error { more["error"] = "\(error.message)" }
        logger.log(
            level: ended.state == .failed ? .error : .info, "a job has ended", metadata: more)
    }

    private func note(_ progress: Engine.Progress, of id: UInt64) throws(EngineError) {
        let isWanted = state.withLock { state in
            state.change(id) { job in
                job.progress = progress
                return !job.isUnwanted
            }
        }
        if isWanted != true { throw EngineError(.closed, "the job was cancelled") }
    }

    /// Requests go first: a thread's priority would be inherited by those that the engine's pool starts from it.
    private static func giveWay(to journal: HostedJournal) {
        for _ in 0..<patience where journal.waitingQuestions + journal.submissions.count > 0 {
            Thread.sleep(forTimeInterval: 0.005)
        }
    }
}
