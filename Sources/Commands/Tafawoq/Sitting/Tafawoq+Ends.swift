import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// What exams and practices are handed in with alike.
    struct Submission: Record {
        var finishedAt = Instant.epoch
        var answers: [GivenAnswer]?
        var offline: Bool?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("finishedAt", &finishedAt)
            coder.given("answers", &answers)
            coder.given("offline", &offline)
        }

        /// R27, R28: checks the time and the answers, and records what is new of them. A practice has no
        /// deadline.
        func take(
            _ key: SittingKey, _ row: SittingRow, in context: Tafawoq.Context
        ) throws(Rejection) -> SortedAnswers {
            guard let deliveredAt = row.deliveredAt,
                deliveredAt <= finishedAt, finishedAt <= context.at
            else { throw .badFinishTime }
            if let deadline = row.deadline, finishedAt > deadline { throw .timeExpired }
            let given = (answers ?? []).map(\.answer)
            try context.check(given, of: key)
            let sorted = context.sort(given, of: key, deadline: row.deadline)
            if !sorted.isEmpty {
                context.record(sorted, of: key, row.student, offline: offline ?? false)
            }
            return sorted
        }
    }

    /// Hands an exam in (R28).
    struct SubmitExam: SittingCommand {
        static let type = "tafawoq.exam.submit"
        var exam = ExamID.none
        var given = Submission()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            given.fields(&coder)
        }

        var sitting: SittingKey { .exam(exam) }

        func problem(_ names: Names) -> String? {
            0...200 ~= (given.answers?.count ?? 0) ? nil : "answers: expected 0 to 200"
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            let isLate = row.stage == .expired
            guard row.stage == .inProgress || isLate else { throw .examNotOpen }
            if isLate {
                if let until = row.syncUntil, context.at > until { throw .syncClosed }
                if context.state.learning[row.student]?.lastExam != sitting.id {
                    throw .examSuperseded
                }
            }
            let sorted = try given.take(sitting, row, in: context)
            let seconds = row.seconds(until: given.finishedAt)
            let done = complete(row, seconds, isLate: isLate, in: context)
            context.flag(sorted.fresh, of: sitting, submitted: seconds)
            context.reward(done)
        }

        /// R32 to R35
        private func complete(
            _ row: SittingRow, _ seconds: Int, isLate: Bool, in context: Tafawoq.Context
        ) -> Exam.Completed {
            let sheet = context.state.sheet(sitting)
            let track: Track = context.state.students[row.student]?.track ?? Track.scientific
            let adviser = Adviser(context.policy, track)
            let overall = sheet.overall
            let band = adviser.band(of: overall)
            let completed = Exam.Completed.with {
                $0.exam = exam
                $0.student = row.student
                $0.track = track
                $0.finishedAt = given.finishedAt
                $0.late = isLate
                $0.verbal = sheet.score(of: .verbal)
                $0.quantitative = sheet.score(of: .quantitative)
                $0.overall = overall
                $0.band = band.band
                $0.colour = band.colour
                $0.tally = sheet.tally(
                    seconds: seconds, mean: overall, listed: context.policy.analyticsListed)
                $0.tally.advice = adviser.advise(
                    $0.tally, verbal: $0.verbal, quantitative: $0.quantitative, overall: overall)
                $0.counts = true  // R23
            }
            context.record(completed, sitting: sitting)
            return completed
        }
    }

    /// Hands a practice in.
    struct SubmitPractice: SittingCommand {
        static let type = "tafawoq.practice.submit"
        var practice = PracticeID.none
        var given = Submission()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
            given.fields(&coder)
        }

        var sitting: SittingKey { .practice(practice) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            guard row.stage == .inProgress else { throw .practiceNotOpen }
            _ = try given.take(sitting, row, in: context)
            let sheet = context.state.sheet(sitting)
            let track: Track = context.state.students[row.student]?.track ?? Track.scientific
            let adviser = Adviser(context.policy, track)
            let score = Percent(sheet.correct, of: sheet.scored.count)  // R32
            let seconds = row.seconds(until: given.finishedAt)
            let before = context.state.learning[row.student]?.practiceSeconds ?? 0
            let total = before.addingClamping(seconds)
            context.record(
                Practice.Completed.with {
                    $0.practice = practice
                    $0.student = row.student
                    $0.track = track
                    $0.section = row.scope
                    $0.difficulty = row.difficulty
                    $0.finishedAt = given.finishedAt
                    $0.score = score
                    $0.tally = sheet.tally(
                        seconds: seconds, mean: score, listed: context.policy.analyticsListed)
                    $0.tally.advice =
                        adviser.advise($0.tally, score: score, at: row.difficulty)
                        + adviser.related(to: row.chosen)
                    $0.totalSeconds = total  // R40
                }, sitting: sitting)
            // R41
            for hours in context.policy.milestonesPracticeHours
            where total >= hours.multipliedClamping(3600) {
                let value = Percent(hundredths: Int64(total).multipliedClamping(100))
                context.reach("practice-hours-\(hours)", value, row.student)
            }
        }
    }

    /// A command that names nothing but an exam.
    protocol ExamAlone: SittingCommand {
        var exam: ExamID { get set }
    }

    /// Leaves an exam (R29).
    struct LeaveExam: ExamAlone {
        static let type = "tafawoq.exam.leave"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            guard row.stage == .generating || row.stage == .inProgress else { throw .examNotOpen }
            let window = context.policy.examResumeSeconds
            guard row.stage == .inProgress, window > 0, let deadline = row.deadline else {
                return context.abandon(sitting, row, .left)
            }
            context.record(
                Exam.Suspended.with {
                    $0.exam = exam
                    $0.student = row.student
                    $0.remainingSeconds = max(0, deadline.wholeSeconds(since: context.at))
                    $0.resumeUntil = context.at + Int64(window)
                }, sitting: sitting)
        }
    }

    /// Takes a suspended exam up again (R29).
    struct ResumeExam: ExamAlone {
        static let type = "tafawoq.exam.resume"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            guard row.stage == .suspended else { throw .notSuspended }
            context.record(
                Exam.Resumed.with {
                    $0.exam = exam
                    $0.student = row.student
                    $0.deadline = context.at + Int64(row.remainingSeconds)
                }, sitting: sitting)
        }
    }

    struct LeavePractice: SittingCommand {
        static let type = "tafawoq.practice.leave"
        var practice = PracticeID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
        }

        var sitting: SittingKey { .practice(practice) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownSitting(sitting)
            guard row.stage == .generating || row.stage == .inProgress else {
                throw .practiceNotOpen
            }
            let sheet = context.state.sheet(sitting)
            context.record(
                Practice.Abandoned.with {
                    $0.practice = practice
                    $0.student = row.student
                    $0.answered = sheet.answered
                    $0.correct = sheet.correct
                }, sitting: sitting)
        }
    }
}

