package import Commands
package import Core
import Folding
package import TafawoqEvents
package import TafawoqFacts

extension Tafawoq {
    /// Plans a study time (R44).
    package struct ScheduleStudy: StudentCommand {
        package static let type = "tafawoq.study.schedule"
        package var student = StudentID.none
        var study = StudyID.none
        var startsAt = Instant.epoch
        var `repeat` = Study.Repetition.once
        var leadSeconds: Int?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("study", &study)
            coder.field("startsAt", &startsAt)
            coder.field("repeat", &`repeat`)
            coder.givenInt("leadSeconds", &leadSeconds)
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownStudent(student)
            if scene.state.studies.contains(study) { throw .alreadyExists }
            if row.track == nil { throw .profileIncomplete }
            if scene.policy.reminderMode == .weekly { throw .schedulingOff }
            if scene.tier(of: student) == .free, `repeat` != .once || leadSeconds != nil {
                throw .premiumOnly
            }
            guard startsAt > scene.at else { throw .badSchedule }
            scene.record(
                Study.Scheduled.with {
                    $0.study = study
                    $0.student = student
                    $0.startsAt = startsAt
                    $0.repeat = `repeat`
                    $0.leadSeconds = leadSeconds ?? scene.policy.reminderLeadSeconds
                }, on: scene.state.stream("study", study))
        }
    }

    /// Exports all results.
    package struct ExportReport: StudentCommand {
        package static let type = "tafawoq.report.export"
        package var student = StudentID.none
        var report = ReportID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("report", &report)
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            _ = try scene.ownStudent(student)
            if scene.state.reports.contains(report) { throw .alreadyExists }
            guard scene.tier(of: student) == .premium else { throw .premiumOnly }
            let learned = scene.state.learning[student]
            scene.record(
                Report.Exported.with {
                    $0.report = report
                    $0.student = student
                    $0.exams = learned?.completedExams ?? 0
                    $0.practices = learned?.completedPractices ?? 0
                }, on: scene.state.stream("report", report))
        }
    }

    /// Says what a student thinks.
    package struct GiveFeedback: StudentCommand {
        package static let type = "tafawoq.feedback.give"
        package var student = StudentID.none
        var feedback = FeedbackID.none
        var about = Feedback.About.exam
        var subject: SubjectID?
        var rating: Int?
        var text: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("feedback", &feedback)
            coder.field("about", &about)
            coder.given("subject", &subject)
            coder.givenInt("rating", &rating)
            coder.givenText("text", &text)
        }

        package func problem(_ names: Names) -> String? {
            if rating == nil, text == nil { return "expected a rating or a text" }
            if let rating, !(1...5).contains(rating) {
                return "rating: expected a whole number from 1 to 5"
            }
            return nil
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            _ = try scene.ownStudent(student)
            if scene.state.feedbacks.contains(feedback) { throw .alreadyExists }
            scene.record(
                Feedback.Given.with {
                    $0.feedback = feedback
                    $0.student = student
                    $0.about = about
                    $0.subject = subject
                    $0.rating = rating
                    $0.text = text
                }, on: scene.state.stream("feedback", feedback))
        }
    }

    /// Tells how fast the client was.
    package struct ReportPerformance: StudentCommand {
        package static let type = "tafawoq.performance.report"
        package static let senders: [Actor.Kind] = [.student, .service]
        package var student = StudentID.none
        var of = SittingKind.exam
        var id = SittingID.none
        var metrics = Metrics.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("of", &of)
            coder.field("id", &id)
            coder.field("metrics", &metrics)
        }

        package func problem(_ names: Names) -> String? {
            metrics.entries.isEmpty ? "metrics: expected at least one" : nil
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            _ = try scene.student(student)
            // Another student's is `not-found`.
            guard scene.state.sittings[.init(of, id)]?.student == student else { throw .notFound }
            try scene.checkOwner(student)
            scene.record(
                Performance.Reported.with {
                    $0.student = student
                    $0.of = of
                    $0.id = id
                    $0.metrics = metrics
                }, on: scene.state.stream("performance", student))
        }
    }

    /// Gives a study time up.
    package struct CancelStudy: Command {
        package static let type = "tafawoq.study.cancel"
        var study = StudyID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("study", &study)
        }

        package func concerned(in centre: Centre) -> StudentID? { centre.studies[study]?.student }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            guard let row = scene.state.studies[study], scene.state.exists(row.student) else {
                throw .notFound
            }
            try scene.checkOwner(row.student)
            if row.isCancelled { throw .alreadyCancelled }
            scene.record(
                Study.Cancelled.with {
                    $0.study = study
                    $0.student = row.student
                }, on: scene.state.stream("study", study))
        }
    }
}
