import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension DecisionContext<ExamRoom> {
    /// Notifies a person, after all other events of the command (page, Notifications).
    ///
    /// Inactive accounts are never notified; those who switched notifications off only if `isAlways`.
    func notify(
        _ account: ExamRoom.AccountID, _ kind: ExamRoom.Notification.Kind, isAlways: Bool = false,
        _ data: [(String, JSON)], link: String
    ) {
        atEnd { [self] in
            guard state.accounts[account]?.isActive == true,
                isAlways || state.wantsNotifications(account)
            else { return }
            record(
                ExamRoom.Notification.Raised(
                    to: account, notification: kind, data: .object(of: data), link: link),
                on: inboxStream(of: account))
        }
    }

    /// Notifies every admin who is active at that position, in order of account id.
    func notifyAdmins(
        _ kind: ExamRoom.Notification.Kind, _ data: [(String, JSON)], link: String
    ) {
        let admins = (state.roster[.only]?.admins ?? []).sorted {
            names.text($0).precedes(names.text($1))
        }
        for admin in admins { notify(admin, kind, isAlways: true, data, link: link) }
    }

    func json<T>(_ id: Identifier<T>) -> JSON { .string(names.text(id)) }

    private func inboxStream(of account: ExamRoom.AccountID) -> String {
        "examroom/inbox/\(names.text(account))"
    }
}
