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
        let isDryRun: Bool
        /// Whether the checks are noted.
        var explains = false
    }

    /// A line whose task waits.
    private struct Asked: Sendable {
        let line: [UInt8]
        let answer: CheckedContinuation<Result<Outcome, EngineError>, Never>
    }

    private let tree: TreeKeeper
    private let tail: TailReader
    private let submissions = GroupCommit<Submission, EventEngine.Submitted>()
    /// Lines of tasks that wait, and the thread that serves them.
    private let asked = Mutex<[Asked]>([])
    private let thread = DispatchQueue(label: "sijill.submit")
    private let sequencer: Mutex<Sequencer>

    init(_ sequencer: sending Sequencer, tree: TreeKeeper, tail: TailReader) {
        self.sequencer = Mutex(sequencer)
        self.tree = tree
        self.tail = tail
    }

    func run(_ submission: Submission) throws(EngineError) -> EventEngine.Submitted {
        switch submissions.join(submission) {
        case .answered(let answer): return answer
        case .leads(var group):
            let waited = group.waitedMilliseconds
            let (answers, head) = sequencer.withLock { sequencer in
                sequencer.serve(group.collect(), waitedMilliseconds: waited)
            }
            if let head {
                tree.follow(head)
                tail.reached(head)
            }
            guard let own = group.answer(answers) else {
                throw EngineError(.inputOutput, "a submission was not served; this is a defect")
            }
            return own
        }
    }

    func run(_ line: [UInt8]) async -> Result<Outcome, EngineError> {
        await withCheckedContinuation { continuation in
            let isFirst = asked.withLock { asked in
                asked.append(Asked(line: line, answer: continuation))
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
        let lines = taken.map { SubmittedLine(bytes: $0.line, number: 1) }
        let submitted: EventEngine.Submitted
        do throws(EngineError) {
            submitted = try run(Submission(lines: lines, clock: nil, isDryRun: false))
        } catch {
            submitted = EventEngine.Submitted(outcomes: [], failure: error)
        }
        for (index, each) in taken.enumerated() {
            each.answer.resume(
                returning: index < submitted.outcomes.count
                    ? .success(submitted.outcomes[index]) : .failure(submitted.missing))
        }
    }
}
