import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Plans a study time (R44).
    struct ScheduleStudy: StudentCommand {
        static let type = "tafawoq.study.schedule"
        var student = StudentID.none
        var study = StudyID.none
        var startsAt = Instant.epoch
        var `repeat` = Study.Repetition.once
        var leadSeconds: Int?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("study", &study)
            coder.field("startsAt", &startsAt)
            coder.field("repeat", &`repeat`)
            coder.givenInt("leadSeconds", &leadSeconds)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownStudent(student)
            if context.state.studies.contains(study) { throw .alreadyExists }
            if row.track == nil { throw .profileIncomplete }
            if context.policy.reminderMode == .weekly { throw .schedulingOff }
            if context.tier(of: student) == .free, `repeat` != .once || leadSeconds != nil {
                throw .premiumOnly
            }
            guard startsAt > context.at else { throw .badSchedule }
            context.record(
                Study.Scheduled.with {
                    $0.study = study
                    $0.student = student
                    $0.startsAt = startsAt
                    $0.repeat = `repeat`
                    $0.leadSeconds = leadSeconds ?? context.policy.reminderLeadSeconds
                }, on: context.state.stream("study", study))
        }
    }

    /// Exports all results.
    struct ExportReport: StudentCommand {
        static let type = "tafawoq.report.export"
        var student = StudentID.none
        var report = ReportID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("report", &report)
        }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.ownStudent(student)
            if context.state.reports.contains(report) { throw .alreadyExists }
            guard context.tier(of: student) == .premium else { throw .premiumOnly }
            let learned = context.state.learning[student]
            context.record(
                Report.Exported.with {
                    $0.report = report
                    $0.student = student
                    $0.exams = learned?.completedExams ?? 0
                    $0.practices = learned?.completedPractices ?? 0
                }, on: context.state.stream("report", report))
        }
    }

    /// Says what a student thinks.
    struct GiveFeedback: StudentCommand {
        static let type = "tafawoq.feedback.give"
        var student = StudentID.none
        var feedback = FeedbackID.none
        var about = Feedback.About.exam
        var subject: SubjectID?
        var rating: Int?
        var text: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("feedback", &feedback)
            coder.field("about", &about)
            coder.given("subject", &subject)
            coder.givenInt("rating", &rating)
            coder.givenText("text", &text)
        }

        func problem(_ names: Names) -> String? {
            if rating == nil, text == nil { return "expected a rating or a text" }
            if let rating, !(1...5).contains(rating) {
                return "rating: expected a whole number from 1 to 5"
            }
            return nil
        }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.ownStudent(student)
            if context.state.feedbacks.contains(feedback) { throw .alreadyExists }
            context.record(
                Feedback.Given.with {
                    $0.feedback = feedback
                    $0.student = student
                    $0.about = about
                    $0.subject = subject
                    $0.rating = rating
                    $0.text = text
                }, on: context.state.stream("feedback", feedback))
        }
    }

    /// Tells how fast the client was.
    struct ReportPerformance: StudentCommand {
        static let type = "tafawoq.performance.report"
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var student = StudentID.none
        var of = SittingKind.exam
        var id = SittingID.none
        var metrics = Metrics.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("of", &of)
            coder.field("id", &id)
            coder.field("metrics", &metrics)
        }

        func problem(_ names: Names) -> String? {
            metrics.entries.isEmpty ? "metrics: expected at least one" : nil
        }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.student(student)
            // Another student's is `not-found`.
            guard context.state.sittings[.init(of, id)]?.student == student else { throw .notFound }
            try context.checkOwner(student)
            context.record(
                Performance.Reported.with {
                    $0.student = student
                    $0.of = of
                    $0.id = id
                    $0.metrics = metrics
                }, on: context.state.stream("performance", student))
        }
    }

    /// Gives a study time up.
    struct CancelStudy: Command {
        static let type = "tafawoq.study.cancel"
        var study = StudyID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("study", &study)
        }

        func concerned(in state: State) -> StudentID? { state.studies[study]?.student }

        func decide(in context: Context) throws(Rejection) {
            guard let row = context.state.studies[study], context.state.exists(row.student) else {
                throw .notFound
            }
            try context.checkOwner(row.student)
            if row.isCancelled { throw .alreadyCancelled }
            context.record(
                Study.Cancelled.with {
                    $0.study = study
                    $0.student = row.student
                }, on: context.state.stream("study", study))
        }
    }
}
