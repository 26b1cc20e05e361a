package import Core
package import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The status of an exam or practice.
    package enum Stage: String, Choice {
        case generating
        case inProgress = "in-progress"
        case suspended
        case completed
        case abandoned
        case expired
        case failed
    }

    /// A time in which the clock of an exam stood still.
    package struct Pause: Record {
        package var from = Instant.epoch
        package var to = Instant.epoch

        package init() {}
    }

    /// What an exam or practice is in.
    package enum Progress: Situation {
        /// Its questions are asked for (R24, R39).
        case generating
        /// It is answered, an exam until its deadline.
        case inProgress(deadline: Instant?)
        /// The clock of an exam stands still (R29).
        case suspended(Suspension)
        case ended(SittingEnd)

        package static let cases: [SituationCase<Self>] = [
            .bare("generating", .generating),
            .with("in-progress", { .inProgress(deadline: $0) }) {
                if case .inProgress(let deadline) = $0 { .some(deadline) } else { nil }
            },
            .with("suspended", Self.suspended) {
                if case .suspended(let suspension) = $0 { suspension } else { nil }
            },
            .with("ended", Self.ended) { if case .ended(let end) = $0 { end } else { nil } },
        ]

        package static let empty = Self.generating
    }

    /// An exam that was left and may be resumed (R29).
    package struct Suspension: Record {
        package var from = Instant.epoch
        package var remainingSeconds = 0
        package var resumeUntil = Instant.epoch

        package init() {}
    }

    /// How an exam or practice ended.
    package struct SittingEnd: Record {
        package var stage = Stage.completed
        package var at = Instant.epoch
        package var position = Position.zero
        /// The deadline that an exam had.
        package var deadline: Instant?
        /// Until when an exam that expired may still be handed in (R28).
        package var syncUntil: Instant?
        package var answered = 0
        package var correct = 0
        /// It counts towards the week's limit (R23).
        package var counts = false
        package var reason: String?
        package var score = Score.none

        package init() {}
    }

    /// What was reached in an exam or practice that is completed.
    package enum Score: Situation {
        case none
        case exam(ExamScore)
        case practice(PracticeScore)

        package static let cases: [SituationCase<Self>] = [
            .bare("none", .none),
            .with("exam", Self.exam) { if case .exam(let score) = $0 { score } else { nil } },
            .with("practice", Self.practice) {
                if case .practice(let score) = $0 { score } else { nil }
            },
        ]

        package static let empty = Self.none
    }

    /// An exam or a practice.
    package struct SittingRow: Record {
        package var student = StudentID.none
        package var startedAt = Instant.epoch
        package var tier = Tier.empty
        package var queued = false
        package var generateBy = Instant.epoch
        package var device: DeviceID?
        /// What was chosen for a practice.
        package var scope = Practice.Scope.empty
        package var chosen: [Category] = []
        package var difficulty = Difficulty.empty
        package var asked = 0
        package var plan: [Practice.Share] = []
        /// Deliveries that were sent back.
        package var refused = 0
        /// When the last event of its stream happened.
        package var lastAt = Instant.epoch
        package var deliveredAt: Instant?
        package var progress = Progress.generating
        package var pauses: [Pause] = []
        package var voided: [QuestionID] = []
        package var flags: [Exam.FlagPattern] = []

        package init() {}

        package var stage: Stage {
            switch progress {
            case .generating: .generating
            case .inProgress: .inProgress
            case .suspended: .suspended
            case .ended(let end): end.stage
            }
        }

        /// The exam's deadline, or the one that it had.
        package var deadline: Instant? {
            switch progress {
            case .generating, .suspended: nil
            case .inProgress(let deadline): deadline
            case .ended(let end): end.deadline
            }
        }

        package var suspension: Suspension? {
            if case .suspended(let suspension) = progress { suspension } else { nil }
        }

        package var end: SittingEnd? { if case .ended(let end) = progress { end } else { nil } }

        package var examScore: ExamScore? {
            if case .exam(let score) = end?.score { score } else { nil }
        }

        package var practiceScore: PracticeScore? {
            if case .practice(let score) = end?.score { score } else { nil }
        }
    }

    /// A student's exams and practices, in numbers.
    package struct LearningRow: Record {
        package var exams = 0
        package var practices = 0
        package var completedExams = 0
        package var completedPractices = 0
        /// Generating, in progress or suspended.
        package var openExam: SittingID?
        package var openPractice: SittingID?
        package var lastExam: SittingID?
        package var lastExamAt: Instant?
        /// The time of all completed practices (R40).
        package var practiceSeconds = 0
        package var firstOverall: Percent?

        package init() {}
    }

    /// An exam or a practice, by kind and id.
    package typealias SittingKey = Pair<Ordinal, SittingID>
}

