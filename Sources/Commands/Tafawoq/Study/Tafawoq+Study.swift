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
            let row = try context.findOwn(student)
            try context.checkIsFree(study, unless: context.state.studies.contains(study))
            if row.track == nil { throw .profileIncomplete }
            if context.policy.reminderMode == .weekly { throw .schedulingOff }
            if context.tier(of: student) == .free, `repeat` != .once || leadSeconds != nil {
                let english = `repeat` != .once ? "study times that repeat" : "a lead of one's own"
                let arabic = `repeat` != .once ? "تكرار مواعيد المذاكرة" : "اختيار مهلة التذكير"
                throw context.refuse(.premiumOnly, .words(english: english, arabic: arabic))
            }
            guard startsAt > context.at else { throw .badSchedule }
            context.record(
                Study.Scheduled(
                    study: study,
                    student: student,
                    startsAt: startsAt,
                    repeat: `repeat`,
                    leadSeconds: leadSeconds ?? context.policy.reminderLeadSeconds), on: study)
        }
    }

    /// Cancels a study time (R44).
    struct CancelStudy: Command {
        static let type = "tafawoq.study.cancel"
        var study = StudyID.none

        func concerned(in state: State) -> StudentID? { state.studies[study]?.student }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(study)
            if row.isCancelled { throw .alreadyCancelled }
            context.record(
                Study.Cancelled(
                    study: study,
                    student: row.student), on: study)
        }
    }
}
