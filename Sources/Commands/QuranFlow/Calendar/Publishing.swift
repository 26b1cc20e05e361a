import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    struct PublishOrientation: Command {
        static let type = "quranflow.orientation.publish"
        var video = VideoID.none
        var title = ""
        var seconds = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("video", &video)
            coder.filled("title", &title)
            coder.field("seconds", &seconds)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("seconds", seconds, 1...Int.max))
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try context.state.checkVideos([video])
            context.record(
                Orientation.Published.with {
                    $0.title = title
                    $0.seconds = seconds
                }, "orientation", video)
        }
    }

    struct PublishResource: Command {
        static let type = "quranflow.resource.publish"
        var resource = ResourceID.none
        var title = ""
        var category = Resource.Category.essential
        var source = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("resource", &resource)
            coder.filled("title", &title)
            coder.field("category", &category)
            coder.filled("source", &source)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            if context.state.resources.contains(resource) { throw .alreadyExists }
            context.record(
                Resource.Published.with {
                    $0.title = title
                    $0.category = category
                    $0.source = source
                }, "resource", resource)
        }
    }

    struct WithdrawResource: Command {
        static let type = "quranflow.resource.withdraw"
        var resource = ResourceID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("resource", &resource)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            guard context.state.resources[resource]?.isWithdrawn == false else { throw .notFound }
            context.record(Resource.Withdrawn(), "resource", resource)
        }
    }

    /// Tells registered students something; those given must match.
    struct PostAnnouncement: Command {
        static let type = "quranflow.announcement.post"
        var announcement = AnnouncementID.none
        var title = ""
        var text = ""
        var level: Int?
        var semester: SemesterID?
        var gender: Gender?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("announcement", &announcement)
            coder.filled("title", &title)
            coder.filled("text", &text)
            coder.optional("level", &level)
            coder.optional("semester", &semester)
            coder.optional("gender", &gender)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("level", level, Policy.levels))
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            if let semester { _ = try state.semester(semester) }
            if state.announcements.contains(announcement) { throw .alreadyExists }
            let recipients = context.sorted(context.allStudents.filter { isMeant($0, in: state) })
            context.record(
                Announcement.Posted.with {
                    $0.title = title
                    $0.text = text
                    $0.level = level
                    $0.semester = semester
                    $0.gender = gender
                    $0.recipients = recipients.count
                }, "announcement", announcement)
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
