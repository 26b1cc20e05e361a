import Core
import Folding
import TafawoqEvents

extension Tafawoq.Centre {
    /// From the request to the answers.
    static func sittingRoutes(_ routes: inout Routes<Tafawoq.Centre>) {
        routes.on(Tafawoq.Exam.Started.self) { $0.started($1, $2) }
        routes.on(Tafawoq.Practice.Started.self) { $0.started($1, $2) }
        routes.on(Tafawoq.Exam.Delivered.self) { centre, fact, event in
            centre.delivered(
                .exam(fact.exam), fact.questions, fact.passages, fact.waitedSeconds,
                deadline: fact.deadline, event)
        }
        routes.on(Tafawoq.Practice.Delivered.self) { centre, fact, event in
            centre.delivered(
                .practice(fact.practice), fact.questions, fact.passages, fact.waitedSeconds,
                deadline: nil, event)
        }
        routes.on(Tafawoq.Generation.Refused.self) { centre, fact, event in
            let key = Tafawoq.SittingKey(fact.of, fact.id)
            guard centre.sittings.contains(key) else { return }
            centre.change(key, event) { $0.refused += 1 }
            centre.mark(.refused, nil, event)
        }
        routes.on(Tafawoq.Generation.Failed.self) { centre, fact, event in
            let key = Tafawoq.SittingKey(fact.of, fact.id)
            guard centre.sittings.contains(key) else { return }
            centre.end(key, .failed, event) { $0.reason = fact.reason.rawValue }
            centre.mark(.failed, fact.reason, event)
        }
        routes.on(Tafawoq.Exam.Answered.self) { centre, fact, event in
            centre.answered(.exam(fact.exam), fact.answers, event)
        }
        routes.on(Tafawoq.Practice.Answered.self) { centre, fact, event in
            centre.answered(.practice(fact.practice), fact.answers, event)
        }
        routes.on(Tafawoq.Question.Voided.self) { centre, fact, event in
            centre.change(.init(fact.of, fact.id), event) { $0.voided.append(fact.question) }
        }
        routes.on(Tafawoq.Exam.Suspended.self) { centre, fact, event in
            let key = Tafawoq.SittingKey.exam(fact.exam)
            guard centre.sittings.contains(key) else { return }
            centre.change(key, event) {
                $0.stage = .suspended
                $0.remainingSeconds = fact.remainingSeconds
                $0.suspendedAt = event.at
                $0.resumeUntil = fact.resumeUntil
                $0.deadline = nil
            }
            centre.setTimer(Tafawoq.TimerName.resumeWindow, fact.resumeUntil, event)
        }
        routes.on(Tafawoq.Exam.Resumed.self) { centre, fact, event in
            let key = Tafawoq.SittingKey.exam(fact.exam)
            guard centre.sittings.contains(key) else { return }
            centre.change(key, event) { row in
                var pause = Tafawoq.Pause()
                pause.from = row.suspendedAt ?? event.at
                pause.to = event.at
                row.pauses.append(pause)
                row.stage = .inProgress
                row.suspendedAt = nil
                row.resumeUntil = nil
                row.deadline = fact.deadline
            }
            centre.setTimer(Tafawoq.TimerName.examTimeUp, fact.deadline, event)
        }
    }

    private func started(_ fact: Tafawoq.Exam.Started, _ event: Circumstances) {
        guard let learned = learning[fact.student] else { return }
        let key = Tafawoq.SittingKey.exam(fact.exam)
        begin(key, of: fact.student, fact.tier, fact.queued, until: fact.generateBy, event) {
            $0.device = fact.device
        }
        exams.append(key.id, to: fact.student, at: learned.exams)
        learning.updateExisting(fact.student) {
            $0.exams += 1
            $0.openExam = key.id
            $0.lastExam = key.id
            $0.lastExamAt = event.at
        }
        if learned.exams == 0 { roll.update(.only) { $0.examStarted += 1 } }
    }

