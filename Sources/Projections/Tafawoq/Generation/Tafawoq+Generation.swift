import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Requests that still wait for questions: premium first, then by position (R24).
    static let generationQueueView = ReadModel<State>(
        "tafawoq.generation-queue", "Which requests wait for questions?"
    ) { state, _, output in
        let waiting = state.waiting
        output.object { output in
            // Premium first, then by position of the request (R24).
            let first = waiting.filter { $0.row.tier == .premium }
            output.array("requests", first + waiting.filter { $0.row.tier == .free }) {
                output, entry in
                output.object { output in
                    output.member("of", entry.key.kind)
                    output.member("id", entry.key.id)
                    output.member("tier", entry.row.tier)
                    output.member("requestedAt", entry.row.startedAt)
                    output.member("generateBy", entry.row.generateBy)
                    output.member("queued", entry.row.queued)
                }
            }
        }
        return true
    }

    /// How generation went within the alert window, with its quota (R24, R46).
    static let generationHealthView = ReadModel<State>(
        "tafawoq.generation-health", "How is generation doing?"
    ) { state, request, output in
        let marks = state.marksOfGeneration(in: state.window(endingAt: request.now))
        let delivered = marks.filter { $0.kind == .delivered }
        let failed = marks.filter { $0.kind == .failed }
        let waited = delivered.reduce(0) { $0.addingClamping($1.waitedSeconds) }
        var reasons: [String: Int] = [:]
        for mark in failed { reasons[mark.reason?.rawValue ?? "", default: 0] += 1 }
        output.object { output in
            output.member("windowSeconds", state.policy.alertWindowSeconds)
            output.member("requested", marks.count { $0.kind == .requested })
            output.member("delivered", delivered.count)
            output.member("failed", failed.count)
            output.member("refused", marks.count { $0.kind == .refused })
            output.member(
                "failurePercent", Percent(failed.count, of: delivered.count + failed.count))
            output.object("byReason") { output in
                for (reason, count) in reasons.sorted(by: { $0.key.precedes($1.key) }) {
                    output.member(reason, count)
                }
            }
            output.member(
                "meanWaitedSeconds",
                delivered.isEmpty
                    ? nil
                    : Percent(meanOf: waited.multipliedClamping(100), by: delivered.count))
            output.member("maxWaitedSeconds", delivered.map(\.waitedSeconds).max())
            output.member("pending", state.waiting.count)
            let quota = state.totals[.only]?.quota
            output.objectOrNull("quota", quota != nil) { output in
                output.member("usedPercent", quota?.usedPercent)
                output.member("resetsAt", quota?.resetsAt)
                output.member("exhausted", state.quotaResets(after: request.now) != nil)
            }
            output.array("failures", failed.prefix(50)) { output, mark in
                state.writeFailure(mark, to: &output)
            }
            output.member("alert", failed.count >= state.policy.alertGenerationFailures)
        }
        return true
    }
}

extension Tafawoq.State {
    /// Writes a failure with what was asked for, how often, and how long it took.
    fileprivate func writeFailure(
        _ mark: Tafawoq.GenerationMark, to output: inout JSONOutput
    ) {
        output.object { output in
            output.member("at", mark.at)
            output.member("of", mark.of)
            output.member("id", mark.id)
            output.member("reason", mark.reason)
            output.member("attempts", mark.attempts)
            output.member("waitedSeconds", mark.waitedSeconds)
            let row = mark.of == .practice ? sittings[.init(.practice, mark.id)] : nil
            output.member("section", row?.scope)
            output.member("categories", row?.chosen)
            output.member("difficulty", row?.difficulty)
        }
    }

    /// What is still generating, of students who exist, by position of the request.
    fileprivate var waiting: [(key: Tafawoq.SittingKey, row: Tafawoq.SittingRow)] {
        (totals[.only]?.generating ?? []).compactMap { entry in
            let key = Tafawoq.SittingKey(entry.of, entry.id)
            guard let row = sittings[key], exists(row.student) else { return nil }
            return (key, row)
        }
    }
}
