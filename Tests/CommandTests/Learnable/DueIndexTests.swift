import Commands
import LearnableCommands
import Core
@testable import LearnableEvents
import Folding
import LearnableFacts
import Testing

/// What is due is read from an index of due dates, never from the pool (R20, R28).
@Suite struct `The index of due dates` {
    /// Rows that were stored, and how often which table was asked for one.
    private final class StoredRows: RowSource {
        var rows: [UInt16: [[UInt8]: [UInt8]]] = [:]
        private(set) var asked: [UInt16: Int] = [:]

        func row(table: UInt16, key: [UInt8]) throws -> [UInt8]? {
            asked[table, default: 0] += 1
            return rows[table]?[key]
        }

        func scan(
            table: UInt16, from first: [UInt8], _ body: (ArraySlice<UInt8>, [UInt8]) -> Bool
        ) throws {
            Issue.record("table \(table) is read through")
        }

        func scanKeys(
            table: UInt16, from first: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool
        ) throws {
            Issue.record("the keys of table \(table) are read through")
        }
    }

    private final class Nobody: IdempotencyIndex {
        func known(command id: String, _ digest: [UInt8]) -> KnownCommand { .unknown }
    }

    private static let today = LocalDate(days: 20_000)

    /// A student with so many questions, three of them due today or before, the others within the next
    /// fortnight; as it would be stored.
    private static func stored(_ count: Int, _ names: Names) throws -> StoredRows {
        let space = TableSpace()
        let state = Learnable.State(space: space, names: names)
        let system = try #require(Actor("system", names: names))
        let context = DecisionContext<Learnable>(
            state: state,
            DecisionInput(
                at: Instant(seconds: 1_727_740_800), actor: system, device: .none, command: .none,
                place: SealingContext(position: Position(1), recordedAt: .epoch),
                idempotency: Nobody()))
        let student = Learnable.StudentID(names.intern("S-1"))
        let subject = Learnable.SubjectID(names.intern("SU-1"))
        context.record(
            Learnable.Student.Joined.with { $0.student = student }, on: "learnable/student/S-1")
        let chapters = try #require(
            [Learnable.Chapter].read(
                JSON(parsing: #"[{"title":"A","topics":["a"]}]"#), names))
        context.record(
            Learnable.Generation.Requested.with {
                $0.student = student
                $0.subject = subject
                $0.chapters = chapters
                $0.chapterTopics = chapters.map(\.topics.count)
            }, on: "learnable/subject/SU-1")
        for number in 0..<count {
            context.record(
                Learnable.Question.Pooled.with {
                    $0.student = student
                    $0.question = .init(names.intern("Q-\(number)"))
                    $0.subject = subject
                    $0.topic = .init(chapter: 1, number: 1)
                    $0.turn = .init(on: today, after: number < 3 ? -number : 1 + number % 14)
                }, on: "learnable/question/Q-\(number)")
        }
        let stored = StoredRows()
        for table in space.tables {
            try table.encodeChanges(removals: false) { rows in
                for index in 0..<rows.count {
                    let (key, content) = rows.row(index)
                    guard let content else { continue }
                    stored.rows[table.number, default: [:]][Array(rows.bytes[key])] = Array(
                        rows.bytes[content])
                }
            }
        }
        return stored
    }

    @Test("R20, R28: what is due is found without looking at a question, however many there are")
    func isReadAlone() throws {
        var costs: [[UInt16: Int]] = []
        for count in [30, 6_000] {
            let names = Names()
            let source = try Self.stored(count, names)
            let space = TableSpace(source: source)
            let state = Learnable.State(space: space, names: names)
            let student = Learnable.StudentID(try #require(names.known("S-1")))
            let epoch = try #require(state.students[student]).epoch
            let due = state.due(epoch, on: Self.today).map { names.text($0) }
            #expect(due == ["Q-2", "Q-1", "Q-0"])
            #expect(state.dueCount(epoch, on: Self.today.adding(days: 20)) == count)
            #expect(source.asked[state.questions.number] == nil)
            costs.append(source.asked)
        }
        #expect(costs[0] == costs[1])
        #expect(costs[0].values.reduce(0, +) < 10)
    }
}

extension [Learnable.Chapter] {
    fileprivate static func read(_ json: JSON, _ names: Names) -> [Learnable.Chapter]? {
        var input = JSONInput(names: names, path: "")
        return read(json, from: &input)
    }
}
