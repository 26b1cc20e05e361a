import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

/// Points, badges and milestones (R25-R29).
extension DecisionContext<ExamRoom> {
    /// Awards points, then badges, then milestones for a completed attempt, once (R26). What was imported or set
    /// aside earns nothing (R25).
    func award(_ id: ExamRoom.AttemptID) {
        guard let row = state.attempts[id], case .closed = row.course, let score = row.score,
            row.counts
        else { return }
        let points = points(score, of: row.maxScore)
        record(
            ExamRoom.Award.PointsAwarded(
                student: row.student, attempt: id, exam: row.exam,
                percent: Percent(score, of: row.maxScore), points: points,
                total: (state.students[row.student]?.points ?? 0) + points),
            on: awardsStream(of: row.student))
        awardBadges(id, row)
        awardSpeedDemon(id, row)
        unlockMilestones(row.student)
    }

    /// Awards every attempt that has no points yet, in order of (closedAt, id): results were published under
    /// `awardsWhen:"results"` (R26). A merge leaves out what it will score anew at its end.
    func awardAll(at exam: ExamRoom.ExamID, except waiting: Set<ExamRoom.AttemptID> = []) {
        let due = state.attemptsAt(exam).filter { !waiting.contains($0) }.compactMap {
            id -> (id: ExamRoom.AttemptID, at: Instant)? in
            guard let row = state.attempts[id], row.counts, case .closed(let outcome) = row.course
            else { return nil }
            return (id, outcome.closing.closedAt)
        }
        let inOrder = due.sorted {
            $0.at == $1.at ? names.text($0.id).precedes(names.text($1.id)) : $0.at < $1.at
        }
        for attempt in inOrder { award(attempt.id) }
    }

    /// Adjusts the points after another score, to none for what is set aside, then checks badges and
    /// milestones again (R27).
    func adjustAwards(for id: ExamRoom.AttemptID) {
        guard let row = state.attempts[id], let score = row.score, let old = row.points else {
            return
        }
        let new = row.counts ? points(score, of: row.maxScore) : 0
        if new != old {
            record(
                ExamRoom.Award.PointsAdjusted(
                    student: row.student, attempt: id, exam: row.exam, oldPoints: old,
                    newPoints: new, total: (state.students[row.student]?.points ?? 0) + new - old),
                on: awardsStream(of: row.student))
        }
        guard row.counts else { return }
        awardBadges(id, row)
        unlockMilestones(row.student)
    }

    /// The points that a score is worth, rounded as the policy says (R25).
    private func points(_ score: Int, of maxScore: Int) -> Int {
        let policy = state.policy
        let exact = score.multipliedClamping(100).multipliedClamping(policy.pointsPerPercent)
        switch policy.pointsRounding {
        case .down: return maxScore == 0 ? 0 : exact / maxScore
        case .nearest: return Int(Rounding.halfAway(Int64(exact), by: Int64(maxScore)))
        }
    }

    /// Awards the badges besides Speed Demon, each once (R28).
    private func awardBadges(_ id: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow) {
        earn("first-steps", "First Steps", id, row.student, [("completed", .integer(1))])
        if row.score == row.maxScore {
            earn("perfect-score", "Perfect Score", id, row.student, [("percent", .integer(100))])
        }
        guard let run = ExamRoom.Streak.longest(in: state.students[row.student]?.days ?? []) else {
            return
        }
        for days in state.policy.streakBadges where run.length >= days {
            earn(
                "streak-\(days)", "\(days)-Day Streak", id, row.student,
                [
                    ("days", .integer(Int64(run.length))), ("from", .string("\(run.from)")),
                    ("to", .string("\(run.to)")),
                ])
        }
    }

    /// Awards Speed Demon for being faster than the average of those who completed the exam before. Checked
    /// only when points are awarded (R28).
    private func awardSpeedDemon(_ id: ExamRoom.AttemptID, _ row: ExamRoom.AttemptRow) {
        guard let own = row.closing else { return }
        let prior = prior(to: own, of: row)
        guard prior.count >= state.policy.speedDemonMinPrior,
            own.secondsTaken.multipliedClamping(prior.count) < prior.seconds
        else { return }
        earn(
            "speed-demon", "Speed Demon", id, row.student,
            [
                ("seconds", .integer(Int64(own.secondsTaken))),
                ("prior", .integer(Int64(prior.count))),
                ("priorSeconds", .integer(Int64(prior.seconds))),
            ])
    }

    /// Number and seconds of the exam's completed counting attempts that were closed at an earlier
    /// position.
    private func prior(
        to own: ExamRoom.Closing, of row: ExamRoom.AttemptRow
    ) -> (count: Int, seconds: Int) {
        guard let exam = state.exams[row.exam] else { return (0, 0) }
        if own.position == exam.lastClosing {
            // The attempt that was closed last: all others came before it.
            return (exam.completed - 1, exam.completedSeconds - own.secondsTaken)
        }
        let earlier = state.attemptsAt(row.exam).compactMap { id -> Int? in
            guard let other = state.attempts[id], other.counts, let closing = other.closing,
                closing.position < own.position
            else { return nil }
            return closing.secondsTaken
        }
        return (earlier.count, earlier.reduce(0) { $0.addingClamping($1) })
    }

    private func earn(
        _ badge: String, _ name: String, _ attempt: ExamRoom.AttemptID,
        _ student: ExamRoom.StudentID, _ basis: [(String, JSON)]
    ) {
        guard let row = state.students[student], !row.hasBadge(badge) else { return }
        record(
            ExamRoom.Award.BadgeEarned(
                student: student, badge: badge, name: name, attempt: attempt,
                basis: .object(of: basis)),
            on: awardsStream(of: student))
        notify(
            .init(student), .badgeEarned, [("badge", .string(badge)), ("name", .string(name))],
            link: "examroom://achievements")
    }

    /// Unlocks each milestone that the total has reached (R29).
    private func unlockMilestones(_ student: ExamRoom.StudentID) {
        for milestone in state.policy.milestones {
            guard let row = state.students[student], row.points >= milestone,
                !row.unlocked.contains(milestone)
            else { continue }
            record(
                ExamRoom.Award.MilestoneUnlocked(
                    student: student, milestone: milestone, total: row.points),
                on: awardsStream(of: student))
            notify(
                .init(student), .milestoneUnlocked, [("milestone", .integer(Int64(milestone)))],
                link: "examroom://achievements")
        }
    }

    private func awardsStream(of student: ExamRoom.StudentID) -> String {
        "examroom/awards/\(names.text(student))"
    }
}
