import Core

/// What students do, and what is done for their seats.
extension ExamRoomHistory {
    mutating func startAttempt() {
        guard let student = one(of: students) else { return }
        let published = exams.filter(\.isPublished)
        guard let exam = one(of: chance(90) ? published : exams) else { return }
        let id = chance(97) ? "AT-\(number())" : "AT-\(1 + below(max(1, lastNumber)))"
        let actor = chance(96) ? student : "S-1"
        tell(
            "examroom.attempt.start", by: "student:\(actor)", device: device(of: student),
            [
                ("attempt", .string(id)), ("exam", .string(exam.id)),
                ("student", .string(student)),
            ])
        attempts.append(
            Attempt(
                id: id, exam: exam.id, student: student, questions: exam.questions,
                end: now + Int64(exam.minutes * 60)))
    }

    mutating func recentAttempt() -> Attempt? {
        one(of: chance(85) ? Array(attempts.suffix(4)) : attempts)
    }

    mutating func work() {
        guard let attempt = recentAttempt(), let question = one(of: attempt.questions) else {
            return startAttempt()
        }
        let by = "student:\(attempt.student)"
        let device = device(of: attempt.student)
        if chance(15) {
            tell(
                "examroom.time.log", by: by, device: device,
                [
                    ("attempt", .string(attempt.id)), ("question", .string(question.id)),
                    ("seconds", .integer(Int64(below(90)))),
                ])
            return
        }
        var chosen = chance(65) ? question.correct.sorted() : [question.options[below(2)]]
        if chance(5) { chosen = [] }
        if chance(3) { chosen = ["a", "b", "z"] }
        var data: [(String, JSON)] = [
            ("attempt", .string(attempt.id)), ("question", .string(question.id)),
            ("chosen", .array(chosen.map { .string($0) })),
        ]
        if chance(60) { data.append(("seconds", .integer(Int64(below(120))))) }
        tell("examroom.answer.save", by: by, device: device, data)
    }

    mutating func submitAttempt() {
        guard let attempt = recentAttempt() else { return startAttempt() }
        let command = chance(85) ? "examroom.attempt.submit" : "examroom.attempt.discard"
        tell(
            command, by: "student:\(attempt.student)", device: device(of: attempt.student),
            [("attempt", .string(attempt.id))])
    }

    mutating func seat() {
        guard let exam = one(of: exams), let student = one(of: students) else { return }
        let kind = below(5)
        var seat = (exam: exam.id, student: student)
        if kind == 0 { blocked.append(seat) }
        if kind == 1, chance(80), let known = blocked.popLast() { seat = known }
        if kind == 2 { extended.append(seat) }
        if kind > 2, chance(80), let known = one(of: extended) { seat = known }
        let place: [(String, JSON)] = [
            ("exam", .string(seat.exam)), ("student", .string(seat.student)),
        ]
        let offer: [(String, JSON)] = [
            ("kind", .string("minutes")), ("value", .integer(chance(90) ? 15 : 7)),
        ]
        switch kind {
        case 0:
            tell("examroom.student.block", by: admin(), place + [("reason", .string("A reason"))])
        case 1: tell("examroom.student.unblock", by: admin(), place)
        case 2: tell("examroom.extension.grant", by: admin(), place + offer)
        case 3:
            tell(
                "examroom.extension.modify", by: admin(),
                place + [("kind", .string("percent")), ("value", .integer(50))])
        default: tell("examroom.extension.revoke", by: admin(), place)
        }
    }

    mutating func accommodation() {
        guard let exam = one(of: exams), let student = one(of: students) else { return }
        if chance(50) || requests.isEmpty {
            let id = "R-\(number())"
            tell(
                "examroom.accommodation.request", by: "student:\(student)",
                device: device(of: student),
                [
                    ("request", .string(id)), ("exam", .string(exam.id)),
                    ("student", .string(student)), ("kind", .string("percent")),
                    ("value", .integer(25)),
                    ("justification", .string(chance(90) ? "I need it" : " ")),
                ])
            requests.append(id)
        } else if let request = one(of: requests) {
            let id: (String, JSON) = ("request", .string(request))
            if chance(60) {
                tell("examroom.accommodation.approve", by: admin(), [id])
            } else {
                tell(
                    "examroom.accommodation.deny", by: admin(),
                    [id, ("reason", .string("Not this time"))])
            }
        }
    }
}
