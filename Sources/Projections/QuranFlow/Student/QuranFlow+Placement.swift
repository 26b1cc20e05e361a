import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Who waits for a placement? By due time, then id (R10, R19).
    static let placementQueueView = ReadModel<State>(
        "quranflow.placement-queue", "Who waits for a placement?", arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let waiting = state.sorted(
            state.studentsWhoWait.compactMap { id in
                state.students[id].map { (id: id, row: $0) }
            }, by: { $0.row.placementDueAt }, id: { $0.id })
        output.object { output in
            output.array("items", waiting[page.range(of: waiting.count)]) { output, entry in
                let person = state.people[.init(entry.id)]
                output.object { output in
                    output.member("dueAt", entry.row.placementDueAt)
                    output.member("gender", person?.gender)
                    output.member("name", person?.name)
                    output.member("overdue", entry.row.placementDueAt <= request.now)
                    output.member("student", entry.id)
                    output.member("submittedAt", entry.row.assessedAt)
                }
            }
            output.member("overdue", waiting.count { $0.row.placementDueAt <= request.now })
            page.write(total: waiting.count, to: &output)
        }
        return true
    }
}
