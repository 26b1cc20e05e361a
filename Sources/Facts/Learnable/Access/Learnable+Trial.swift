package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// A trial that runs (R7).
    package struct TrialTerm: Record {
        package var endsAt = Instant.epoch

        package init() {}
    }
}

extension Learnable.TrialTerm {
    /// Days of 86 400 s until the end, rounded up (R7).
    package func daysRemaining(at instant: Instant) -> Int {
        let left = endsAt.milliseconds(since: instant)
        return left <= 0 ? 0 : Int((left - 1) / 86_400_000 + 1)
    }
}

extension Learnable.State {
    static func trialRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Trial.Started.self) { $0.trialStarted($1, $2) }
        routes.on(Learnable.Trial.Refused.self) { state, event, _ in
            state.students.updateExisting(event.student) { $0.awaitsTrial = false }
        }
        routes.on(Learnable.Trial.Ended.self) { state, event, metadata in
            state.students.updateExisting(event.student) { $0.trial = nil }
            state.timers.cancel(Learnable.AccessTimer.trialReminder, on: metadata.stream)
            state.timers.cancel(Learnable.AccessTimer.trialEnd, on: metadata.stream)
        }
    }

    /// Each device has one trial (R7).
    private func trialStarted(_ event: Learnable.Trial.Started, _ metadata: EventMetadata) {
        guard students.contains(event.student) else { return }
        if let device = event.device { trialDevices.insert(.init(), at: .init(device.symbol)) }
        students.updateExisting(event.student) { row in
            row.wasTrialStarted = true
            row.awaitsTrial = false
            row.trial = .with { $0.endsAt = event.endsAt }
        }
        var entries = [
            Timers.Entry(
                Learnable.AccessTimer.trialEnd, due: event.endsAt, cause: metadata.position)
        ]
        if let remindAt = event.remindAt {
            entries.append(
                Timers.Entry(
                    Learnable.AccessTimer.trialReminder, due: remindAt, cause: metadata.position))
        }
        timers.set(entries, on: metadata.stream)
    }
}
