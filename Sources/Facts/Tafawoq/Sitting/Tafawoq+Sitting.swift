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

    /// An exam or a practice.
    package struct SittingRow: Record {
        package var student = StudentID.none
        package var stage = Stage.empty
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
        package var deadline: Instant?
        package var remainingSeconds = 0
        package var suspendedAt: Instant?
        package var resumeUntil: Instant?
        package var pauses: [Pause] = []
        package var syncUntil: Instant?
        package var voided: [QuestionID] = []
        package var flags: [Exam.FlagPattern] = []
        package var endedAt: Instant?
        package var endPosition = Position.zero
        package var answered = 0
        package var correct = 0
        package var counts = false
        package var reason: String?
        package var exam: ExamScore?
        package var practice: PracticeScore?

        package init() {}
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
        _ body: (inout Tafawoq.SittingRow) -> Void
    ) {
        guard let row = sittings[key] else { return }
        change(key, metadata) {
            $0.stage = stage
            $0.endedAt = metadata.at
            $0.endPosition = metadata.position
            $0.suspendedAt = nil
            $0.resumeUntil = nil
            body(&$0)
        }
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
