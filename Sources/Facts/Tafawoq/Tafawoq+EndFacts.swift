import Core
import Folding
import TafawoqEvents

extension Tafawoq.Centre {
    /// How exams and practices end.
    static func endRoutes(_ routes: inout Routes<Tafawoq.Centre>) {
        routes.on(Tafawoq.Exam.Abandoned.self) { centre, fact, event in
            centre.end(.exam(fact.exam), .abandoned, event) {
                $0.reason = fact.reason.rawValue
                $0.answered = fact.answered
                $0.correct = fact.correct
                $0.counts = fact.counts
            }
        }
        routes.on(Tafawoq.Exam.Expired.self) { centre, fact, event in
            centre.end(.exam(fact.exam), .expired, event) {
                $0.reason = "time"
                $0.deadline = fact.deadline
                $0.answered = fact.answered
                $0.correct = fact.correct
                $0.counts = fact.counts
                $0.syncUntil = fact.syncUntil
            }
        }
        routes.on(Tafawoq.Practice.Abandoned.self) { centre, fact, event in
            centre.end(.practice(fact.practice), .abandoned, event) {
                $0.reason = "left"
                $0.answered = fact.answered
                $0.correct = fact.correct
            }
        }
        routes.on(Tafawoq.Exam.Completed.self) { $0.completed($1, $2) }
        routes.on(Tafawoq.Practice.Completed.self) { $0.completed($1, $2) }
        routes.on(Tafawoq.Exam.Flagged.self) { centre, fact, event in
            let key = Tafawoq.SittingKey.exam(fact.exam)
            guard centre.sittings.contains(key) else { return }
            centre.change(key, event) { $0.flags.append(fact.pattern) }
            var flag = Tafawoq.FlagRow()
            flag.exam = fact.exam
            flag.student = fact.student
            flag.pattern = fact.pattern
            flag.value = fact.value
            flag.at = event.at
            centre.flags.append(flag, to: .only, at: centre.count(\.flags))
        }
        routes.on(Tafawoq.Report.Exported.self) { centre, fact, event in
            guard centre.students.contains(fact.student) else { return }
            let learned = centre.learning[fact.student]
            let window = centre.policy.trendWindow
            centre.reports.update(fact.report) {
                $0.student = fact.student
                $0.at = event.at
                $0.exams = learned?.completedExams ?? 0
                $0.practices = learned?.completedPractices ?? 0
                $0.practiceSeconds = learned?.practiceSeconds ?? 0
                $0.trendWindow = window
            }
        }
    }

    func end(
        _ key: Tafawoq.SittingKey, _ stage: Tafawoq.Stage, _ event: Circumstances,
        _ body: (inout Tafawoq.SittingRow) -> Void
    ) {
        guard let row = sittings[key] else { return }
        change(key, event) {
            $0.stage = stage
            $0.endedAt = event.at
            $0.endPosition = event.position
            $0.suspendedAt = nil
            $0.resumeUntil = nil
            body(&$0)
        }
        learning.updateExisting(row.student) {
            if key.kind == .exam, $0.openExam == key.id { $0.openExam = nil }
            if key.kind == .practice, $0.openPractice == key.id { $0.openPractice = nil }
        }
        if row.stage == .generating { leaveQueue(key) }
        timers.cancelAll(on: event.stream)
    }

    private func completed(_ fact: Tafawoq.Exam.Completed, _ event: Circumstances) {
        let key = Tafawoq.SittingKey.exam(fact.exam)
        guard sittings.contains(key), let before = learning[fact.student] else { return }
        var score = Tafawoq.ExamScore()
        score.finishedAt = fact.finishedAt
        score.late = fact.late
        score.verbal = fact.verbal
        score.quantitative = fact.quantitative
        score.overall = fact.overall
        score.band = fact.band
        score.colour = fact.colour
        score.tally = fact.tally
        end(key, .completed, event) {
            $0.reason = nil
            $0.answered = fact.tally.answered
            $0.correct = fact.tally.correct
            $0.counts = fact.counts
            $0.exam = score
        }
        completedExams.append(key.id, to: fact.student, at: before.completedExams)
        learning.updateExisting(fact.student) {
            $0.completedExams += 1
            if $0.firstOverall == nil { $0.firstOverall = fact.overall }
        }
        let first = before.firstOverall ?? fact.overall
        roll.update(.only) {
            if before.completedExams == 0 { $0.examCompleted += 1 }
            guard before.completedExams == 4 else { return }
            $0.withFiveExams += 1
            if fact.overall.points(above: first) >= Percent(whole: 10) { $0.improvedTenPoints += 1 }
        }
        wasActive(fact.student, event)
    }

    private func completed(_ fact: Tafawoq.Practice.Completed, _ event: Circumstances) {
        let key = Tafawoq.SittingKey.practice(fact.practice)
        guard sittings.contains(key), let before = learning[fact.student] else { return }
        var score = Tafawoq.PracticeScore()
        score.finishedAt = fact.finishedAt
        score.score = fact.score
        score.tally = fact.tally
        end(key, .completed, event) {
            $0.answered = fact.tally.answered
            $0.correct = fact.tally.correct
            $0.practice = score
        }
        completedPractices.append(key.id, to: fact.student, at: before.completedPractices)
        learning.updateExisting(fact.student) {
            $0.completedPractices += 1
            // Not `totalSeconds`: asked as of an instant, a practice told earlier may not count.
            $0.practiceSeconds = $0.practiceSeconds.addingClamping(fact.tally.seconds)
        }
        compare(key, of: fact.student, fact.score)
        wasActive(fact.student, event)
    }
}
