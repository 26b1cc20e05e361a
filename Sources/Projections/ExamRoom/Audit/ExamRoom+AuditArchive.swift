import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What was archived? By date, then in the order in which it was.
    static let auditArchivesView = ReadModel<State>(
        "examroom.audit-archives", "What was archived?", arguments: ["page"],
        basis: .on(.types(Audit.Archived.self))
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let days = state.audit.days.allKeys.filter {
            state.audit.days.read($0) { $0.archives > 0 } ?? false
        }
        let archives = days.sorted { $0.number < $1.number }.flatMap { day in
            state.audit.archives.elements(of: day, count: state.audit.days[day]?.archives ?? 0).map
            {
                (date: LocalDate(day), row: $0)
            }
        }
        output.object { output in
            output.array("archives", archives[page.range(of: archives.count)]) { output, archive in
                output.object { output in
                    output.member("archive", archive.date)
                    output.member("archivedAt", archive.row.archivedAt)
                    output.member("digest", archive.row.digest)
                    output.member("entries", archive.row.entries)
                    output.member("fromPosition", archive.row.fromPosition)
                    output.member("toPosition", archive.row.toPosition)
                }
            }
            page.write(total: archives.count, to: &output)
        }
        return true
    }
}
