import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Requests a full exam (R23, R24).
    struct StartExam: StudentCommand {
        static let type = "tafawoq.exam.start"
        var student = StudentID.none
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            let state = context.state
            try context.checkIsFree(exam, unless: state.sittings.contains(.exam(exam)))
            switch state.obstacle(toExamOf: student, at: context.at) {
            case .emailUnverified: throw .emailUnverified
            case .profileIncomplete: throw .profileIncomplete
            case .examInProgress: throw .examInProgress
            case .weeklyLimit(let limit): throw .weeklyExamLimit.stating(limit)
            case .rateLimited: throw .rateLimited
            case .unavailable(let until): throw context.unavailable(until: until)
            case nil: break
            }
            let tier = context.tier(of: student)
            // An exam that was left is not resumed any more (R29).
            if let left = state.suspendedExam(of: student) {
                context.abandon(left.key, left.row, .notResumed)
            }
            let week = state.limitWindow(at: context.at)
            let queuedUntil = state.quotaResets(after: context.at)
            context.record(
                Exam.Started(
                    exam: exam,
                    student: student,
                    tier: tier,
                    track: row.track ?? Track.scientific,
                    weekStart: week.start,
                    weekEnd: week.end,
                    limit: state.weeklyLimit(tier),
                    used: state.used(by: student, tier, at: context.at),
                    queued: queuedUntil != nil,
                    generateBy: (queuedUntil ?? context.at)
                        + context.policy.examGenerationSeconds,
                    device: context.givenDevice), on: exam)
        }
    }

    /// Brings the questions of an exam (R25, R26).
    struct DeliverExam: DeliveryCommand, ExamCommand {
        static let type = "tafawoq.exam.deliver"
        var exam = ExamID.none
        var delivery = Delivery()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            delivery.fields(&coder)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            let repeats = try delivery.check(row, in: context) {
                let verbal = delivery.questions.count { $0.section == .verbal }
                let diagrams = delivery.questions.count { $0.image != nil }
                return verbal == context.policy.examVerbalQuestions
                    && diagrams >= context.policy.examDiagrams
                    && delivery.questions.count - verbal == context.policy.examQuantitativeQuestions
                    && Set(delivery.questions.map(\.known)).count == Category.allCases.count
            }
            context.record(
                Exam.Delivered(
                    exam: exam,
                    student: row.student,
                    attempt: delivery.attempt,
                    questions: Packed(delivery.questions.map { $0.content(context.names) }),
                    passages: delivery.texts,
                    deadline: context.at + context.policy.examDurationSeconds,
                    repeated: repeats,
                    waitedSeconds: context.at.wholeSeconds(since: row.startedAt)), on: exam)
        }
    }

    /// Answers questions of an exam, whatever the tier has become (R21, R27).
    struct AnswerExam: ExamCommand {
        static let type = "tafawoq.exam.answer"
        var exam = ExamID.none
        var given = GivenAnswers()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            given.fields(&coder)
        }

        func problem(_ names: Names) -> String? { given.problem }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            guard row.stage == .inProgress else { throw .examNotOpen }
            if let sorted = try given.record(for: sitting, row, in: context) {
                context.flag(sorted.fresh, of: sitting)
            }
        }
    }

    /// Hands in an exam, which scores it (R28).
    struct SubmitExam: ExamCommand {
        static let type = "tafawoq.exam.submit"
        var exam = ExamID.none
        var given = Submission()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            given.fields(&coder)
        }

        func problem(_ names: Names) -> String? {
            0...200 ~= (given.answers?.count ?? 0) ? nil : "answers: expected 0 to 200"
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            let isLate = row.stage == .expired
            guard row.stage == .inProgress || isLate else { throw .examNotOpen }
            if isLate {
                if let until = row.end?.syncUntil, context.at > until { throw .syncClosed }
                if context.state.learning[row.student]?.lastExam != sitting.id {
                    throw .examSuperseded
                }
            }
            let sorted = try given.record(for: sitting, row, in: context)
            let seconds = row.seconds(until: given.finishedAt)
            let completed = complete(row, seconds, isLate: isLate, in: context)
            context.flag(sorted.fresh, of: sitting, submitted: seconds)
            context.recordMilestones(after: completed)
        }

        /// Scores the exam and records its completion (R32 to R35).
        private func complete(
            _ row: SittingRow, _ seconds: Int, isLate: Bool, in context: Tafawoq.Context
        ) -> Exam.Completed {
            let sheet = context.state.sheet(sitting)
            let track: Track = context.state.students[row.student]?.track ?? Track.scientific
            let adviser = Adviser(context.policy, track)
            let overall = sheet.overall
            let band = adviser.band(of: overall)
            let verbal = sheet.score(of: .verbal)
            let quantitative = sheet.score(of: .quantitative)
            var tally = sheet.tally(
                seconds: seconds, mean: overall, listed: context.policy.analyticsListed)
            tally.advice = adviser.advise(
                tally, verbal: verbal, quantitative: quantitative, overall: overall)
            let completed = Exam.Completed(
                exam: exam,
                student: row.student,
                track: track,
                finishedAt: given.finishedAt,
                late: isLate,
                verbal: verbal,
                quantitative: quantitative,
                overall: overall,
                band: band.band,
                colour: band.colour,
                tally: tally,
                counts: true)  // A completed exam always counts (R23).
            context.record(completed, on: exam)
            return completed
        }
    }

    /// Leaves an exam: suspended if it may be resumed, else abandoned (R29).
    struct LeaveExam: ExamAlone {
        static let type = "tafawoq.exam.leave"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            guard row.stage == .generating || row.stage == .inProgress else { throw .examNotOpen }
            let window = context.policy.examResumeSeconds
            guard row.stage == .inProgress, window > 0, let deadline = row.deadline else {
                return context.abandon(sitting, row, .left)
            }
            context.record(
                Exam.Suspended(
                    exam: exam,
                    student: row.student,
                    remainingSeconds: max(0, deadline.wholeSeconds(since: context.at)),
                    resumeUntil: context.at + Int64(window)), on: exam)
        }
    }

    /// Ends an exam at once and for good, also one that was left (R29).
    struct AbandonExam: ExamAlone {
        static let type = "tafawoq.exam.abandon"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            guard [.generating, .inProgress, .suspended].contains(row.stage) else {
                throw .examNotOpen
            }
            context.abandon(sitting, row, .left)
        }
    }

    /// Resumes a suspended exam (R29).
    struct ResumeExam: ExamAlone {
        static let type = "tafawoq.exam.resume"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(sitting)
            guard let suspension = row.suspension else { throw .notSuspended }
            context.record(
                Exam.Resumed(
                    exam: exam,
                    student: row.student,
                    deadline: context.at + Int64(suspension.remainingSeconds)), on: exam)
        }
    }
}
