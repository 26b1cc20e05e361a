import Events
import Facts

extension ExamRoom {
    /// Who leads? (R31)
    static let leaderboardView = ReadModel<Room>(
        "examroom.leaderboard", "Who leads?", key: "board", arguments: ["page", "student"],
        keys: { _ in Board.allCases.map(\.rawValue) }
    ) { room, request, output throws(WrongArgument) in
        let page = try Page(request)
        let own = try request.idText("student")
        guard let board = Board(rawValue: request.key) else { return false }
        let standings = Standings(board, room)
        output.object { output in
            output.member("board", board)
            output.array("entries", standings.entries(page.range(of: standings.count))) {
                output, entry in
                output.object { write(entry, in: room, to: &$0) }
            }
            if let own {
                output.object("own") { standings.writeOwn(own, to: &$0) }
            } else {
                output.member("own", String?.none)
            }
            page.write(total: standings.count, to: &output)
        }
        return true
    }

    private static func write(
        _ entry: Standings.Entry, in room: Room, to output: inout JSONOutput
    ) {
        let row = room.students[entry.student] ?? StudentRow()
        output.member("averagePercent", row.averagePercent)
        output.member("completed", row.completed)
        output.member("completionRate", row.completionRate)
        output.member("name", room.accounts.read(.init(entry.student)) { $0.name } ?? nil)
        output.member("points", row.points)
        output.member("rank", entry.rank)
        output.member("student", entry.student)
    }
}

/// What students are ordered by.
enum Board: String, Choice {
    case points, average, completion

    /// First and second measure, both descending, percents as printed.
    fileprivate func measures(_ row: borrowing ExamRoom.StudentRow) -> (first: Int64, second: Int64)
    {
        let average = row.averagePercent?.hundredths ?? 0
        return switch self {
        case .points: (Int64(row.points), average)
        case .average: (average, Int64(row.completed))
        case .completion: (row.completionRate?.hundredths ?? 0, Int64(row.handedIn))
        }
    }
}

/// The students of one board in their order.
///
/// Sorted by numbers alone; only where these tie on the page that is shown are ids looked up.
private struct Standings {
    struct Entry {
        let student: ExamRoom.StudentID
        fileprivate let first: Int64
        fileprivate let second: Int64
        /// 1 + number of students shown with a strictly higher first measure.
        fileprivate(set) var rank = 0

        fileprivate func ties(with other: Entry) -> Bool {
            first == other.first && second == other.second
        }
    }

    private let room: ExamRoom.Room
    private var sorted: [Entry] = []

    init(_ board: Board, _ room: ExamRoom.Room) {
        self.room = room
        var entries: [Entry] = []
        room.students.forEach { student, row in
            guard row.completed > 0, Self.isShown(student, room) else { return }
            let measures = board.measures(row)
            entries.append(Entry(student: student, first: measures.first, second: measures.second))
        }
        entries.sort { $0.first == $1.first ? $0.second > $1.second : $0.first > $1.first }
        for index in entries.indices {
            let isLevel = index > 0 && entries[index].first == entries[index - 1].first
            entries[index].rank = isLevel ? entries[index - 1].rank : index + 1
        }
        sorted = entries
    }

    /// R31: active students who did not hide themselves.
    private static func isShown(_ student: ExamRoom.StudentID, _ room: ExamRoom.Room) -> Bool {
        room.accounts.read(.init(student)) {
            $0.isActiveStudent && $0.preferences.leaderboard != .hidden
        } ?? false
    }

    var count: Int { sorted.count }

    /// The entries at these places, ties in order of id.
    func entries(_ range: Range<Int>) -> [Entry] {
        guard !range.isEmpty else { return [] }
        var (start, end) = (range.lowerBound, range.upperBound)
        while start > 0, sorted[start - 1].ties(with: sorted[start]) { start -= 1 }
        while end < sorted.count, sorted[end].ties(with: sorted[end - 1]) { end += 1 }
        let named = sorted[start..<end].map { (entry: $0, text: room.text($0.student)) }
        let ordered = named.sorted { left, right in
            if left.entry.first != right.entry.first { return left.entry.first > right.entry.first }
            if left.entry.second != right.entry.second {
                return left.entry.second > right.entry.second
            }
            return left.text.precedes(right.text)
        }
        return ordered[range.lowerBound - start..<range.upperBound - start].map(\.entry)
    }

    /// Where the asking student stands; no rank when they are not shown.
    func writeOwn(_ student: String, to output: inout JSONOutput) {
        let id: ExamRoom.StudentID? = room.id(student)
        let account = id.flatMap { room.accounts[.init($0)] }
        output.member("hidden", account?.preferences.leaderboard == .hidden)
        output.member("rank", sorted.first { $0.student == id }?.rank)
        output.member("student", student)
    }
}
