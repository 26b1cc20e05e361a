import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// What a merge remembers from one of its commands to the next (R38-R46).
    final class Merge {
        let context: Context
        let device: DeviceID
        /// The last position of this journal that the device held.
        let seen: Position
        /// When it is merged.
        let at: Instant
        /// Where the events of this merge begin.
        let start: Position
        /// Deletions that clash with edits of the other side, in the order of the batch (R41).
        private(set) var clashes: [Clash] = []
        /// Seats whose attempts are checked for conflicts (R44 c, d).
        var startedSeats: Set<SeatKey> = []
        var blockedSeats: Set<SeatKey> = []
        /// Exams whose publication or window this batch wrote, and those whose results it published.
        var openedExams: Set<ExamID> = []
        var publishedExams: Set<ExamID> = []
        /// Exams whose `maxAttempts` this batch wrote.
        var limitedExams: Set<ExamID> = []
        /// Attempts to be scored anew, with the earliest submission that counts and has no event (R43).
        private(set) var closed: [AttemptID: Instant?] = [:]
        /// The first submission of this batch that an earlier one of another device outdid: should that one come
        /// out as late, it counts (R53).
        var outdone: [AttemptID: Instant] = [:]
        /// What came late, by attempt (R53).
        var late: [AttemptID: Late] = [:]
        /// Attempts that were released and have not earned anything yet: the batch changes their score.
        var released: Set<AttemptID> = []
        /// Questions under `answersFinal` that this batch answered, by attempt (R53).
        var answeredFinally: [AttemptID: Set<QuestionID>] = [:]
        /// A student brings the batch: what it says of its device proves nothing.
        let isByStudent: Bool
        private var publications: [ExamID: [Publication]] = [:]

        private var knownExams: [ExamID: (version: [Int], state: State)] = [:]
        private var knownStates: [State] = []

        /// A deletion on one side, edits on the other.
        struct Clash {
            let subject: ConflictSubject
            let deletion: Conflict.Contender
            /// The deletion came with this batch and was not carried out.
            let isKept: Bool
        }

        init(_ context: Context, device: DeviceID, seen: Position) {
            self.context = context
            self.device = device
            self.seen = seen
            at = context.at
            start = context.nextPosition
            isByStudent = context.actor.kind == .student
        }

        private var state: State { context.state }

        // MARK: What the device knew

        /// The exam, and a student's seat at it, as the device knew them (R42).
        func known(_ exam: ExamID, _ student: StudentID? = nil) -> State {
            let kept = clashes.filter(\.isKept).map(\.subject)
            // Without writes to the seat the exam is the same for all students.
            let hasSeat = student.map { state.seatLogs.contains(.init(exam, $0)) } ?? false
            let version = [state.examLogs[exam]?.writes.count ?? 0, kept.count]
            if !hasSeat, let former = knownExams[exam], former.version == version {
                return former.state
            }
            let known = state.known(
                exam, hasSeat ? student : nil, to: device.symbol, through: seen, kept: kept)
            knownStates.append(known)
            if !hasSeat { knownExams[exam] = (version, known) }
            return known
        }

        deinit { for state in knownStates { state.space.dissolve() } }

        // MARK: Things that may have been deleted meanwhile

        /// A thing that a command writes to; what was deleted on the other side comes back (R41).
        struct Target {
            fileprivate var restored: [(ConflictSubject, RecordedWrite)] = []
        }

        /// The exam, unless it never existed or the device could know that it is deleted (R41).
        func target(_ exam: ExamID) throws(Rejection) -> Target {
            guard let row = state.exams[exam] else { throw context.notFound(exam) }
            guard row.isDeleted else { return Target() }
            return Target(restored: [(.exam(exam), try deletion(of: .exam(exam), in: exam))])
        }

        /// The same for a question (R41).
        func target(_ exam: ExamID, _ question: QuestionID) throws(Rejection) -> Target {
            var target = try target(exam)
            guard let bank = state.banks[exam], bank.hasUsed(question) else {
                throw context.notFound(question)
            }
            if bank.index(of: question) == nil {
                let subject = ConflictSubject.question(exam, question)
                target.restored.append((subject, try deletion(of: subject, in: exam)))
            }
            return target
        }

        /// A seat, which may be written to though its exam was deleted on the other side meanwhile (R41).
        func seat(_ exam: ExamID, _ student: StudentID) throws(Rejection) -> SeatRow {
            _ = try target(exam)
            guard state.accounts[.init(student)]?.isActiveStudent == true else {
                throw context.notFound(student)
            }
            return state.seats[.init(exam, student)] ?? .init()
        }

        /// Brings back what was deleted; a conflict will ask for a choice.
        func restore(_ target: Target) {
            for (subject, deletion) in target.restored {
                switch subject {
                case .exam(let exam):
                    context.record(Exam.Restored(exam: exam), on: exam)
                case .question(let exam, let question):
                    guard
                        let removed = state.banks[exam]?.removed.first(where: {
                            $0.question == question
                        })
                    else { continue }
                    context.record(
                        Question.Restored(
                            exam: exam, question: question, content: removed.content),
                        on: exam)
                case .attempt: continue
                }
                clashes.append(
                    Clash(subject: subject, deletion: Self.contender(deletion), isKept: false))
            }
        }

        /// The deletion of a thing by another writer after `seen`; any other is `not-found`.
        func deletion(
            of subject: ConflictSubject, in exam: ExamID
        ) throws(Rejection) -> RecordedWrite {
            var deletions: [RecordedWrite] = []
            for event in state.examLogs[exam]?.writes ?? [] {
                if event.isDeletion(of: subject, state.names) { deletions.append(event) }
                if event.isRestoration(of: subject, state.names) { deletions = [] }
            }
            guard let first = deletions.first, first.position > seen,
                !deletions.contains(where: { $0.writer == device.symbol })
            else {
                switch subject {
                case .exam(let exam): throw context.notFound(exam)
                case .question(_, let question): throw context.notFound(question)
                case .attempt(let attempt): throw context.notFound(attempt)
                }
            }
            return first
        }

        /// The edits of the other side meanwhile; if there are any, the thing is kept (R41).
        func editsElsewhere(of subject: ConflictSubject, in exam: ExamID) -> [RecordedWrite] {
            (state.examLogs[exam]?.writes ?? []).filter {
                $0.position > seen && $0.writer != device.symbol
                    && $0.isEdit(of: subject, state.names)
            }
        }

        /// The edits of this batch.
        func editsHere(of subject: ConflictSubject, in exam: ExamID) -> [RecordedWrite] {
            (state.examLogs[exam]?.writes ?? []).filter {
                $0.position >= start && $0.writer == device.symbol
                    && $0.isEdit(of: subject, state.names)
            }
        }

        /// The deletion is not carried out: a conflict will ask for a choice.
        func keep(_ subject: ConflictSubject, command: String) {
            let deletion = Conflict.Contender(
                command: command, at: context.at, device: device,
                by: InternedText(context.actor.symbol))
            clashes.append(Clash(subject: subject, deletion: deletion, isKept: true))
        }

        // MARK: Attempts

        /// A command found the attempt closed: it is reconciled at the end (R43).
        func meet(_ attempt: AttemptID, _ row: AttemptRow) {
            if row.course != .open { rescore(attempt) }
        }

        /// Scores the attempt anew at the end.
        func rescore(_ attempt: AttemptID) {
            if closed[attempt] == nil { closed[attempt] = .some(nil) }
        }

        /// The publications of an exam's results that stood here before this batch.
        func publicationsBefore(of exam: ExamID) -> [Publication] {
            if let known = publications[exam] { return known }
            let found = state.publications(of: exam, seen: seen)
                .filter { $0.write.position < start }
            publications[exam] = found
            return found
        }

        /// A submission earlier than the closing counts, without an event of its own (R43).
        func count(submission instant: Instant, of attempt: AttemptID) {
            let former = closed[attempt] ?? nil
            closed[attempt] = .some(former.map { min($0, instant) } ?? instant)
        }

        static func contender(_ event: RecordedWrite) -> Conflict.Contender {
            Conflict.Contender(
                command: event.command, at: event.moment,
                device: event.writer.isNone ? nil : DeviceID(event.writer), by: event.by)
        }
    }
}

extension ExamRoom.RecordedWrite {
    func isDeletion(of subject: ExamRoom.ConflictSubject, _ names: Names) -> Bool {
        switch subject {
        case .exam: type == ExamRoom.Exam.Deleted.type
        case .question(_, let question):
            read(ExamRoom.Question.Removed.self, names)?.question == question
        case .attempt: false
        }
    }

    func isRestoration(of subject: ExamRoom.ConflictSubject, _ names: Names) -> Bool {
        switch subject {
        case .exam: type == ExamRoom.Exam.Restored.type
        case .question(_, let question):
            read(ExamRoom.Question.Restored.self, names)?.question == question
        case .attempt: false
        }
    }

    /// For a question its revisions and images, for an exam all but its deletions (R41).
    func isEdit(of subject: ExamRoom.ConflictSubject, _ names: Names) -> Bool {
        switch subject {
        case .exam: !isDeletion(of: subject, names) && !isRestoration(of: subject, names)
        case .question(_, let question):
            read(ExamRoom.Question.Revised.self, names)?.question == question
                || read(ExamRoom.Image.Attached.self, names)?.question == question
                || read(ExamRoom.Image.Detached.self, names)?.question == question
        case .attempt: false
        }
    }
}
