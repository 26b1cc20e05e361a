package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// When an exam could be sat: its publications and windows, as all its writes tell, whichever order they
    /// came in (R54).
    package struct Opening {
        private var publication: [(write: RecordedWrite, isPublished: Bool)] = []
        private var windows: [(write: RecordedWrite, window: Exam.Window)] = []
        private let names: Names

        init(_ log: WriteLog?, _ names: Names) {
            self.names = names
            for write in log?.writes ?? [] {
                if write.type == Exam.Published.type { publication.append((write, true)) }
                if write.type == Exam.Withdrawn.type { publication.append((write, false)) }
                if let window = write.window(names) { windows.append((write, window)) }
            }
        }

        /// Published, and in its window, at an instant (R15).
        package func includes(_ instant: Instant) -> Bool {
            guard last(publication, \.write, at: instant)?.isPublished == true else { return false }
            guard let window = last(windows, \.write, at: instant)?.window else { return false }
            return window.opensAt.map { $0 <= instant } ?? true
                && window.closesAt.map { instant < $0 } ?? true
        }

        /// The write that stood at an instant, in order of (moment, writer, position).
        private func last<W>(
            _ writes: [W], _ write: (W) -> RecordedWrite, at instant: Instant
        ) -> W? {
            writes.filter { write($0).moment <= instant }.max { left, right in
                let (left, right) = (write(left), write(right))
                return left.stamp == right.stamp
                    ? left.position < right.position : left.stamp.precedes(right.stamp, names)
            }
        }
    }
}

extension ExamRoom.RecordedWrite {
    /// The window that the event gave the exam; nil if it gave none.
    fileprivate func window(_ names: Names) -> ExamRoom.Exam.Window? {
        if let event = read(ExamRoom.Exam.Revised.self, names) { return event.changes.window?.to }
        if let event = read(ExamRoom.Exam.Created.self, names) { return event.details.window }
        if let event = read(ExamRoom.Exam.Imported.self, names) { return event.details.window }
        return read(ExamRoom.Exam.Duplicated.self, names)?.details.window
    }
}

extension ExamRoom.State {
    package func opening(of exam: ExamRoom.ExamID) -> ExamRoom.Opening {
        ExamRoom.Opening(examLogs[exam], names)
    }

    /// Whether the attempt began while its exam could not be sat (R54).
    package func wasOutside(_ attempt: ExamRoom.AttemptRow) -> Bool {
        !attempt.isImported && !opening(of: attempt.exam).includes(attempt.startedAt)
    }
}
