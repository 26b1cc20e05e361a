import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What are this person's notifications? Newest first; only the rows of the page are read.
    static let inboxView = ReadModel<State>(
        "examroom.inbox", "What should this person be told?", key: "account", arguments: ["page"],
        keys: { $0.names.texts($0.activeAccounts) }, basis: .on(Grounds.account, .stream("inbox"))
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let (account, row) = state.activeAccount(request.key) else { return false }
        let total = row.notices
        output.object { output in
            output.member("account", account)
            let range = page.range(of: total)
            // They are counted from the oldest.
            let notices = state.inboxes.elements(
                of: account, in: total - range.upperBound..<total - range.lowerBound)
            output.array("notifications", notices.reversed()) { $1.write(to: &$0) }
            page.write(total: total, to: &output)
        }
        return true
    }
}
