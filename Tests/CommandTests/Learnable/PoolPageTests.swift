import Commands
import LearnableCommands
import Core
@testable import LearnableEvents
import Folding
import LearnableFacts
import Testing

/// A page of the pool is found by its place, whatever left the pool before it (R20).
@Suite struct `A page of the pool` {
    private final class Nobody: IdempotencyIndex {
        func known(command id: String, _ digest: [UInt8]) -> KnownCommand { .unknown }
    }

    @Test(
        "R20: holds what is left of the pool, in order of pooling, after deletions in any order",
        arguments: [UInt64(1), 2, 3, 4, 5, 6])
    func isWhatIsLeft(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let names = Names()
        let state = Learnable.State(space: TableSpace(), names: names)
        let context = DecisionContext<Learnable>(
            state: state,
            DecisionInput(
                at: Instant(seconds: 1_727_740_800),
                actor: try #require(Actor("system", names: names)), device: .none, command: .none,
                place: SealingContext(position: Position(1), recordedAt: .epoch),
                idempotency: Nobody()))
        let student = Learnable.StudentID(names.intern("S-1"))
        let subject = Learnable.SubjectID(names.intern("SU-1"))
        context.record(
            Learnable.Student.Joined.with { $0.student = student }, on: "learnable/student/S-1")
        var input = JSONInput(names: names, path: "")
        let chapters = try #require(
            [Learnable.Chapter].read(
                JSON(parsing: #"[{"title":"A","topics":["a"]}]"#), from: &input))
        context.record(
            Learnable.Generation.Requested.with {
                ($0.student, $0.subject, $0.chapters) = (student, subject, chapters)
                $0.chapterTopics = chapters.map(\.topics.count)
            }, on: "learnable/subject/SU-1")
        var left: [Learnable.QuestionID] = []
        var pooled = 0
        func pool() {
            let question = Learnable.QuestionID(names.intern("Q-\(pooled)"))
            pooled += 1
            left.append(question)
            context.record(
                Learnable.Question.Pooled.with {
                    ($0.student, $0.question, $0.subject) = (student, question, subject)
                    $0.topic = .init(chapter: 1, number: 1)
                }, on: "learnable/question/\(names.text(question))")
        }
        for _ in 0..<40 { pool() }
        let epoch = try #require(state.students[student]).epoch
        for _ in 0..<120 {
            if left.isEmpty || random.next() % 3 == 0 {
                pool()
            } else {
                let question = left.remove(at: Int(random.next() % UInt64(left.count)))
                context.record(
                    Learnable.Question.Deleted.with {
                        ($0.student, $0.question, $0.subject) = (student, question, subject)
                    }, on: "learnable/question/\(names.text(question))")
            }
            #expect(state.pool(epoch) == left)
            let first = Int(random.next() % UInt64(left.count + 1))
            let last = first + Int(random.next() % UInt64(left.count - first + 1))
            #expect(state.pool(epoch, in: first..<last) == Array(left[first..<last]))
        }
    }
}
