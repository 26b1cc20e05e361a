import Dispatch
import EventLog
import Core
import Synchronization

/// Hands the lines of callers that come together to the sequencer, and each its own answer.
final class Submitter: Sendable {
    /// What one caller submitted.
    struct Submission: Sendable {
        let lines: [SubmittedLine]
        let clock: Instant?
        /// Whether the checks are noted.
        var explains = false
    }

    /// Lines whose task waits.
    private struct Asked: Sendable {
        let lines: [SubmittedLine]
        let answer: CheckedContinuation<EventEngine.Submitted, Never>
    }

    private let tree: TreeKeeper
    private let tail: TailReader
    private let readers: ReaderPool
    private let submissions = GroupCommit<Submission, EventEngine.Submitted>()
    /// Lines of tasks that wait, and the thread that serves them.
    private let asked = Mutex<[Asked]>([])
    private let thread = DispatchQueue(label: "sijill.submit")
    private let sequencer: Mutex<Sequencer>

    init(
        _ sequencer: sending Sequencer, tree: TreeKeeper, tail: TailReader, readers: ReaderPool
    ) {
        self.sequencer = Mutex(sequencer)
        self.tree = tree
        self.tail = tail
        self.readers = readers
    }

    func run(_ submission: Submission) throws(EngineError) -> EventEngine.Submitted {
        switch submissions.join(submission) {
        case .answered(let answer): return answer
        case .leads(var group):
            let waited = group.waitedMilliseconds
            let (answers, head, stored) = sequencer.withLock { sequencer in
                let (answers, head) = sequencer.serve(
                    group.collect(), waitedMilliseconds: waited)
                return (answers, head, sequencer.lastStored)
            }
            if let head {
                tree.follow(head)
                tail.reached(head)
            }
            let own = group.answer(answers)
            // What is let go of takes its time to be freed: nobody waits for that.
            readers.didStore(stored)
            guard let own else {
                throw EngineError(.inputOutput, "a submission was not served; this is a defect")
            }
            return own
        }
    }

    func run(_ line: [UInt8]) async -> Result<Outcome, EngineError> {
        let submitted = await run([line])
        return submitted.outcomes.first.map { .success($0) } ?? .failure(submitted.missing)
    }

    /// The lines of one task are served one after the other, with those of others before and behind them.
    func run(_ lines: [[UInt8]], firstLine: Int = 1) async -> EventEngine.Submitted {
        let lines = [SubmittedLine].reading(lines, from: firstLine)
        return await withCheckedContinuation { continuation in
            let isFirst = asked.withLock { asked in
                asked.append(Asked(lines: lines, answer: continuation))
                return asked.count == 1
            }
            if isFirst { thread.async { self.serveAsked() } }
        }
    }

    func takeWarnings() -> [String] { sequencer.withLock { $0.takeWarnings() } }

    /// Lets go of the state that decides.
    func forget() { sequencer.withLock { $0.forget() } }

    private func serveAsked() {
        let taken = asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
        let lines = taken.flatMap(\.lines)
        let submitted: EventEngine.Submitted
        do throws(EngineError) {
            submitted = try run(Submission(lines: lines, clock: nil))
        } catch {
            submitted = EventEngine.Submitted(outcomes: [], failure: error)
        }
        var left = submitted.outcomes[...]
        for each in taken {
            let own = Array(left.prefix(each.lines.count))
            left = left.dropFirst(each.lines.count)
            each.answer.resume(
                returning: EventEngine.Submitted(
                    outcomes: own,
                    failure: own.count == each.lines.count ? nil : submitted.missing))
        }
    }
}
