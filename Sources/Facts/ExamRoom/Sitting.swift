package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// What a student told while an attempt ran, answers and times, in the order of the journal.
    ///
    /// Most events of a journal are one of these, and few are looked at before the attempt is closed:
    /// they are kept as short bytes and read when somebody asks.
    package struct Sitting: Record {
        private var told = Blob([])
        /// What was chosen, one list after the other: personal, and so apart from the rest.
        private var chosen = Blob([])
        /// Who chose.
        private var student = Word.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("told", &told)
            coder.field("student", &student)
            var kept: Blob? = chosen.bytes.isEmpty ? nil : chosen
            coder.kept("chosen", &kept, of: student.symbol)
            chosen = kept ?? Blob([])
        }

        /// One thing that was told.
        private struct Entry {
            var question = QuestionID.none
            var seconds = 0
            var answer: AnswerRow?
        }

        mutating func tell(_ seconds: Int, on question: QuestionID) {
            add(Entry(question: question, seconds: seconds))
        }

        mutating func tell(_ answer: AnswerRow, _ seconds: Int, by student: Symbol) {
            self.student = Word(student)
            add(Entry(question: answer.question, seconds: seconds, answer: answer))
        }

        /// An erasure took away what was chosen.
        mutating func forgetChosen() {
            chosen.bytes.removeAll()
        }

        /// Every answer that was saved, in the order of the journal.
        package var answers: [AnswerRow] { entries().compactMap(\.answer) }

        /// Answers and times, read at once.
        package var all: (answers: [AnswerRow], seconds: [QuestionID: Int]) {
            var answers: [AnswerRow] = []
            var seconds: [QuestionID: Int] = [:]
            for entry in entries() {
                if let answer = entry.answer { answers.append(answer) }
                seconds[entry.question] = (seconds[entry.question] ?? 0).addingClamping(
                    entry.seconds)
            }
            return (answers, seconds)
        }

        // MARK: The bytes

        private enum Mark {
            static let answer: UInt8 = 1
            static let chosen: UInt8 = 2
            static let told: UInt8 = 4
            static let right: UInt8 = 8
        }

        private mutating func add(_ entry: Entry) {
            var writer = BinaryWriter(appendingTo: &told.bytes)
            entry.question.write(to: &writer)
            entry.seconds.write(to: &writer)
            if let answer = entry.answer {
                var mark = Mark.answer
                if answer.chosen != nil { mark |= Mark.chosen }
                if let right = answer.toldRight { mark |= Mark.told | (right ? Mark.right : 0) }
                writer.byte(mark)
                answer.answeredAt.write(to: &writer)
                answer.writer.write(to: &writer)
                answer.position.write(to: &writer)
            } else {
                writer.byte(0)
            }
            told.bytes = writer.bytes
            guard let list = entry.answer?.chosen else { return }
            var lists = BinaryWriter(appendingTo: &chosen.bytes)
            list.write(to: &lists)
            chosen.bytes = lists.bytes
        }

        private func entries() -> [Entry] {
            var entries: [Entry] = []
            var reader = BinaryReader(told.bytes)
            var lists = BinaryReader(chosen.bytes)
            while reader.offset < reader.end {
                var entry = Entry()
                entry.question = .read(from: &reader)
                entry.seconds = .read(from: &reader)
                let mark = reader.byte()
                if mark & Mark.answer != 0 {
                    var answer = AnswerRow()
                    answer.question = entry.question
                    if mark & Mark.chosen != 0, lists.offset < lists.end {
                        answer.chosen = [OptionID].read(from: &lists)
                    }
                    if mark & Mark.told != 0 { answer.toldRight = mark & Mark.right != 0 }
                    answer.answeredAt = .read(from: &reader)
                    answer.writer = .read(from: &reader)
                    answer.position = .read(from: &reader)
                    entry.answer = answer
                }
                entries.append(entry)
            }
            return entries
        }
    }

    /// An answer that was saved.
    package struct AnswerRow {
        package var question = QuestionID.none
        /// Null once erased.
        package var chosen: [OptionID]?
        /// Whether it is right, as instant feedback told; nil where none was given (R21). Not
        /// personal: it stays when `chosen` is erased.
        package var toldRight: Bool?
        package var answeredAt = Instant.epoch
        package var writer = DeviceID.none
        package var position = Position.zero

        package init() {}

        var stamp: Stamp { Stamp(answeredAt, writer.symbol) }
    }
}

extension [ExamRoom.AnswerRow] {
    /// The answer to a question that stands: of those not after `limit` the one with the greatest
    /// (answeredAt, writer, position), under `answersFinal` the one with the least (R17, R43).
    package func standing(
        to question: ExamRoom.QuestionID, in attempt: ExamRoom.AttemptRow, through limit: Instant,
        _ names: Names
    ) -> ExamRoom.AnswerRow? {
        let given = lazy.filter { $0.question == question && $0.answeredAt <= limit }
        let order = { (left: ExamRoom.AnswerRow, right: ExamRoom.AnswerRow) -> Bool in
            left.stamp == right.stamp
                ? left.position < right.position : left.stamp.precedes(right.stamp, names)
        }
        return attempt.answersFinal ? given.min(by: order) : given.max(by: order)
    }
}
