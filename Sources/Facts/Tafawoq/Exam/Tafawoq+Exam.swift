package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The result of a completed exam.
    package struct ExamScore: Record {
        package var finishedAt = Instant.epoch
        package var late = false
        package var verbal = Percent.zero
        package var quantitative = Percent.zero
        package var overall = Percent.zero
        package var band = ""
        package var colour = ""
        package var tally = Outcome.Tally.empty

        package init() {}
    }
}

extension Tafawoq.State {
    static func examRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Exam.Started.self) { $0.started($1, $2) }
        routes.on(Tafawoq.Exam.Delivered.self) { state, event, metadata in
            state.delivered(
                .exam(event.exam), event.questions, event.passages, event.waitedSeconds,
                deadline: event.deadline, metadata)
        }
        routes.on(Tafawoq.Exam.Answered.self) { state, event, metadata in
            state.answered(.exam(event.exam), event.answers, metadata)
        }
        routes.on(Tafawoq.Exam.Suspended.self) { state, event, metadata in
            let key = Tafawoq.SittingKey.exam(event.exam)
            guard state.sittings.contains(key) else { return }
            var suspension = Tafawoq.Suspension()
            suspension.from = metadata.at
            suspension.remainingSeconds = event.remainingSeconds
            suspension.resumeUntil = event.resumeUntil
            state.change(key, metadata) { $0.progress = .suspended(suspension) }
            state.setTimer(Tafawoq.TimerName.resumeWindow, event.resumeUntil, metadata)
        }
        routes.on(Tafawoq.Exam.Resumed.self) { state, event, metadata in
            let key = Tafawoq.SittingKey.exam(event.exam)
            guard state.sittings.contains(key) else { return }
            state.change(key, metadata) { row in
                var pause = Tafawoq.Pause()
                pause.from = row.suspension?.from ?? metadata.at
                pause.to = metadata.at
                row.pauses.append(pause)
                row.progress = .inProgress(deadline: event.deadline)
            }
            state.setTimer(Tafawoq.TimerName.examTimeUp, event.deadline, metadata)
        }
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
        routes.on(Tafawoq.Exam.Completed.self) { $0.completed($1, $2) }
    }

    private func started(_ event: Tafawoq.Exam.Started, _ metadata: EventMetadata) {
        guard let progress = learning[event.student] else { return }
        let key = Tafawoq.SittingKey.exam(event.exam)
        begin(key, of: event.student, event.tier, event.queued, until: event.generateBy, metadata) {
            $0.device = event.device
        }
        exams.append(key.id, to: event.student, at: progress.exams)
        learning.updateExisting(event.student) {
            $0.exams += 1
            $0.openExam = key.id
            $0.lastExam = key.id
            $0.lastExamAt = metadata.at
        }
        if progress.exams == 0 { totals.update(.only) { $0.examStarted += 1 } }
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
            $0.answered = event.tally.answered
            $0.correct = event.tally.correct
            $0.counts = event.counts
            $0.score = .exam(score)
        }
        completedExams.append(key.id, to: event.student, at: before.completedExams)
        learning.updateExisting(event.student) {
            $0.completedExams += 1
            if $0.firstOverall == nil { $0.firstOverall = event.overall }
        }
        let first = before.firstOverall ?? event.overall
        totals.update(.only) {
            if before.completedExams == 0 { $0.examCompleted += 1 }
            guard before.completedExams == 4 else { return }
            $0.withFiveExams += 1
            if event.overall.points(above: first) >= Percent(whole: 10) {
                $0.improvedTenPoints += 1
            }
        }
        noteActivity(event.student, metadata)
    }

    /// The completed exams in order of completion, the first `count` of them.
    package func completedExams(
        of student: Tafawoq.StudentID, first count: Int? = nil
    ) -> [(id: Tafawoq.SittingID, row: Tafawoq.SittingRow, score: Tafawoq.ExamScore)] {
        let all = learning[student]?.completedExams ?? 0
        return completedExams.elements(of: student, count: min(all, count ?? all)).compactMap {
            id in
            guard let row = sittings[.init(.exam, id)], let score = row.examScore else {
                return nil
            }
            return (id, row, score)
        }
    }
}
