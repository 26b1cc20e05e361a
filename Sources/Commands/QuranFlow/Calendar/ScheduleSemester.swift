package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    /// Plans a semester with its calendar (R4).
    package struct ScheduleSemester: Command {
        package static let type = "quranflow.semester.schedule"
        var semester = SemesterID.none
        var name = ""
        var startsOn = LocalDate.epoch
        var timeZone = ""
        var enrollmentOpensAt: Instant?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("semester", &semester)
            coder.filled("name", &name)
            coder.field("startsOn", &startsOn)
            coder.field("timeZone", &timeZone)
            coder.optional("enrollmentOpensAt", &enrollmentOpensAt)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(zone: timeZone)
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let policy = scene.state.policy
            if scene.state.semesters.contains(semester) { throw .alreadyExists }
            if startsOn.weekday != policy.unlockWeekday { throw .wrongWeekday }
            let zone = TimeZones.zone(named: timeZone) ?? .utc
            scene.record(
                Semester.Scheduled.with {
                    $0.name = name
                    $0.startsOn = startsOn
                    $0.timeZone = Word(scene.names.intern(timeZone))
                    $0.weeks = policy.weeksPerSemester
                    $0.weekStarts = weekStarts(
                        from: startsOn, weeks: policy.weeksPerSemester, in: zone)
                    $0.classesBeginOn = startsOn.adding(days: policy.classesStartAfterDays)
                    $0.enrollmentOpensAt = enrollmentOpensAt
                }, "semester", semester)
            if enrollmentOpensAt.map({ $0 <= scene.at }) ?? true {
                scene.announceEnrollment(semester)
            }
        }
    }
}

extension Scene<QuranFlow.Programme> {
    /// Tells those between levels that they may enrol (R12 gives them a level), by id.
    func announceEnrollment(_ semester: QuranFlow.SemesterID) {
        for student in sorted(allStudents) {
            guard let row = state.students[student], let level = state.openLevel(row) else {
                continue
            }
            notifyOpen(student, semester, level: level)
        }
    }
}
