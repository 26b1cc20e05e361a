import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Plans a semester with its calendar (R4).
    struct ScheduleSemester: Command {
        static let type = "quranflow.semester.schedule"
        var semester = SemesterID.none
        var name: Filled = ""
        var startsOn = LocalDate.epoch
        var timeZone = ""
        var enrollmentOpensAt: Instant?

        func problem(_ names: Names) -> String? {
            ZoneName.problem(timeZone)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let policy = context.state.policy
            try context.checkIsFree(semester, unless: context.state.semesters.contains(semester))
            if startsOn.weekday != policy.unlockWeekday { throw .wrongWeekday }
            let zone = TimeZones.zone(named: ZoneName.place(timeZone)) ?? .utc
            context.record(
                Semester.Scheduled(
                    name: name,
                    startsOn: startsOn,
                    timeZone: InternedText(context.names.intern(ZoneName.place(timeZone))),
                    weeks: policy.weeksPerSemester,
                    weekStarts: weekStarts(
                        from: startsOn, weeks: policy.weeksPerSemester, in: zone),
                    classesBeginOn: startsOn.adding(days: policy.classesStartAfterDays),
                    enrollmentOpensAt: enrollmentOpensAt), on: semester)
            if enrollmentOpensAt.map({ $0 <= context.at }) ?? true {
                context.announceEnrollment(semester)
            }
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// Notifies the students between levels, in order of id, that they may enrol (R12 gives them a level); timer
    /// `enrollment-open`.
    func announceEnrollment(_ semester: QuranFlow.SemesterID) {
        for student in sorted(allStudents) {
            guard let row = state.students[student], let level = state.openLevel(row) else {
                continue
            }
            notifyOpen(student, semester, level: level)
        }
    }
}
