package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// The recurring questions of an epoch that are due on one day, in order of pooling. "What is due" is
    /// read from this index, never from the pool (R20, R28).
    package struct DueRow: Record {
        package struct Entry: Record {
            package var number = Ordinal(0)
            package var question = QuestionID.none

            package init() {}
        }

        package var entries: [Entry] = []

        package init() {}
    }

    /// How many questions are due on a day.
    package struct DueCount: Record {
        package var day = LocalDate.epoch
        package var count = 0

        package init() {}
    }
}

extension Learnable.State {
    /// Lists a recurring question under its due date (R20).
    func list(_ question: Learnable.QuestionID) {
        guard
            let (epoch, due, number) = questions.read(
                question, { $0.isRecurring ? ($0.epoch, $0.due, $0.number) : nil }) ?? nil
        else { return }
        dues.update(.init(epoch, Ordinal(due))) { day in
            let index = day.entries.insertionIndex { $0.number.number < number.number }
            day.entries.insert(.with { ($0.number, $0.question) = (number, question) }, at: index)
        }
        epochs.updateExisting(epoch) { epoch in
            let index = epoch.dueDays.insertionIndex { $0.day < due }
            if index < epoch.dueDays.count, epoch.dueDays[index].day == due {
                epoch.dueDays[index].count += 1
            } else {
                epoch.dueDays.insert(.with { ($0.day, $0.count) = (due, 1) }, at: index)
            }
        }
    }

    /// Takes a question off the list of its due date.
    func unlist(_ question: Learnable.QuestionID) {
        guard
            let (epoch, due, number) = questions.read(
                question,
                { $0.isRecurring && $0.events > 0 ? ($0.epoch, $0.due, $0.number) : nil }) ?? nil
        else { return }
        let key = Pair(epoch, Ordinal(due))
        let isLast = dues.update(key) { day in
            let index = day.entries.insertionIndex { $0.number.number < number.number }
            if index < day.entries.count, day.entries[index].question == question {
                day.entries.remove(at: index)
            }
            return day.entries.isEmpty
        }
        if isLast { dues.remove(key) }
        epochs.updateExisting(epoch) { epoch in
            let index = epoch.dueDays.insertionIndex { $0.day < due }
            guard index < epoch.dueDays.count, epoch.dueDays[index].day == due else { return }
            epoch.dueDays[index].count -= 1
            if epoch.dueDays[index].count == 0 { epoch.dueDays.remove(at: index) }
        }
    }
}

extension Learnable.State {
    /// How many questions of the epoch are due on a day (R20, R28).
    package func dueCount(_ epoch: Ordinal, on day: LocalDate) -> Int {
        epochs.read(epoch) { row in
            row.dueDays.reduce(0) { $1.day <= day ? $0 + $1.count : $0 }
        } ?? 0
    }

    /// The questions that are due on a day, in order of due date, then of pooling (R28).
    package func due(_ epoch: Ordinal, on day: LocalDate) -> [Learnable.QuestionID] {
        dueByDay(epoch, through: day).flatMap(\.questions)
    }

    /// The earliest due date of a subject's recurring questions.
    package func firstDue(in subject: Learnable.SubjectID) -> LocalDate? {
        guard let epoch = subjects.read(subject, { $0.epoch }) else { return nil }
        return dueByDay(epoch).first { day in
            day.questions.contains { questions.read($0) { $0.subject } == subject }
        }?.day
    }

    /// The recurring questions by due date, ascending, within a day by pooling.
    package func dueByDay(
        _ epoch: Ordinal, through last: LocalDate? = nil
    ) -> [(day: LocalDate, questions: [Learnable.QuestionID])] {
        let days = epochs.read(epoch) { $0.dueDays.map(\.day) } ?? []
        return days.prefix { day in last.map { day <= $0 } ?? true }.map { day in
            (day, dues.read(.init(epoch, Ordinal(day))) { $0.entries.map(\.question) } ?? [])
        }
    }
}

extension Ordinal {
    /// A day as a key: days since 1970.
    package init(_ day: LocalDate) {
        self.init(Int(day.days))
    }
}
