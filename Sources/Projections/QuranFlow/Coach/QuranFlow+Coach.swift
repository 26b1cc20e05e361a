import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Which recordings and assessments wait for this coach (R11, R19)? By due time, kind and id.
    static let workQueueView = ReadModel<State>(
        "quranflow.work-queue", "What waits for this coach?", key: "coach", arguments: ["page"],
        keys: { $0.coachKeys },
        basis: .on(Grounds.charges, Grounds.lessons)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let coach: CoachID = state.id(request.key), state.coaches.contains(coach),
            state.isPresent(.init(coach))
        else { return false }
        let work = state.work(of: coach)
        output.object { output in
            output.member("awaiting", work.count)
            output.member("coach", coach)
            output.array("items", work[page.range(of: work.count)]) { output, item in
                item.write(state, at: request.now, to: &output)
            }
            output.member("overdue", work.count { $0.dueAt <= request.now })
            page.write(total: work.count, to: &output)
        }
        return true
    }
}

/// A recording or an assessment that a coach has to answer.
private struct Work {
    let kind: String
    let id: String
    let enrollment: QuranFlow.EnrollmentID
    let student: QuranFlow.StudentID
    let level: Int
    let week: Int?
    let attempt: Int
    let submittedAt: Instant
    let dueAt: Instant

    func write(
        _ state: QuranFlow.State, at now: Instant, to output: inout JSONOutput
    ) {
        output.object { output in
            output.member("attempt", attempt)
            output.member("dueAt", dueAt)
            output.member("enrollment", enrollment)
            output.member("id", id)
            output.member("kind", kind)
            output.member("level", level)
            output.member("overdue", dueAt <= now)
            output.member("student", student)
            output.member("studentName", state.people[.init(student)]?.name)
            output.member("submittedAt", submittedAt)
            output.member(
                "topic", week.flatMap { state.topic(level: level, week: $0) })
            output.member("waitedSeconds", max(0, Int(now.milliseconds(since: submittedAt) / 1000)))
            output.member("week", week)
        }
    }
}

extension QuranFlow.State {
    /// The work of the enrolments that are this coach's now (R11); not that of erased students (R2).
    fileprivate func work(of coach: QuranFlow.CoachID) -> [Work] {
        let count = coaches.read(coach) { $0.charges } ?? 0
        var seen: Set<UInt32> = []
        var work: [Work] = []
        for id in charges.elements(of: coach, count: count)
        where seen.insert(id.symbol.number).inserted {
            guard let row = enrollments[id], row.coach == coach, isPresent(.init(row.student))
            else {
                continue
            }
            for recording in row.awaiting {
                guard let content = recordings[recording] else { continue }
                work.append(
                    Work(
                        kind: "recording", id: text(recording), enrollment: id,
                        student: row.student, level: row.level, week: content.week,
                        attempt: content.attempt, submittedAt: content.submittedAt,
                        dueAt: content.feedbackDueAt))
            }
            if row.isActive, row.isEOCAwaited, let attempt = lastAttempt(id, row) {
                work.append(
                    Work(
                        kind: "eoc", id: text(id), enrollment: id, student: row.student,
                        level: row.level, week: nil, attempt: row.attempts,
                        submittedAt: attempt.submittedAt, dueAt: attempt.resultsDueAt))
            }
        }
        return work.sorted { left, right in
            if left.dueAt != right.dueAt { return left.dueAt < right.dueAt }
            if left.kind != right.kind { return left.kind.precedes(right.kind) }
            return left.id.precedes(right.id)
        }
    }
}