extension Tafawoq.ExamAlone {
    var sitting: Tafawoq.SittingKey { .exam(exam) }

    mutating func fields<C: Coder>(_ coder: inout C) { coder.field("exam", &exam) }
}

extension Tafawoq.SittingRow {
    /// R28: whole seconds from the delivery, without the time suspended in between.
    fileprivate func seconds(until finishedAt: Instant) -> Int {
        guard let deliveredAt else { return 0 }
        var milliseconds = finishedAt.milliseconds(since: deliveredAt)
        for pause in pauses where pause.from < finishedAt {
            milliseconds -= min(pause.to, finishedAt).milliseconds(since: pause.from)
        }
        return Int(max(0, milliseconds) / 1000)
    }
}

extension DecisionContext<Tafawoq> {
    /// R41, in its order, after an exam.
    fileprivate func reward(_ exam: Tafawoq.Exam.Completed) {
        let student = exam.student
        let learned = state.learning[student]
        let count = learned?.completedExams ?? 0
        for border in policy.milestonesExams where count >= border {
            reach("exams-\(border)", Percent(whole: count), student)
        }
        if policy.milestonesPerfectCategory {
            for score in exam.tally.categories where score.score == .hundred {
                reach("perfect-\(score.category.rawValue)", .hundred, student)
            }
        }
        if let points = policy.milestonesImprovement, count > 1, let first = learned?.firstOverall {
            let difference = exam.overall.points(above: first)
            if difference >= Percent(whole: points) {
                reach("improved-\(points)", difference, student)
            }
        }
    }

    /// R41: each once a student, followed by its notification.
    fileprivate func reach(_ milestone: String, _ value: Percent, _ student: Tafawoq.StudentID) {
        guard state.students.read(student, { !$0.milestones.contains(milestone) }) ?? false else {
            return
        }
        record(
            Tafawoq.Milestone.Reached.with {
                $0.student = student
                $0.milestone = milestone
                $0.value = value
            }, on: state.stream("milestone", student))
        notify(student, .milestone, [("milestone", .string(milestone))])
    }
}
