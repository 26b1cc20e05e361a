package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    package struct PublishOrientation: Command {
        package static let type = "quranflow.orientation.publish"
        var video = VideoID.none
        var title = ""
        var seconds = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("video", &video)
            coder.filled("title", &title)
            coder.field("seconds", &seconds)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("seconds", seconds, 1...Int.max))
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            try scene.state.checkVideos([video])
            scene.record(
                Orientation.Published.with {
                    $0.title = title
                    $0.seconds = seconds
                }, "orientation", video)
        }
    }

    package struct PublishResource: Command {
        package static let type = "quranflow.resource.publish"
        var resource = ResourceID.none
        var title = ""
        var category = Resource.Category.essential
        var source = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("resource", &resource)
            coder.filled("title", &title)
            coder.field("category", &category)
            coder.filled("source", &source)
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            if scene.state.resources.contains(resource) { throw .alreadyExists }
            scene.record(
                Resource.Published.with {
                    $0.title = title
                    $0.category = category
                    $0.source = source
                }, "resource", resource)
        }
    }

    package struct WithdrawResource: Command {
        package static let type = "quranflow.resource.withdraw"
        var resource = ResourceID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("resource", &resource)
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            guard scene.state.resources[resource]?.isWithdrawn == false else { throw .notFound }
            scene.record(Resource.Withdrawn(), "resource", resource)
        }
    }

    /// Tells registered students something; those given must match.
    package struct PostAnnouncement: Command {
        package static let type = "quranflow.announcement.post"
        var announcement = AnnouncementID.none
        var title = ""
        var text = ""
        var level: Int?
        var semester: SemesterID?
        var gender: Gender?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("announcement", &announcement)
            coder.filled("title", &title)
            coder.filled("text", &text)
            coder.optional("level", &level)
            coder.optional("semester", &semester)
            coder.optional("gender", &gender)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("level", level, Policy.levels))
        }

        package func who(in programme: Programme) -> Who { .admin }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let programme = scene.state
            if let semester { _ = try programme.semester(semester) }
            if programme.announcements.contains(announcement) { throw .alreadyExists }
            let recipients = scene.sorted(scene.allStudents.filter { isMeant($0, in: programme) })
            scene.record(
                Announcement.Posted.with {
                    $0.title = title
                    $0.text = text
                    $0.level = level
                    $0.semester = semester
                    $0.gender = gender
                    $0.recipients = recipients.count
                }, "announcement", announcement)
            for student in recipients { scene.notify(of: announcement, student) }
        }

        /// The current enrolment counts in any state; in Advanced there is none.
        private func isMeant(_ student: StudentID, in programme: Programme) -> Bool {
            guard let person = programme.present(.init(student)) else { return false }
            if let gender, gender != person.gender { return false }
            if level == nil, semester == nil { return true }
            guard let row = programme.students[student], !row.isAdvanced, let id = row.current,
                let enrollment = programme.enrollments[id]
            else { return false }
            return (level ?? enrollment.level) == enrollment.level
                && (semester ?? enrollment.semester) == enrollment.semester
        }
    }
}
