package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// What students are ordered by (R31).
    package enum Board: String, Choice {
        case points, average, completion

        /// First and second measure, both descending, percents as printed. Who has no average stands below
        /// 0 %.
        package func measures(_ row: borrowing StudentRow) -> Measures {
            let average = Int(row.publishedPercent?.hundredths ?? -1)
            return switch self {
            case .points: Measures(first: row.points, second: average)
            case .average: Measures(first: average, second: row.completed)
            case .completion:
                Measures(first: Int(row.completionRate?.hundredths ?? 0), second: row.handedIn)
            }
        }
    }

    /// The two numbers that a board is ordered by (R31).
    package struct Measures: Record {
        package private(set) var first = 0
        private var second = 0

        package init() {}

        init(first: Int, second: Int) {
            self.first = first
            self.second = second
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("first", &first)
            coder.field("second", &second)
        }

        fileprivate func write(to bytes: inout [UInt8]) {
            // Inverted, so that the higher one sorts first.
            BigEndian.append(~UInt64(bitPattern: Int64(first) ^ .min), to: &bytes)
            BigEndian.append(~UInt64(bitPattern: Int64(second) ^ .min), to: &bytes)
        }
    }

    /// A student's rank on one board: in the store the keys are in the board's order.
    package struct RankKey: MixedKey {
        package typealias Slots = MixedSlots<Self>

        fileprivate let board: Board
        package let measures: Measures
        /// The student's id: ties go by its code points.
        package let student: String

        fileprivate init(_ board: Board, _ measures: Measures, _ student: String) {
            self.board = board
            self.measures = measures
            self.student = student
        }

        package var mixed: UInt64 {
            student.mixed ^ UInt64(truncatingIfNeeded: measures.first) << 8 ^ UInt64(board.number)
        }

        package func write(to bytes: inout [UInt8]) {
            bytes.append(board.number)
            measures.write(to: &bytes)
            bytes.append(contentsOf: student.utf8)
        }

        package init?(bytes: ArraySlice<UInt8>) {
            guard let number = bytes.first, Int(number) < Board.allCases.count,
                let first = BigEndian.number(bytes.dropFirst().prefix(8), width: 8),
                let second = BigEndian.number(bytes.dropFirst(9).prefix(8), width: 8)
            else { return nil }
            board = Board.allCases[Int(number)]
            measures = Measures(
                first: Int(Int64(bitPattern: ~first) ^ .min),
                second: Int(Int64(bitPattern: ~second) ^ .min))
            student = String(decoding: bytes.dropFirst(17), as: UTF8.self)
        }
    }

    /// The row of a key that says all.
    package struct Presence: Record {
        package init() {}
    }
}

extension ExamRoom.Board {
    fileprivate var number: UInt8 {
        switch self {
        case .points: 0
        case .average: 1
        case .completion: 2
        }
    }
}

extension ExamRoom.State {
    /// Moves every student whose numbers changed to their rank (R31). Done before the boards are read or
    /// stored and not with each event: a replay moves each student once.
    package func settle() {
        guard !unsettled.value.isEmpty else { return }
        space.withoutUndo {
            for number in unsettled.value.removeAll() {
                settle(ExamRoom.StudentID(Symbol(number: number)))
            }
        }
    }

    private func settle(_ student: ExamRoom.StudentID) {
        let measures = students.read(student) { row in
            let present =
                isOnBoards(student, row) ? ExamRoom.Board.allCases.map { $0.measures(row) } : []
            return (former: row.ranks, present: present)
        }
        guard let (former, present) = measures, former != present else { return }
        let text = names.text(student)
        for (index, board) in ExamRoom.Board.allCases.enumerated() {
            let old = former.isEmpty ? nil : former[index]
            let new = present.isEmpty ? nil : present[index]
            if old == new { continue }
            if let old { ranking.remove(.init(board, old, text)) }
            if let new { ranking.insert(.init(), at: .init(board, new, text)) }
        }
        if former.isEmpty != present.isEmpty {
            roster.update(.only) { $0.listed += present.isEmpty ? -1 : 1 }
        }
        students.update(student) { $0.ranks = present }
    }

    /// Active students who did not hide themselves and have a completed counting attempt, under
    /// `awardsWhen:"results"` one whose results are published (R31).
    private func isOnBoards(
        _ student: ExamRoom.StudentID, _ row: borrowing ExamRoom.StudentRow
    ) -> Bool {
        (policy.awardsWhen == .results ? row.published : row.completed) > 0
            && accounts.read(.init(student)) {
                $0.isActiveStudent && $0.preferences.leaderboard != .hidden
            } ?? false
    }

    /// The ranks of a board from the first on, until `body` returns false.
    package func forEachRank(
        on board: ExamRoom.Board, _ body: (ExamRoom.RankKey) -> Bool
    ) {
        settle()
        ranking.forEachKey(from: [board.number]) { key in
            key.board == board && body(key)
        }
    }
}
