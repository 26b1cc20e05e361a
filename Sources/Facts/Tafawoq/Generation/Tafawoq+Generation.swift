package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// An exam or practice that waits for its questions.
    package struct QueueEntry: Record {
        package var of = SittingKind.empty
        package var id = SittingID.none

        package init() {}
    }

    /// What `generation-health` counts.
    package enum GenerationMarkKind: String, Choice {
        case requested
        case delivered
        case failed
        case refused
    }

    /// One event that `generation-health` counts.
    package struct GenerationMark: Dated {
        package var at = Instant.epoch
        package var kind = GenerationMarkKind.empty
        package var reason: Generation.Reason?
        package var waitedSeconds = 0
        package var of = SittingKind.empty
        package var id = SittingID.none
        /// How often the generator tried, of a failure.
        package var attempts = 0

        package init() {}
    }
}

extension Tafawoq.State {
    static func generationRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Generation.Refused.self) { state, event, metadata in
            let key = Tafawoq.SittingKey(event.of, event.id)
            guard state.sittings.contains(key) else { return }
            state.change(key, metadata) { $0.refused += 1 }
            state.markGeneration(.refused, key, nil, metadata)
        }
        routes.on(Tafawoq.Generation.Failed.self) { state, event, metadata in
            let key = Tafawoq.SittingKey(event.of, event.id)
            guard state.sittings.contains(key) else { return }
            state.end(key, .failed, metadata) { $0.reason = event.reason.rawValue }
            state.markGeneration(
                .failed, key, event.reason, waitedSeconds: event.waitedSeconds,
                attempts: event.attempts, metadata)
        }
    }

    /// Takes the questions of a delivery and starts the clock, of an exam or a practice (R25, R39).
    func delivered(
        _ key: Tafawoq.SittingKey, _ packed: Packed<[Tafawoq.Question.Content]>,
        _ passages: [Tafawoq.Question.Text]?, _ waitedSeconds: Int, deadline: Instant?,
        _ metadata: EventMetadata
    ) {
        guard let student = sittings.read(key, { $0.student }) else { return }
        change(key, metadata) {
            $0.progress = .inProgress(deadline: deadline)
            $0.deliveredAt = metadata.at
        }
        let questions = packed.value
        papers.update(key) {
            $0.questions = packed
            $0.outline = questions.map { question in
                .with { ($0.question, $0.options) = (question.question, question.options.count) }
            }
            $0.passages = passages ?? []
        }
        for question in questions {
            seen.update(.init(student, question.contentHash)) { $0.at = max($0.at, metadata.at) }
        }
        leaveQueue(key)
        markGeneration(.delivered, key, nil, waitedSeconds: waitedSeconds, metadata)
        timers.cancelAll(on: metadata.stream)
        if let deadline { setTimer(Tafawoq.TimerName.examTimeUp, deadline, metadata) }
    }

    /// Takes an exam or practice out of the queue.
    func leaveQueue(_ key: Tafawoq.SittingKey) {
        totals.update(.only) { totals in
            totals.generating.removeAll { $0.of == key.kind && $0.id == key.id }
        }
    }

    /// Adds an event to what `generation-health` counts.
    func markGeneration(
        _ kind: Tafawoq.GenerationMarkKind, _ key: Tafawoq.SittingKey,
        _ reason: Tafawoq.Generation.Reason?, waitedSeconds: Int = 0, attempts: Int = 0,
        _ metadata: EventMetadata
    ) {
        var mark = Tafawoq.GenerationMark()
        mark.at = metadata.at
        mark.kind = kind
        mark.reason = reason
        mark.waitedSeconds = waitedSeconds
        mark.of = key.kind
        mark.id = key.id
        mark.attempts = attempts
        generationMarks.append(mark, at: count(\.generationMarks))
    }

    /// Generation events within the window (R46).
    package func marksOfGeneration(in window: Tafawoq.Window) -> [Tafawoq.GenerationMark] {
        generationMarks.entries(in: window, count: totals[.only]?.generationMarks ?? 0)
    }
}
