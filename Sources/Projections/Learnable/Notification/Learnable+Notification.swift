import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What was the student notified of? Newest first (page, Notifications).
    static let notificationsView = ReadModel<State>(
        "learnable.notifications", "What was the student told?", key: "student",
        arguments: ["page"],
        keys: { $0.studentKeys }, basis: .on(.stream("student"), .erasure)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let (_, row) = state.student(request.key) else { return false }
        let total = state.epoch(of: row).notices
        output.object { output in
            let range = page.range(of: total)
            let notices = state.notices.elements(
                of: row.epoch, in: total - range.upperBound..<total - range.lowerBound)
            output.array("notifications", notices.reversed()) { $1.writeEntry(to: &$0) }
            page.write(total: total, to: &output)
        }
        return true
    }
}

extension Learnable.NoticeRow {
    func writeEntry(to output: inout JSONOutput) {
        output.object { output in
            output.member("at", at)
            output.member("day", day)
            output.member("facts", facts)
            output.member("notification", notification)
            output.member("target", target)
        }
    }
}
