import Core
import Folding
import TafawoqEvents

extension Tafawoq.State {
    /// How exams and practices end.
    static func endRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Exam.Abandoned.self) { state, event, metadata in
            state.end(.exam(event.exam), .abandoned, metadata) {
                $0.reason = event.reason.rawValue
                $0.answered = event.answered
                $0.correct = event.correct
                $0.counts = event.counts
            }
        }
        routes.on(Tafawoq.Exam.Expired.self) { state, event, metadata in
            state.end(.exam(event.exam), .expired, metadata) {
                $0.reason = "time"
                $0.deadline = event.deadline
                $0.answered = event.answered
                $0.correct = event.correct
                $0.counts = event.counts
                $0.syncUntil = event.syncUntil
            }
        }
        routes.on(Tafawoq.Practice.Abandoned.self) { state, event, metadata in
            state.end(.practice(event.practice), .abandoned, metadata) {
                $0.reason = "left"
                $0.answered = event.answered
                $0.correct = event.correct
            }
        }
        routes.on(Tafawoq.Exam.Completed.self) { $0.completed($1, $2) }
        routes.on(Tafawoq.Practice.Completed.self) { $0.completed($1, $2) }
        routes.on(Tafawoq.Exam.Flagged.self) { state, event, metadata in
            let key = Tafawoq.SittingKey.exam(event.exam)
            guard state.sittings.contains(key) else { return }
            state.change(key, metadata) { $0.flags.append(event.pattern) }
            var flag = Tafawoq.FlagRow()
            flag.exam = event.exam
            flag.student = event.student
            flag.pattern = event.pattern
            flag.value = event.value
            flag.at = metadata.at
            state.flags.append(flag, to: .only, at: state.count(\.flags))
        }
        routes.on(Tafawoq.Report.Exported.self) { state, event, metadata in
            guard state.students.contains(event.student) else { return }
            let learned = state.learning[event.student]
            let window = state.policy.trendWindow
            state.reports.update(event.report) {
                $0.student = event.student
                $0.at = metadata.at
                $0.exams = learned?.completedExams ?? 0
                $0.practices = learned?.completedPractices ?? 0
                $0.practiceSeconds = learned?.practiceSeconds ?? 0
                $0.trendWindow = window
            }
        }
    }

    func end(
        _ key: Tafawoq.SittingKey, _ stage: Tafawoq.Stage, _ metadata: EventMetadata,
        _ body: (inout Tafawoq.SittingRow) -> Void
    ) {
        guard let row = sittings[key] else { return }
        change(key, metadata) {
            $0.stage = stage
            $0.endedAt = metadata.at
            $0.endPosition = metadata.position
            $0.suspendedAt = nil
            $0.resumeUntil = nil
            body(&$0)
        }
        learning.updateExisting(row.student) {
            if key.kind == .exam, $0.openExam == key.id { $0.openExam = nil }
            if key.kind == .practice, $0.openPractice == key.id { $0.openPractice = nil }
        }
        if row.stage == .generating { leaveQueue(key) }
        timers.cancelAll(on: metadata.stream)
    }

    private func completed(_ event: Tafawoq.Exam.Completed, _ metadata: EventMetadata) {
        let key = Tafawoq.SittingKey.exam(event.exam)
        guard sittings.contains(key), let before = learning[event.student] else { return }
        var score = Tafawoq.ExamScore()
        score.finishedAt = event.finishedAt
        score.late = event.late
        score.verbal = event.verbal
        score.quantitative = event.quantitative
        score.overall = event.overall
        score.band = event.band
        score.colour = event.colour
        score.tally = event.tally
        end(key, .completed, metadata) {
            $0.reason = nil
            $0.answered = event.tally.answered
            $0.correct = event.tally.correct
            $0.counts = event.counts
            $0.exam = score
        }
        completedExams.append(key.id, to: event.student, at: before.completedExams)
        learning.updateExisting(event.student) {
            $0.completedExams += 1
            if $0.firstOverall == nil { $0.firstOverall = event.overall }
        }
        let first = before.firstOverall ?? event.overall
        roll.update(.only) {
            if before.completedExams == 0 { $0.examCompleted += 1 }
            guard before.completedExams == 4 else { return }
            $0.withFiveExams += 1
            if event.overall.points(above: first) >= Percent(whole: 10) {
                $0.improvedTenPoints += 1
            }
        }
        wasActive(event.student, metadata)
    }

    private func completed(_ event: Tafawoq.Practice.Completed, _ metadata: EventMetadata) {
        let key = Tafawoq.SittingKey.practice(event.practice)
        guard sittings.contains(key), let before = learning[event.student] else { return }
        var score = Tafawoq.PracticeScore()
        score.finishedAt = event.finishedAt
        score.score = event.score
        score.tally = event.tally
        end(key, .completed, metadata) {
            $0.answered = event.tally.answered
            $0.correct = event.tally.correct
            $0.practice = score
        }
        completedPractices.append(key.id, to: event.student, at: before.completedPractices)
        learning.updateExisting(event.student) {
            $0.completedPractices += 1
            // Not `totalSeconds`: asked as of an instant, a practice told earlier may not count.
            $0.practiceSeconds = $0.practiceSeconds.addingClamping(event.tally.seconds)
        }
        compare(key, of: event.student, event.score)
        wasActive(event.student, metadata)
    }
}
