import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Who leads? One page of a board, and the rank of the student who asks (R31).
    static let leaderboardView = ReadModel<State>(
        "examroom.leaderboard", "Who leads?", key: "board", arguments: ["page", "student"],
        keys: { _ in Board.allCases.map(\.rawValue) }
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let own = try request.idText("student")
        guard let board = Board(rawValue: request.key) else { return false }
        let ranking = Ranking(board, page, state)
        output.object { output in
            output.member("board", board)
            output.array("entries", ranking.entries) { output, entry in
                output.object { write(entry, in: state, to: &$0) }
            }
            if let own {
                output.object("own") { ranking.writeOwn(own, to: &$0) }
            } else {
                output.member("own", String?.none)
            }
            page.write(total: ranking.count, to: &output)
        }
        return true
    }

    private static func write(
        _ entry: Ranking.Entry, in state: State, to output: inout JSONOutput
    ) {
        let row = state.students[entry.student] ?? StudentRow()
        output.member("averagePercent", row.publishedPercent)
        output.member("completed", row.completed)
        output.member("completionRate", row.completionRate)
        output.member("name", state.accounts.read(.init(entry.student)) { $0.name } ?? nil)
        output.member("points", row.points)
        output.member("rank", entry.rank)
        output.member("student", entry.student)
    }
}

/// One page of a board. The state keeps the ranks in order, so only those up to the page are read.
private struct Ranking {
    typealias Board = ExamRoom.Board

    struct Entry {
        let student: ExamRoom.StudentID
        /// 1 + number of students shown with a strictly higher first measure.
        let rank: Int
    }

    private let state: ExamRoom.State
    private let board: Board
    let count: Int
    private(set) var entries: [Entry] = []

    init(_ board: Board, _ page: Page, _ state: ExamRoom.State) {
        self.state = state
        self.board = board
        state.settle()
        count = state.roster[.only]?.listed ?? 0
        let range = page.range(of: count)
        var index = 0
        var level = (first: Int?.none, rank: 1)
        state.forEachRank(on: board) { key in
            guard index < range.upperBound else { return false }
            if level.first != key.measures.first { level = (key.measures.first, index + 1) }
            if index >= range.lowerBound, let student: ExamRoom.StudentID = state.id(key.student) {
                entries.append(Entry(student: student, rank: level.rank))
            }
            index += 1
            return true
        }
    }

    /// The asking student's rank; none when they are not shown.
    func writeOwn(_ student: String, to output: inout JSONOutput) {
        let id: ExamRoom.StudentID? = state.id(student)
        let account = id.flatMap { state.accounts[.init($0)] }
        output.member("hidden", account?.preferences.leaderboard == .hidden)
        output.member("rank", id.flatMap { rank(of: $0) })
        output.member("student", student)
    }

    private func rank(of student: ExamRoom.StudentID) -> Int? {
        guard let row = state.students[student], !row.ranks.isEmpty else { return nil }
        let own = board.measures(row).first
        var higher = 0
        state.forEachRank(on: board) { key in
            guard key.measures.first > own else { return false }
            higher += 1
            return true
        }
        return higher + 1
    }
}
