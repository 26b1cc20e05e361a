import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Which notifications did I get? By number, the newest first.
    static let notificationsView = ReadModel<State>(
        "quranflow.notifications", "What was I told?", key: "recipient",
        keys: { state in
            state.studentKeys.map { "student:\($0)" }
                + state.coachKeys.map { "coach:\($0)" }
        }
    ) { state, request, output in
        guard let inbox = Inbox(request.key, state, at: request.now) else { return false }
        output.object { output in
            output.member(
                "emptyText",
                inbox.row.raised == 0
                    ? "No notifications yet. You'll see updates about feedback, sessions, and "
                        + "deadlines here." : nil)
            output.array("items", inbox.newest(state.policy.notificationsShown)) {
                inbox.write($1.number, $1.notice, to: &$0)
            }
            output.member("recipient", request.key)
            output.member("unread", inbox.row.unread)
        }
        return true
    }

    /// One person's inbox, in their time zone.
    struct Inbox {
        let state: State
        let person: PersonID
        let isCoach: Bool
        let row: InboxRow
        let formatter: Formatter

        init?(_ key: String, _ state: State, at now: Instant) {
            let parts = key.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let person: PersonID = state.id(String(parts[1])),
                let present = state.present(person),
                parts[0] == (present.isCoach ? "coach" : "student")
            else { return nil }
            self.state = state
            self.person = person
            isCoach = present.isCoach
            row = state.inboxes[person] ?? .init()
            let zone = state.students.read(.init(person)) { $0.timeZone }
            formatter =
                isCoach
                ? .staff(at: now)
                : Formatter(zone: zone.map { state.names.text($0) } ?? "UTC", now: now)
        }

        /// The newest entries, by number.
        fileprivate func newest(_ count: Int) -> [(number: Int, notice: NotificationRow)] {
            var entries: [(number: Int, notice: NotificationRow)] = []
            var number = row.last
            while number > 0, entries.count < count {
                if let notice = state.notifications[.init(person, Ordinal(number))] {
                    entries.append((number, notice))
                }
                number -= 1
            }
            return entries
        }

        fileprivate func write(
            _ number: Int, _ notice: NotificationRow, to output: inout JSONOutput
        ) {
            let text = NotificationText(notice, in: self)
            output.object { output in
                output.member("about", notice.about)
                output.member("category", notice.category)
                output.member("channels", notice.channels)
                output.time("happenedAt", notice.happenedAt, formatter)
                output.member("kind", notice.kind)
                output.member("link", notice.link)
                output.member("number", number)
                output.member("opened", notice.isOpened)
                output.member("text", text.text)
                output.member("title", text.title)
                output.member("when", formatter.relative(notice.happenedAt))
            }
        }
    }
}
