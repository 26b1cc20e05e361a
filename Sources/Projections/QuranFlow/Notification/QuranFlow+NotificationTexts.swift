import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Title and text of a notification: what, which and when (V2). They are put together from what is known
    /// at the position asked at, since an inbox keeps no one's name.
    struct NotificationText {
        let title: String
        let text: String?

        init(_ notice: NotificationRow, in inbox: Inbox) {
            let about = About(notice.about.value, inbox)
            (title, text) = Self.words(notice.kind, about)
        }

        private static func words(
            _ kind: Notification.Kind, _ about: About
        ) -> (String, String?) {
            let week = about.number("week")
            let level = about.number("level")
            switch kind {
            case .placementReady:
                return (
                    "You've been placed in Level \(level)",
                    "\(about.policy.levelName(level)). Your coach is "
                        + "\(about.coachText(about.enrollment?.firstCoach))."
                )
            case .coachAssigned:
                return (
                    "Your Quran Coach", "\(about.coachText(about.id("coach"))) is now your coach."
                )
            case .weekUnlocked:
                return (
                    "Week \(week) is here!", "Your new lesson is ready" + about.topic(after: ": ")
                )
            case .deadlineReminder:
                return (
                    "Week \(week) submission due",
                    about.topic(before: " -- ") + "due \(about.moment("dueAt"))"
                )
            case .feedbackReady:
                return (
                    "Feedback Ready -- Week \(week)",
                    "\(about.coachText(about.recording?.coach)) reviewed your submission"
                        + about.topic(after: ": ")
                )
            case .commentPosted:
                return (
                    "New Comment -- Week \(week)",
                    "\(about.author) commented on the feedback" + about.topic(after: ": ")
                )
            case .eocAvailable:
                let weeks = about.enrollment?.weeks ?? 0
                let completed = about.enrollment?.completedAtUnlock ?? 0
                return (
                    "Your End of Course Assessment is now available",
                    "Level \(level) -- \(completed) of \(count(weeks, "submission")) completed"
                )
            case .eocReminder:
                return (
                    "End of Course Assessment due",
                    "Level \(level) -- due \(about.moment("dueAt"))"
                )
            case .advancedOpen:
                return (
                    "Enrollment is open for QuranFlow Advanced",
                    "Our continued learning program for graduates."
                )
            case .helpReply:
                return ("Reply to your \(about.helpNoun)", about.helpText)
            case .eocResults:
                return ("Your EOC Results Are In", "See your Level \(level) results.")
            case .enrollmentOpen:
                let semester = about.semester
                let start = semester.map { about.formatter.dateText(of: $0.startsAt) } ?? ""
                return (
                    "Enrollment is open for Level \(level)",
                    "\(semester?.name ?? "") starts \(start)"
                )
            case .announcement:
                let announcement = about.announcement
                return (announcement?.title ?? "", announcement?.text)
            case .feedbackOverdue:
                return (
                    "Feedback overdue -- Week \(week)",
                    "\(about.studentText(about.enrollment?.student)) is waiting for feedback"
                )
            case .resultsOverdue:
                return (
                    "EOC results overdue",
                    "\(about.studentText(about.enrollment?.student)) -- Level \(level)"
                )
            case .coachMessage:
                return (
                    "Message from \(about.studentText(about.message?.student))",
                    about.message?.text
                )
            case .sessionReminder, .scheduleUpdate: return sessionWords(kind, about)
            case .appointmentBooked, .appointmentRescheduled, .appointmentCancelled,
                .appointmentReminder:
                return appointmentWords(kind, about)
            }
        }

        private static func sessionWords(
            _ kind: Notification.Kind, _ about: About
        ) -> (String, String?) {
            let session = about.session
            let title = session?.title ?? ""
            let number = about.number("week")
            let week = number > 0 ? " -- Week \(number)" : ""
            if kind == .sessionReminder {
                let minutes = count(about.number("minutes"), "minute")
                return ("\(session?.kind.label ?? "") starting in \(minutes)\(week)", title)
            }
            switch about.text("change") {
            case "moved":
                return (
                    "Schedule Update\(week)",
                    "\(title) has been rescheduled to \(about.moment("startsAt"))"
                )
            case "cancelled": return ("Schedule Update\(week)", "\(title) has been cancelled")
            default:
                return (
                    "Schedule Update\(week)",
                    "\(title) has been added on \(about.moment("startsAt"))"
                )
            }
        }

        private static func appointmentWords(
            _ kind: Notification.Kind, _ about: About
        ) -> (String, String?) {
            let title =
                switch kind {
                case .appointmentBooked: "Appointment Booked"
                case .appointmentRescheduled: "Appointment Rescheduled"
                case .appointmentCancelled: "Appointment Cancelled"
                default:
                    "Appointment starting in \(count(about.number("minutes"), "minute"))"
                }
            return (title, "With \(about.other) on \(about.moment("startsAt"))")
        }
    }

    /// What a notification is about: its ids looked up.
    private struct About {
        private let json: JSON
        private let inbox: Inbox

        init(_ json: JSON, _ inbox: Inbox) {
            self.json = json
            self.inbox = inbox
        }

        private var state: State { inbox.state }
        var formatter: Formatter { inbox.formatter }
        var policy: Policy { state.policy }

        func text(_ name: String) -> String? { json[name]?.string }
        func number(_ name: String) -> Int { json[name]?.wholeNumber.map { Int($0) } ?? 0 }
        func id<T>(_ name: String) -> Identifier<T>? { text(name).flatMap { state.id($0) } }

        func moment(_ name: String) -> String {
            text(name).flatMap { Instant(rfc3339: $0) }.map { formatter.moment(of: $0) } ?? ""
        }

        var enrollment: EnrollmentRow? { id("enrollment").flatMap { state.enrollments[$0] } }
        var recording: RecordingRow? { id("recording").flatMap { state.recordings[$0] } }
        var semester: SemesterRow? { id("semester").flatMap { state.semesters[$0] } }
        var session: SessionRow? { id("session").flatMap { state.sessions[$0] } }
        var message: MessageRow? { id("message").flatMap { state.messages[$0] } }

        var announcement: AnnouncementRow? {
            id("announcement").flatMap { state.announcements[$0] }
        }

        func coachText(_ coach: CoachID?) -> String { state.coachText(coach) }

        func studentText(_ student: StudentID?) -> String {
            student.map { state.studentText($0) } ?? "Student"
        }

        /// A topic that is not published is left out with what joins it.
        private var topic: String? {
            enrollment.flatMap { state.topic(level: $0.level, week: number("week")) }
        }

        func topic(after joint: String) -> String { topic.map { joint + $0 } ?? "" }
        func topic(before joint: String) -> String { topic.map { $0 + joint } ?? "" }

        /// Who wrote the comment.
        var author: String {
            guard let thread: RecordingID = id("recording"),
                let comment: CommentID = id("comment"),
                let row = state.thread(thread).first(where: { $0.comment == comment })
            else { return "" }
            return row.author == .coach ? coachText(row.coach) : studentText(recording?.student)
        }

        /// What a reply answers, and what it says (R39).
        var helpNoun: String { text("message") == nil ? "support request" : "message" }

        var helpText: String? {
            let replies: [ReplyRow]
            if let message: MessageID = id("message") {
                replies = state.replies(to: message)
            } else if let request: RequestID = id("request") {
                replies = state.replies(to: request)
            } else {
                return nil
            }
            return replies.first { $0.reply == id("reply") }?.text
        }

        /// The other party of an appointment; its coach is the present one.
        var other: String {
            let row = id("appointment").flatMap { state.appointments[$0] }
            return inbox.isCoach ? studentText(row?.student) : coachText(row?.coach)
        }
    }
}
