import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    enum LibrarySort: String, Choice {
        case accessed, name, progress
    }

    enum LibraryOrder: String, Choice {
        case asc, desc
    }

    typealias LibraryEntry = (id: SubjectID, row: SubjectRow)

    /// Which subjects are there? (R40)
    static let libraryView = ReadModel<State>(
        "learnable.library", "Which subjects are there?", key: "student",
        arguments: ["archived", "order", "page", "sort"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let sort = try request.choice("sort", LibrarySort.self) ?? .accessed
        let order = try request.choice("order", LibraryOrder.self) ?? (sort == .name ? .asc : .desc)
        let archived = try request.word("archived", of: ["false", "true"]) == "true"
        guard let (_, row) = state.student(request.key) else { return false }
        let epoch = state.epoch(of: row)
        let library = state.sorted(
            state.library(epoch).filter { $0.row.isArchived == archived }, by: sort, order)
        output.object { output in
            output.array("drafts", epoch.drafts.reversed()) { output, draft in
                guard let row = state.drafts[draft] else { return }
                output.object { output in
                    output.member("changedAt", row.changedAt)
                    output.member("draft", draft)
                    output.member("step", !row.hasCurriculum ? 1 : !row.hasTone ? 2 : 3)
                    output.member("title", row.hasCurriculum ? row.title : nil)
                }
            }
            let isBare = library.isEmpty && !archived
            output.member(
                "message", isBare ? "No subjects available. Create one to begin." : nil)
            page.write(total: library.count, to: &output)
            output.array("subjects", library[page.range(of: library.count)]) { output, entry in
                output.object { state.writeEntry(entry, to: &$0) }
            }
        }
        return true
    }
}

extension Learnable.State {
    /// The subjects of an epoch, in order of creation.
    func library(_ epoch: Learnable.EpochRow) -> [Learnable.LibraryEntry] {
        epoch.subjects.compactMap { id in subjects[id].map { (id, $0) } }
    }

    /// Sorts subjects; ties by name ascending, then id; subjects never opened come last in either direction
    /// (R40).
    func sorted(
        _ library: [Learnable.LibraryEntry], by sort: Learnable.LibrarySort,
        _ order: Learnable.LibraryOrder
    ) -> [Learnable.LibraryEntry] {
        let byName = library.map { (name: CollationKey(title(of: $0.id, $0.row).text), entry: $0) }
            .sorted { isBefore(($0.name, $0.entry.id), ($1.name, $1.entry.id)) }
        let numbered = byName.enumerated().map {
            (index: $0.offset, name: $0.element.name, entry: $0.element.entry)
        }
        typealias Numbered = (index: Int, name: CollationKey, entry: Learnable.LibraryEntry)
        func compare(_ left: Numbered, _ right: Numbered) -> Int {
            let (first, second) = (left.entry.row, right.entry.row)
            switch sort {
            case .name: return left.name < right.name ? -1 : right.name < left.name ? 1 : 0
            case .progress:
                return first.progress < second.progress
                    ? -1 : second.progress < first.progress ? 1 : 0
            case .accessed:
                guard let former = first.openedAt, let latter = second.openedAt else { return 0 }
                return former < latter ? -1 : latter < former ? 1 : 0
            }
        }
        return numbered.sorted { left, right in
            let (first, second) = (left.entry.row, right.entry.row)
            if sort == .accessed, (first.openedAt == nil) != (second.openedAt == nil) {
                return first.openedAt != nil
            }
            let comparison = compare(left, right)
            if comparison != 0 { return (comparison < 0) == (order == .asc) }
            return left.index < right.index
        }.map(\.entry)
    }
}

extension Learnable.State {
    func writeEntry(_ entry: Learnable.LibraryEntry, to output: inout JSONOutput) {
        let row = entry.row
        output.member("chapters", row.chapterTopics.count)
        output.member("completed", row.completed == row.topics)
        output.member("lastAccessed", row.openedDay)
        output.member("lastAccessedText", row.openedDay?.accessedText ?? "Never accessed")
        output.member("origin", row.origin)
        output.member("progress", row.progress)
        output.member("state", row.state)
        output.member("subject", entry.id)
        output.member("title", title(of: entry.id, row))
        output.member("topics", row.topics)
        output.member("topicsCompleted", row.completed)
    }
}

extension Learnable.SubjectRow {
    /// The share of completed topics (R37).
    var progress: Percent { Percent(completed, of: topics) }
}

extension LocalDate {
    fileprivate var accessedText: String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ]
        return "Last accessed: \(months[month - 1]) \(day), \(year)"
    }
}
