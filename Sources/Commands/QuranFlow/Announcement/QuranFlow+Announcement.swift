import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Posts news for registered students: all, or those of a level, a semester or a gender.
    struct PostAnnouncement: Command {
        static let type = "quranflow.announcement.post"
        var announcement = AnnouncementID.none
        var title: Filled = ""
        var text: Filled = ""
        var level: Int?
        var semester: SemesterID?
        var gender: Gender?

        func problem(_ names: Names) -> String? {
            rangeProblem(("level", level, Policy.levels))
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            if let semester { try context.find(semester) }
            try context.checkIsFree(
                announcement, unless: state.announcements.contains(announcement))
            let recipients = context.sorted(context.allStudents.filter { isMeant($0, in: state) })
            context.record(
                Announcement.Posted(
                    title: title,
                    text: text,
                    level: level,
                    semester: semester,
                    gender: gender,
                    recipients: recipients.count), on: announcement)
            for student in recipients { context.notify(of: announcement, student) }
        }

        /// The current enrolment counts in any state; in Advanced there is none.
        private func isMeant(_ student: StudentID, in state: State) -> Bool {
            guard let person = state.present(.init(student)) else { return false }
            if let gender, gender != person.gender { return false }
            if level == nil, semester == nil { return true }
            guard let row = state.students[student], !row.isAdvanced, let id = row.current,
                let enrollment = state.enrollments[id]
            else { return false }
            return (level ?? enrollment.level) == enrollment.level
                && (semester ?? enrollment.semester) == enrollment.semester
        }
    }
}
