import Dispatch
import EventLog
import Core
import Synchronization

/// Hands the lines of callers that come together to the sequencer, and each its own answer.
final class Submitter: Sendable {
    /// What one caller submitted.
    struct Submission: Sendable {
        let lines: [Sequencer.Line]
        let clock: Instant?
        let isDryRun: Bool
    }

    /// A line whose task waits.
    private struct Asked: Sendable {
        let line: [UInt8]
        let answer: CheckedContinuation<Result<Outcome, EngineError>, Never>
    }

    private let tree: TreeKeeper
    private let tail: TailReader
    private let submissions = Gathering<Submission, EventEngine.Submitted>()
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
        let answer = submissions.answer(submission) { waited, submissions in
            let (answers, head) = sequencer.withLock { sequencer in
                let answers = Self.serve(submissions(), with: sequencer, after: waited)
                return (answers, sequencer.head())
            }
            if let head {
                tree.follow(head)
                tail.reached(head)
            }
            return answers
        }
        guard let answer else {
            throw EngineError(.inputOutput, "a submission was not served; this is a defect")
        }
        return answer
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
        let lines = taken.map { Sequencer.Line(bytes: $0.line, number: 1) }
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

    /// Runs the submissions in order; neighbours of the same kind share batches.
    private static func serve(
        _ submissions: [Submission], with sequencer: Sequencer, after waited: Int
    ) -> [EventEngine.Submitted] {
        var answers: [EventEngine.Submitted] = []
        var rest = submissions[...]
        while let first = rest.first {
            let group = rest.prefix { $0.clock == first.clock && $0.isDryRun == first.isDryRun }
            rest = rest.dropFirst(group.count)
            let result = sequencer.run(
                group.flatMap(\.lines), recordedAt: first.clock ?? WallClock.now(),
                isDryRun: first.isDryRun, waitedMilliseconds: waited)
            var offset = 0
            for submission in group {
                let range = offset..<offset + submission.lines.count
                offset = range.upperBound
                var answer = EventEngine.Submitted(
                    outcomes: Array(result.outcomes.dropFirst(range.lowerBound).prefix(range.count))
                )
                if answer.outcomes.count < range.count {
                    answer.failure = result.failure.map(EngineError.wrapping) ?? answer.missing
                }
                answers.append(answer)
            }
        }
        return answers
    }
}
