import Core
import Folding
import TafawoqEvents

extension Tafawoq.State {
    /// From the request to the answers.
    static func sittingRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Exam.Started.self) { $0.started($1, $2) }
        routes.on(Tafawoq.Practice.Started.self) { $0.started($1, $2) }
        routes.on(Tafawoq.Exam.Delivered.self) { state, event, metadata in
            state.delivered(
                .exam(event.exam), event.questions, event.passages, event.waitedSeconds,
                deadline: event.deadline, metadata)
        }
        routes.on(Tafawoq.Practice.Delivered.self) { state, event, metadata in
            state.delivered(
                .practice(event.practice), event.questions, event.passages, event.waitedSeconds,
                deadline: nil, metadata)
        }
        routes.on(Tafawoq.Generation.Refused.self) { state, event, metadata in
            let key = Tafawoq.SittingKey(event.of, event.id)
            guard state.sittings.contains(key) else { return }
            state.change(key, metadata) { $0.refused += 1 }
            state.mark(.refused, nil, metadata)
        }
        routes.on(Tafawoq.Generation.Failed.self) { state, event, metadata in
            let key = Tafawoq.SittingKey(event.of, event.id)
            guard state.sittings.contains(key) else { return }
            state.end(key, .failed, metadata) { $0.reason = event.reason.rawValue }
            state.mark(.failed, event.reason, metadata)
        }
        routes.on(Tafawoq.Exam.Answered.self) { state, event, metadata in
            state.answered(.exam(event.exam), event.answers, metadata)
        }
        routes.on(Tafawoq.Practice.Answered.self) { state, event, metadata in
            state.answered(.practice(event.practice), event.answers, metadata)
        }
        routes.on(Tafawoq.Question.Voided.self) { state, event, metadata in
            state.change(.init(event.of, event.id), metadata) { $0.voided.append(event.question) }
        }
        routes.on(Tafawoq.Exam.Suspended.self) { state, event, metadata in
            let key = Tafawoq.SittingKey.exam(event.exam)
            guard state.sittings.contains(key) else { return }
            state.change(key, metadata) {
                $0.stage = .suspended
                $0.remainingSeconds = event.remainingSeconds
                $0.suspendedAt = metadata.at
                $0.resumeUntil = event.resumeUntil
                $0.deadline = nil
            }
            state.setTimer(Tafawoq.TimerName.resumeWindow, event.resumeUntil, metadata)
        }
        routes.on(Tafawoq.Exam.Resumed.self) { state, event, metadata in
            let key = Tafawoq.SittingKey.exam(event.exam)
            guard state.sittings.contains(key) else { return }
            state.change(key, metadata) { row in
                var pause = Tafawoq.Pause()
                pause.from = row.suspendedAt ?? metadata.at
                pause.to = metadata.at
                row.pauses.append(pause)
                row.stage = .inProgress
                row.suspendedAt = nil
                row.resumeUntil = nil
                row.deadline = event.deadline
            }
            state.setTimer(Tafawoq.TimerName.examTimeUp, event.deadline, metadata)
        }
    }

    private func started(_ event: Tafawoq.Exam.Started, _ metadata: EventMetadata) {
        guard let learned = learning[event.student] else { return }
        let key = Tafawoq.SittingKey.exam(event.exam)
        begin(key, of: event.student, event.tier, event.queued, until: event.generateBy, metadata) {
            $0.device = event.device
        }
        exams.append(key.id, to: event.student, at: learned.exams)
        learning.updateExisting(event.student) {
            $0.exams += 1
            $0.openExam = key.id
            $0.lastExam = key.id
            $0.lastExamAt = metadata.at
        }
        if learned.exams == 0 { roll.update(.only) { $0.examStarted += 1 } }
    }

    private func started(_ event: Tafawoq.Practice.Started, _ metadata: EventMetadata) {
        guard let learned = learning[event.student] else { return }
        let key = Tafawoq.SittingKey.practice(event.practice)
        begin(key, of: event.student, event.tier, event.queued, until: event.generateBy, metadata) {
            $0.device = event.device
            $0.scope = event.section
            $0.chosen = event.categories
            $0.difficulty = event.difficulty
            $0.asked = event.questions
            $0.plan = event.plan
        }
        practices.append(key.id, to: event.student, at: learned.practices)
        learning.updateExisting(event.student) {
            $0.practices += 1
            $0.openPractice = key.id
        }
    }

    /// What exams and practices begin with alike: the row, the queue, and the time to deliver.
    private func begin(
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
        roll.update(.only) { $0.generating.append(entry) }
        mark(.requested, nil, metadata)
        setTimer(Tafawoq.TimerName.generationOverdue, generateBy, metadata)
        wasActive(student, metadata)
    }

    private func delivered(
        _ key: Tafawoq.SittingKey, _ packed: Packed<[Tafawoq.Question.Content]>,
        _ passages: [Tafawoq.Question.Text]?, _ waitedSeconds: Int, deadline: Instant?,
        _ metadata: EventMetadata
    ) {
        guard let student = sittings.read(key, { $0.student }) else { return }
        change(key, metadata) {
            $0.stage = .inProgress
            $0.deliveredAt = metadata.at
            $0.deadline = deadline
        }
        let questions = packed.value
        papers.update(key) {
            $0.questions = packed
            $0.outline = questions.map { question in
                .with { ($0.question, $0.options) = (question.question, question.options.count) }
            }
            $0.passages = passages ?? []
        }
        for question in questions {
            seen.update(.init(student, question.contentHash)) { $0.at = max($0.at, metadata.at) }
        }
        leaveQueue(key)
        mark(.delivered, nil, waitedSeconds: waitedSeconds, metadata)
        timers.cancelAll(on: metadata.stream)
        if let deadline { setTimer(Tafawoq.TimerName.examTimeUp, deadline, metadata) }
    }

    private func answered(
        _ key: Tafawoq.SittingKey, _ given: [Tafawoq.Question.Answer], _ metadata: EventMetadata
    ) {
        guard let student = sittings.read(key, { $0.student }) else { return }
        change(key, metadata) { _ in }
        answers.update(key) {
            $0.answers += given
            $0.times.append(metadata.at)
        }
        wasActive(student, metadata)
    }

    // MARK: Small steps

    /// Changes a sitting that there is, and notes when.
    func change(
        _ key: Tafawoq.SittingKey, _ metadata: EventMetadata,
        _ body: (inout Tafawoq.SittingRow) -> Void
    ) {
        sittings.updateExisting(key) {
            $0.lastAt = metadata.at
            body(&$0)
        }
    }

    /// The only timer on the sitting's stream.
    private func setTimer(_ name: String, _ due: Instant, _ metadata: EventMetadata) {
        timers.cancelAll(on: metadata.stream)
        timers.set([.init(name, due: due, cause: metadata.position)], on: metadata.stream)
    }

    func leaveQueue(_ key: Tafawoq.SittingKey) {
        roll.update(.only) { roll in
            roll.generating.removeAll { $0.of == key.kind && $0.id == key.id }
        }
    }

    func mark(
        _ kind: Tafawoq.GenerationMarkKind, _ reason: Tafawoq.Generation.Reason?,
        waitedSeconds: Int = 0, _ metadata: EventMetadata
    ) {
        var mark = Tafawoq.GenerationMark()
        mark.at = metadata.at
        mark.kind = kind
        mark.reason = reason
        mark.waitedSeconds = waitedSeconds
        generationMarks.append(mark, at: count(\.generationMarks))
    }

    /// The next number of something that is counted in the roll, from 0 on.
    func count(_ path: WritableKeyPath<Tafawoq.RollRow, Int>) -> Int {
        roll.update(.only) { roll in
            roll[keyPath: path] += 1
            return roll[keyPath: path] - 1
        }
    }
}