extension Tafawoq.SittingKey {
    package static func exam(_ id: Tafawoq.ExamID) -> Self { Self(.init(0), .init(id)) }

    package static func practice(_ id: Tafawoq.PracticeID) -> Self { Self(.init(1), .init(id)) }

    package init(_ kind: Tafawoq.SittingKind, _ id: Tafawoq.SittingID) {
        self.init(Ordinal(kind == .exam ? 0 : 1), id)
    }

    package var kind: Tafawoq.SittingKind { first.number == 0 ? .exam : .practice }
    package var id: Tafawoq.SittingID { second }
}

extension Tafawoq.State {
    /// Begins an exam or practice: the row, its entry in the queue, and the time to deliver.
    func begin(
        _ key: Tafawoq.SittingKey, of student: Tafawoq.StudentID, _ tier: Tafawoq.Tier,
        _ queued: Bool, until generateBy: Instant, _ metadata: EventMetadata,
        _ body: (inout Tafawoq.SittingRow) -> Void
    ) {
        sittings.update(key) {
            $0.student = student
            $0.startedAt = metadata.at
            $0.lastAt = metadata.at
            $0.tier = tier
            $0.queued = queued
            $0.generateBy = generateBy
            body(&$0)
        }
        var entry = Tafawoq.QueueEntry()
        entry.of = key.kind
        entry.id = key.id
        totals.update(.only) { $0.generating.append(entry) }
        markGeneration(.requested, key, nil, metadata)
        setTimer(Tafawoq.TimerName.generationOverdue, generateBy, metadata)
        noteActivity(student, metadata)
    }

    /// Changes an exam or practice that exists, and notes when.
    func change(
        _ key: Tafawoq.SittingKey, _ metadata: EventMetadata,
        _ body: (inout Tafawoq.SittingRow) -> Void
    ) {
        sittings.updateExisting(key) {
            $0.lastAt = metadata.at
            body(&$0)
        }
    }

    /// Ends an exam or practice: it is no longer open, queued or timed.
    func end(
        _ key: Tafawoq.SittingKey, _ stage: Tafawoq.Stage, _ metadata: EventMetadata,
        _ body: (inout Tafawoq.SittingEnd) -> Void
    ) {
        guard let row = sittings[key] else { return }
        var end = Tafawoq.SittingEnd()
        end.stage = stage
        end.at = metadata.at
        end.position = metadata.position
        end.deadline = row.deadline
        body(&end)
        change(key, metadata) { $0.progress = .ended(end) }
        learning.updateExisting(row.student) {
            if key.kind == .exam, $0.openExam == key.id { $0.openExam = nil }
            if key.kind == .practice, $0.openPractice == key.id { $0.openPractice = nil }
        }
        if row.stage == .generating { leaveQueue(key) }
        timers.cancelAll(on: metadata.stream)
    }

    /// Sets the only timer on the stream of an exam or practice.
    func setTimer(_ name: String, _ due: Instant, _ metadata: EventMetadata) {
        timers.cancelAll(on: metadata.stream)
        timers.set([.init(name, due: due, cause: metadata.position)], on: metadata.stream)
    }
}
