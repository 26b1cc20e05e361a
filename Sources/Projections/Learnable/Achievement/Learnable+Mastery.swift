import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// How far, how well? Always both figures; `measure` says which one the graph shows (R37).
    static let masteryView = ReadModel<State>(
        "learnable.mastery", "How far, how well?", key: "student", arguments: ["subject"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        _ = try request.idText("subject")
        guard let (student, row) = state.student(request.key) else { return false }
        let asked = try state.librarySubject(request, of: student)
        let measure = state.policy.masteryMeasure
        output.object { output in
            if let (subject, row) = asked {
                output.array("bars", 0..<row.topics) { output, index in
                    let tally = state.tally(subject, row, index..<index + 1)
                    output.object { output in
                        tally.write(measure, to: &output)
                        output.member("subject", subject)
                        output.member("title", state.topicTitle(of: subject, row, index))
                        output.member("topic", row.topic(at: index))
                    }
                }
            } else {
                output.array("bars", state.readySubjects(row)) { output, entry in
                    let tally = state.tally(entry.id, entry.row, 0..<entry.row.topics)
                    output.object { output in
                        tally.write(measure, to: &output)
                        output.member("subject", entry.id)
                        output.member("title", state.title(of: entry.id, entry.row))
                        output.member("topic", String?.none)
                    }
                }
            }
            output.member("measure", asked == nil ? "completion" : "mastery")
            output.member("subject", asked?.id)
        }
        return true
    }
}

extension Learnable {
    /// What completion and mastery are counted from (R37), and what is open in the pool.
    struct Tally {
        var topics = 0
        var completed = 0
        var answered = 0
        var correct = 0
        var generated = 0
        var everCorrect = 0
        var inPool = 0
        var mastered = 0

        mutating func add(_ other: Tally) {
            topics += other.topics
            completed += other.completed
            answered += other.answered
            correct += other.correct
            generated += other.generated
            everCorrect += other.everCorrect
            inPool += other.inPool
            mastered += other.mastered
        }

        var completion: Percent? { topics == 0 ? nil : Percent(completed, of: topics) }

        /// Nil when the divisor is 0 (R37).
        func mastery(_ measure: Policy.MasteryMeasure) -> Percent? {
            let (part, whole) =
                measure == .correctOfAnswered ? (correct, answered) : (everCorrect, generated)
            return whole == 0 ? nil : Percent(part, of: whole)
        }

        func write(_ measure: Policy.MasteryMeasure, to output: inout JSONOutput) {
            output.member("completion", completion)
            output.member("mastery", mastery(measure))
        }
    }
}

extension Learnable.State {
    /// What the topics at these indices add up to, deleted questions included (R37).
    func tally(
        _ subject: Learnable.SubjectID, _ row: Learnable.SubjectRow, _ indices: Range<Int>
    ) -> Learnable.Tally {
        var tally = Learnable.Tally()
        for index in indices {
            let progress = topic(subject, index)
            tally.add(
                .init(
                    topics: 1, completed: progress.isCompleted ? 1 : 0, answered: progress.answered,
                    correct: progress.correct, generated: progress.generated,
                    everCorrect: progress.everCorrect, inPool: progress.inPool,
                    mastered: progress.mastered))
        }
        return tally
    }

    /// The subjects that are ready, archived ones included, in order of creation (R38).
    func readySubjects(_ row: Learnable.StudentRow) -> [Learnable.LibraryEntry] {
        library(epoch(of: row)).filter { $0.row.state == .ready }
    }
}
