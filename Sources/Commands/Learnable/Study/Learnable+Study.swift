import Commands
package import Core
import Folding
package import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Records a span of study time (R35).
    struct RecordStudy: Command {
        static let type = "learnable.study.record"
        func senders(in state: State) -> Senders { .student }
        var student = StudentID.none
        var activity = Study.Activity.lecture
        var subject: SubjectID?
        var from = Instant.epoch
        var to = Instant.epoch

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(student)
            let owner = try subject.map { (subject) throws(Rejection) in
                try context.find(subject).student
            }
            try context.checkOwner(student, of: student)
            if let owner, let subject { try context.checkOwner(owner, of: subject) }
            let longest = context.state.policy.maxSpanMinutes.milliseconds
            guard from.milliseconds % 1000 == 0, to.milliseconds % 1000 == 0, from < to,
                to.milliseconds(since: from) <= longest
            else { throw .spanInvalid }
            // Nobody studied before they joined: a streak cannot be made up afterwards.
            let began = context.state.epochs.read(row.epoch) { $0.beganAt } ?? context.at
            if from < began { throw .spanInvalid }
            if to > context.at { throw .spanAhead }
            if context.state.studies.read(row.epoch, { $0.overlaps(from, to) }) == true {
                throw .studyOverlap
            }
            context.record(
                Study.Recorded(
                    student: student,
                    activity: activity,
                    subject: subject,
                    from: from,
                    to: to,
                    seconds: Int(to.milliseconds(since: from) / 1000),
                    days: row.zone.rules(context.names).shares(of: from, to)), on: student)
        }
    }
}

extension TimeZoneRules {
    /// Divides a span at the beginnings of the local days (R2, R35).
    package func shares(of from: Instant, _ to: Instant) -> [Learnable.Study.DayShare] {
        var shares: [Learnable.Study.DayShare] = []
        var start = from
        var day = localDate(at: from)
        while start < to {
            var next = day.adding(days: 1)
            // Clocks that go back over midnight show the former date once more: the day has begun.
            while localInstant(of: next) <= start {
                day = next
                next = next.adding(days: 1)
            }
            let end = min(to, localInstant(of: next))
            shares.append(
                .with {
                    $0.day = day
                    $0.seconds = Int(end.milliseconds(since: start) / 1000)
                })
            start = end
            day = localDate(at: end)
        }
        return shares
    }
}
