package import Events
package import Facts

extension Tafawoq {
    /// Hands an exam in (R28).
    package struct SubmitExam: Command {
        package static let type = "tafawoq.exam.submit"
        package static let senders: [Actor.Kind] = [.student]
        var exam = ExamID.none
        var finishedAt = Instant.epoch
        var answers: [GivenAnswer]?
        var offline: Bool?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("finishedAt", &finishedAt)
            coder.given("answers", &answers)
            coder.given("offline", &offline)
        }

        package func problem(_ names: Names) -> String? {
            0...200 ~= (answers?.count ?? 0) ? nil : "answers: expected 0 to 200"
        }

        package func concerned(in centre: Centre) -> StudentID? {
            centre.sittings[.exam(exam)]?.student
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let key = SittingKey.exam(exam)
            let row = try scene.ownSitting(key)
            let isLate = row.stage == .expired
            guard row.stage == .inProgress || isLate else { throw .examNotOpen }
            if isLate {
                if let until = row.syncUntil, scene.at > until { throw .syncClosed }
                if scene.state.learning[row.student]?.lastExam != key.id { throw .examSuperseded }
            }
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
            let seconds = row.seconds(until: finishedAt)
            let done = complete(row, seconds, isLate: isLate, in: scene)
            scene.flag(sorted.fresh, of: key, submitted: seconds)
            scene.reward(done)
        }

        /// R32 to R35
        private func complete(
            _ row: SittingRow, _ seconds: Int, isLate: Bool, in scene: Scene<Centre>
        ) -> Exam.Completed {
            let sheet = scene.state.sheet(.exam(exam))
            let track: Track = scene.state.students[row.student]?.track ?? Track.scientific
            let adviser = Adviser(scene.policy, track)
            let overall = sheet.overall
            let band = adviser.band(of: overall)
            let completed = Exam.Completed.with {
                $0.exam = exam
                $0.student = row.student
                $0.track = track
                $0.finishedAt = finishedAt
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
            scene.record(completed, sitting: .exam(exam))
            return completed
        }
    }

    /// Hands a practice in.
    package struct SubmitPractice: Command {
        package static let type = "tafawoq.practice.submit"
        package static let senders: [Actor.Kind] = [.student]
        var practice = PracticeID.none
        var finishedAt = Instant.epoch
        var answers: [GivenAnswer]?
        var offline: Bool?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
            coder.field("finishedAt", &finishedAt)
            coder.given("answers", &answers)
            coder.given("offline", &offline)
        }

        package func concerned(in centre: Centre) -> StudentID? {
            centre.sittings[.practice(practice)]?.student
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let key = SittingKey.practice(practice)
            let row = try scene.ownSitting(key)
            guard row.stage == .inProgress else { throw .practiceNotOpen }
            guard let deliveredAt = row.deliveredAt,
                deliveredAt <= finishedAt, finishedAt <= scene.at
            else { throw .badFinishTime }
            let given = (answers ?? []).map(\.answer)
            try scene.check(given, of: key)
            let sorted = scene.sort(given, of: key, deadline: nil)
            if !sorted.isEmpty {
                scene.record(sorted, of: key, row.student, offline: offline ?? false)
            }
            let sheet = scene.state.sheet(key)
            let track: Track = scene.state.students[row.student]?.track ?? Track.scientific
            let adviser = Adviser(scene.policy, track)
            let score = Percent(sheet.correct, of: sheet.scored.count)  // R32
            let seconds = row.seconds(until: finishedAt)
            let before = scene.state.learning[row.student]?.practiceSeconds ?? 0
            let total = before.addingClamping(seconds)
            scene.record(
                Practice.Completed.with {
                    $0.practice = practice
                    $0.student = row.student
                    $0.track = track
                    $0.section = row.scope
                    $0.difficulty = row.difficulty
                    $0.finishedAt = finishedAt
                    $0.score = score
                    $0.tally = sheet.tally(
                        seconds: seconds, mean: score, listed: scene.policy.analyticsListed)
                    $0.tally.advice =
                        adviser.advise($0.tally, score: score, at: row.difficulty)
                        + adviser.related(to: row.chosen)
                    $0.totalSeconds = total  // R40
                }, sitting: key)
            // R41
            for hours in scene.policy.milestonesPracticeHours where total >= hours * 3600 {
                scene.reach("practice-hours-\(hours)", Percent(whole: total), row.student)
            }
        }
    }

    /// Leaves an exam (R29).
    package struct LeaveExam: Command {
        package static let type = "tafawoq.exam.leave"
        package static let senders: [Actor.Kind] = [.student]
        var exam = ExamID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        package func concerned(in centre: Centre) -> StudentID? {
            centre.sittings[.exam(exam)]?.student
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let key = SittingKey.exam(exam)
            let row = try scene.ownSitting(key)
            guard row.stage == .generating || row.stage == .inProgress else { throw .examNotOpen }
            let window = scene.policy.examResumeSeconds
            guard row.stage == .inProgress, window > 0, let deadline = row.deadline else {
                return scene.abandon(key, row, .left)
            }
            scene.record(
                Exam.Suspended.with {
                    $0.exam = exam
                    $0.student = row.student
                    $0.remainingSeconds = max(0, deadline.wholeSeconds(since: scene.at))
                    $0.resumeUntil = scene.at + Int64(window)
                }, sitting: key)
        }
    }

    /// Takes a suspended exam up again (R29).
    package struct ResumeExam: Command {
        package static let type = "tafawoq.exam.resume"
        package static let senders: [Actor.Kind] = [.student]
        var exam = ExamID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }

        package func concerned(in centre: Centre) -> StudentID? {
            centre.sittings[.exam(exam)]?.student
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let key = SittingKey.exam(exam)
            let row = try scene.ownSitting(key)
            guard row.stage == .suspended else { throw .notSuspended }
            scene.record(
                Exam.Resumed.with {
                    $0.exam = exam
                    $0.student = row.student
                    $0.deadline = scene.at + Int64(row.remainingSeconds)
                }, sitting: key)
        }
    }

    package struct LeavePractice: Command {
        package static let type = "tafawoq.practice.leave"
        package static let senders: [Actor.Kind] = [.student]
        var practice = PracticeID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("practice", &practice)
        }

        package func concerned(in centre: Centre) -> StudentID? {
            centre.sittings[.practice(practice)]?.student
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let key = SittingKey.practice(practice)
            let row = try scene.ownSitting(key)
            guard row.stage == .generating || row.stage == .inProgress else {
                throw .practiceNotOpen
            }
            let sheet = scene.state.sheet(key)
            scene.record(
                Practice.Abandoned.with {
                    $0.practice = practice
                    $0.student = row.student
                    $0.answered = sheet.answered
                    $0.correct = sheet.correct
                }, sitting: key)
        }
    }
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
            let difference = exam.overall.hundredths - first.hundredths
            if difference >= Int64(points) * 100 {
                reach("improved-\(points)", Percent(hundredths: difference), student)
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
