import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension DecisionContext<Tafawoq> {
    /// Flags suspicious patterns in their order, each at most once an exam; the last two only on
    /// submission, with the seconds of the exam (R31).
    func flag(
        _ fresh: [Tafawoq.Question.Answer], of key: Tafawoq.SittingKey,
        submitted seconds: Int? = nil
    ) {
        guard let row = state.sittings[key] else { return }
        let tolerance = policy.flagsToleranceSeconds
        let latest = at + Int64(tolerance)
        let impossible = fresh.count { answer in
            row.deliveredAt.map { answer.answeredAt < $0 } ?? false || answer.answeredAt > latest
        }
        if impossible > 0 { flag(.impossibleTime, impossible, of: key, row) }
        if let device = row.device, let own = givenDevice, device != own {
            flag(.deviceChange, 1, of: key, row)
        }
        guard let seconds else { return }
        let sheet = state.sheet(key)
        let fast = sheet.scored.count { $0.choice != nil && $0.seconds < policy.flagsFastSeconds }
        if fast >= policy.flagsFastAnswers { flag(.rushed, fast, of: key, row) }
        let excess = sheet.seconds - seconds
        if excess > tolerance { flag(.timeMismatch, excess, of: key, row) }
    }

    /// Flags one pattern, unless the exam has that flag.
    private func flag(
        _ pattern: Tafawoq.Exam.FlagPattern, _ value: Int, of key: Tafawoq.SittingKey,
        _ row: Tafawoq.SittingRow
    ) {
        guard !row.flags.contains(pattern) else { return }
        record(
            Tafawoq.Exam.Flagged(
                exam: .init(key.id),
                student: row.student,
                pattern: pattern,
                value: value), on: sittingStream(key))
    }
}
