package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// The answers and times of an attempt, in the order of the journal (R17, R18).
    ///
    /// Most events of a journal are one of these, and few are read before the attempt is closed: they
    /// are kept as short bytes and decoded on demand (ADR 0018), what was chosen as the journal has it (ADR 0078).
    package struct AnswerLog: Record {
        private var entryBytes = Blob([])
        /// What was chosen, of answers that were folded before the journal had them, one list after the other: personal, and so
        /// apart from the rest.
        private var chosen = Blob([])
        /// What was chosen, of all others, in the same order.
        private var closed = ClosedParts()
        /// Who chose.
        private var student = InternedText.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("told", &entryBytes)
            coder.field("student", &student)
            var kept: Blob? = chosen.bytes.isEmpty ? nil : chosen
            coder.kept("chosen", &kept, of: student.symbol)
            chosen = kept ?? Blob([])
            coder.field("closed", &closed)
        }

        /// Whether both tell of the same answers: which of them are closed hangs on when they were folded.
        package static func == (left: Self, right: Self) -> Bool {
            guard left.student == right.student else { return false }
            let isSame =
                left.entryBytes == right.entryBytes && left.chosen == right.chosen
                && left.closed == right.closed
            return isSame || left.entries() == right.entries()
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(entries()) }

        /// An answer with the time since the last entry, or a time alone.
        private struct Entry: Hashable {
            var question = QuestionID.none
            var seconds = 0
            var answer: AnswerRow?
        }

        mutating func add(_ seconds: Int, on question: QuestionID) {
            add(Entry(question: question, seconds: seconds))
        }

        /// `part` is what was chosen, where the answer does not have it in clear.
        mutating func add(
            _ answer: AnswerRow, _ seconds: Int, by student: Symbol, closed part: ClosedPart? = nil
        ) {
            self.student = InternedText(student)
            add(
                Entry(question: answer.question, seconds: seconds, answer: answer),
                isClosed: part != nil)
            if let part { closed.append(part) }
        }

        /// An erasure took away what was chosen.
        mutating func forgetChosen() {
            chosen.bytes.removeAll()
            closed = ClosedParts()
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
            static let feedback: UInt8 = 4
            static let right: UInt8 = 8
            static let merged: UInt8 = 16
            static let closed: UInt8 = 32
        }

        private mutating func add(_ entry: Entry, isClosed: Bool = false) {
            var writer = BinaryWriter(appendingTo: &entryBytes.bytes)
            entry.question.write(to: &writer)
            entry.seconds.write(to: &writer)
            if let answer = entry.answer {
                var mark = Mark.answer
                if answer.chosen != nil { mark |= Mark.chosen }
                if isClosed { mark |= Mark.closed }
                if let right = answer.feedback { mark |= Mark.feedback | (right ? Mark.right : 0) }
                if answer.isMerged { mark |= Mark.merged }
                writer.byte(mark)
                answer.answeredAt.write(to: &writer)
                answer.writer.write(to: &writer)
                answer.position.write(to: &writer)
            } else {
                writer.byte(0)
            }
            entryBytes.bytes = writer.bytes
            guard let list = entry.answer?.chosen else { return }
            var lists = BinaryWriter(appendingTo: &chosen.bytes)
            list.write(to: &lists)
            chosen.bytes = lists.bytes
        }

        private func entries() -> [Entry] {
            var entries: [Entry] = []
            var reader = BinaryReader(entryBytes.bytes)
            var lists = BinaryReader(chosen.bytes)
            var parts = closed.makeIterator()
            while reader.offset < reader.end {
                var entry = Entry()
                entry.question = .read(from: &reader)
                entry.seconds = .read(from: &reader)
                let mark = reader.byte()
                if mark & Mark.answer != 0 {
                    var answer = AnswerRow()
                    answer.question = entry.question
                    answer.isMerged = mark & Mark.merged != 0
                    if mark & Mark.chosen != 0, lists.offset < lists.end {
                        answer.chosen = [OptionID].read(from: &lists)
                    }
                    if mark & Mark.feedback != 0 { answer.feedback = mark & Mark.right != 0 }
                    answer.answeredAt = .read(from: &reader)
                    answer.writer = .read(from: &reader)
                    answer.position = .read(from: &reader)
                    if mark & Mark.closed != 0 {
                        answer.chosen = parts.next([OptionID].self, at: answer.position)
                    }
                    entry.answer = answer
                }
                entries.append(entry)
            }
            return entries
        }
    }
}
