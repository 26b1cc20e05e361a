package import Commands
package import Core
import Folding
package import TafawoqEvents
package import TafawoqFacts

extension Tafawoq {
    /// What exams and practices are handed in with alike.
    struct Submission: Record {
        var finishedAt = Instant.epoch
        var answers: [GivenAnswer]?
        var offline: Bool?

        init() {}

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("finishedAt", &finishedAt)
            coder.given("answers", &answers)
            coder.given("offline", &offline)
        }

        /// R27, R28: checks the time and the answers, and records what is new of them. A practice has no
        /// deadline.
        func take(
            _ key: SittingKey, _ row: SittingRow, in scene: Scene<Centre>
        ) throws(Rejection) -> SortedAnswers {
            guard let deliveredAt = row.deliveredAt,
                deliveredAt <= finishedAt, finishedAt <= scene.at
            else { throw .badFinishTime }
            if let deadline = row.deadline, finishedAt > deadline { throw .timeExpired }
            let given = (answers ?? []).map(\.answer)
            try scene.check(given, of: key)
            let sorted = scene.sort(given, of: key, deadline: row.deadline)
            if !sorted.isEmpty {
                scene.record(sorted, of: key, row.student, offline: offline ?? false)
            }
            return sorted
        }
    }

    /// Hands an exam in (R28).
    package struct SubmitExam: SittingCommand {
        package static let type = "tafawoq.exam.submit"
        var exam = ExamID.none
        var given = Submission()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            given.fields(&coder)
        }

        package var sitting: SittingKey { .exam(exam) }

        package func problem(_ names: Names) -> String? {
            0...200 ~= (given.answers?.count ?? 0) ? nil : "answers: expected 0 to 200"
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownSitting(sitting)
            let isLate = row.stage == .expired
            guard row.stage == .inProgress || isLate else { throw .examNotOpen }
            if isLate {
                if let until = row.syncUntil, scene.at > until { throw .syncClosed }
                if scene.state.learning[row.student]?.lastExam != sitting.id {
                    throw .examSuperseded
                }
            }
            let sorted = try given.take(sitting, row, in: scene)
            let seconds = row.seconds(until: given.finishedAt)
            let done = complete(row, seconds, isLate: isLate, in: scene)
            scene.flag(sorted.fresh, of: sitting, submitted: seconds)
            scene.reward(done)
        }

        /// R32 to R35
        private func complete(
            _ row: SittingRow, _ seconds: Int, isLate: Bool, in scene: Scene<Centre>
        ) -> Exam.Completed {
            let sheet = scene.state.sheet(sitting)
            let track: Track = scene.state.students[row.student]?.track ?? Track.scientific
            let adviser = Adviser(scene.policy, track)
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
                    seconds: seconds, mean: overall, listed: scene.policy.analyticsListed)
                $0.tally.advice = adviser.advise(
                    $0.tally, verbal: $0.verbal, quantitative: $0.quantitative, overall: overall)
                $0.counts = true  // R23
            }
            scene.record(completed, sitting: sitting)
            return completed
        }
    }

    /// Hands a practice in.
    package struct SubmitPractice: SittingCommand {
        package static let type = "tafawoq.practice.submit"
        var practice = PracticeID.none
        var given = Submission()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
            given.fields(&coder)
        }

        package var sitting: SittingKey { .practice(practice) }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownSitting(sitting)
            guard row.stage == .inProgress else { throw .practiceNotOpen }
            _ = try given.take(sitting, row, in: scene)
            let sheet = scene.state.sheet(sitting)
            let track: Track = scene.state.students[row.student]?.track ?? Track.scientific
            let adviser = Adviser(scene.policy, track)
            let score = Percent(sheet.correct, of: sheet.scored.count)  // R32
            let seconds = row.seconds(until: given.finishedAt)
            let before = scene.state.learning[row.student]?.practiceSeconds ?? 0
            let total = before.addingClamping(seconds)
            scene.record(
                Practice.Completed.with {
                    $0.practice = practice
                    $0.student = row.student
                    $0.track = track
                    $0.section = row.scope
                    $0.difficulty = row.difficulty
                    $0.finishedAt = given.finishedAt
                    $0.score = score
                    $0.tally = sheet.tally(
                        seconds: seconds, mean: score, listed: scene.policy.analyticsListed)
                    $0.tally.advice =
                        adviser.advise($0.tally, score: score, at: row.difficulty)
                        + adviser.related(to: row.chosen)
                    $0.totalSeconds = total  // R40
                }, sitting: sitting)
            // R41
            for hours in scene.policy.milestonesPracticeHours
            where total >= hours.multipliedClamping(3600) {
                let value = Percent(hundredths: Int64(total).multipliedClamping(100))
                scene.reach("practice-hours-\(hours)", value, row.student)
            }
        }
    }

    /// A command that names nothing but an exam.
    package protocol ExamAlone: SittingCommand {
        var exam: ExamID { get set }
    }

    /// Leaves an exam (R29).
    package struct LeaveExam: ExamAlone {
        package static let type = "tafawoq.exam.leave"
        package var exam = ExamID.none

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownSitting(sitting)
            guard row.stage == .generating || row.stage == .inProgress else { throw .examNotOpen }
            let window = scene.policy.examResumeSeconds
            guard row.stage == .inProgress, window > 0, let deadline = row.deadline else {
                return scene.abandon(sitting, row, .left)
            }
            scene.record(
                Exam.Suspended.with {
                    $0.exam = exam
                    $0.student = row.student
                    $0.remainingSeconds = max(0, deadline.wholeSeconds(since: scene.at))
                    $0.resumeUntil = scene.at + Int64(window)
                }, sitting: sitting)
        }
    }

    /// Takes a suspended exam up again (R29).
    package struct ResumeExam: ExamAlone {
        package static let type = "tafawoq.exam.resume"
        package var exam = ExamID.none

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownSitting(sitting)
            guard row.stage == .suspended else { throw .notSuspended }
            scene.record(
                Exam.Resumed.with {
                    $0.exam = exam
                    $0.student = row.student
                    $0.deadline = scene.at + Int64(row.remainingSeconds)
                }, sitting: sitting)
        }
    }

    package struct LeavePractice: SittingCommand {
        package static let type = "tafawoq.practice.leave"
        var practice = PracticeID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
        }

        package var sitting: SittingKey { .practice(practice) }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownSitting(sitting)
            guard row.stage == .generating || row.stage == .inProgress else {
                throw .practiceNotOpen
            }
            let sheet = scene.state.sheet(sitting)
            scene.record(
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
    package var sitting: Tafawoq.SittingKey { .exam(exam) }

    package mutating func fields<C: Coder>(_ coder: inout C) { coder.field("exam", &exam) }
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

extension Scene<Tafawoq.Centre> {
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