    private func started(_ fact: Tafawoq.Practice.Started, _ event: Circumstances) {
        guard let learned = learning[fact.student] else { return }
        let key = Tafawoq.SittingKey.practice(fact.practice)
        begin(key, of: fact.student, fact.tier, fact.queued, until: fact.generateBy, event) {
            $0.device = fact.device
            $0.scope = fact.section
            $0.chosen = fact.categories
            $0.difficulty = fact.difficulty
            $0.asked = fact.questions
            $0.plan = fact.plan
        }
        practices.append(key.id, to: fact.student, at: learned.practices)
        learning.updateExisting(fact.student) {
            $0.practices += 1
            $0.openPractice = key.id
        }
    }

    /// What exams and practices begin with alike: the row, the queue, and the time to deliver.
    private func begin(
        _ key: Tafawoq.SittingKey, of student: Tafawoq.StudentID, _ tier: Tafawoq.Tier,
        _ queued: Bool, until generateBy: Instant, _ event: Circumstances,
        _ body: (inout Tafawoq.SittingRow) -> Void
    ) {
        sittings.update(key) {
            $0.student = student
            $0.startedAt = event.at
            $0.lastAt = event.at
            $0.tier = tier
            $0.queued = queued
            $0.generateBy = generateBy
            body(&$0)
        }
        var entry = Tafawoq.QueueEntry()
        entry.of = key.kind
        entry.id = key.id
        roll.update(.only) { $0.generating.append(entry) }
        mark(.requested, nil, event)
        setTimer(Tafawoq.TimerName.generationOverdue, generateBy, event)
        wasActive(student, event)
    }

    private func delivered(
        _ key: Tafawoq.SittingKey, _ packed: Packed<[Tafawoq.Question.Content]>,
        _ passages: [Tafawoq.Question.Text]?, _ waitedSeconds: Int, deadline: Instant?,
        _ event: Circumstances
    ) {
        guard let student = sittings.read(key, { $0.student }) else { return }
        change(key, event) {
            $0.stage = .inProgress
            $0.deliveredAt = event.at
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
            seen.update(.init(student, question.contentHash)) { $0.at = max($0.at, event.at) }
        }
        leaveQueue(key)
        mark(.delivered, nil, waitedSeconds: waitedSeconds, event)
        timers.cancelAll(on: event.stream)
        if let deadline { setTimer(Tafawoq.TimerName.examTimeUp, deadline, event) }
    }

    private func answered(
        _ key: Tafawoq.SittingKey, _ given: [Tafawoq.Question.Answer], _ event: Circumstances
    ) {
        guard let student = sittings.read(key, { $0.student }) else { return }
        change(key, event) { _ in }
        answers.update(key) {
            $0.answers += given
            $0.times.append(event.at)
        }
        wasActive(student, event)
    }

    // MARK: Small steps

    /// Changes a sitting that there is, and notes when.
    func change(
        _ key: Tafawoq.SittingKey, _ event: Circumstances,
        _ body: (inout Tafawoq.SittingRow) -> Void
    ) {
        sittings.updateExisting(key) {
            $0.lastAt = event.at
            body(&$0)
        }
    }

    /// The only timer on the sitting's stream.
    private func setTimer(_ name: String, _ due: Instant, _ event: Circumstances) {
        timers.cancelAll(on: event.stream)
        timers.set([.init(name, due: due, cause: event.position)], on: event.stream)
    }

    func leaveQueue(_ key: Tafawoq.SittingKey) {
        roll.update(.only) { roll in
            roll.generating.removeAll { $0.of == key.kind && $0.id == key.id }
        }
    }

    func mark(
        _ kind: Tafawoq.GenerationMarkKind, _ reason: Tafawoq.Generation.Reason?,
        waitedSeconds: Int = 0, _ event: Circumstances
    ) {
        var mark = Tafawoq.GenerationMark()
        mark.at = event.at
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
