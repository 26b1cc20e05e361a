import Core

/// What admins do to exams and their results.
extension ExamRoomHistory {
    mutating func details() -> [(String, JSON)] {
        var data: [(String, JSON)] = []
        if chance(60) {
            data.append(("durationMinutes", .integer(Int64(below(chance(5) ? 1500 : 40)))))
        }
        if chance(60) {
            data.append(("maxAttempts", chance(30) ? .null : .integer(Int64(1 + below(3)))))
        }
        if chance(40) { data.append(("shuffleQuestions", .bool(chance(70)))) }
        if chance(40) { data.append(("shuffleOptions", .bool(chance(70)))) }
        if chance(40) { data.append(("feedback", .string(chance(60) ? "instant" : "after"))) }
        if chance(30) { data.append(("passPercent", .hundredths(Int64(below(10_500))))) }
        if chance(20) { data.append(("description", .string("About \(below(9))"))) }
        if chance(15) {
            let opens = now + Int64(below(7200) - 3600)
            let closes = opens + Int64(below(86_400 * 2))
            let window: [(String, JSON)] = [
                ("opensAt", chance(70) ? .string("\(opens)") : .null),
                ("closesAt", chance(70) ? .string("\(closes)") : .null),
            ]
            data.append(("window", .object(of: window)))
        }
        return data
    }

    private func minutes(in details: [(String, JSON)]) -> Int? {
        details.first { $0.0 == "durationMinutes" }?.1.wholeNumber.map { Int($0) }
    }

    mutating func createExam() {
        let id = "EX-\(exams.count + 1)"
        let details = details()
        tell(
            "examroom.exam.create", by: admin(), device: chance(20) ? "D-1" : nil,
            [("exam", .string(id)), ("title", .string("Exam \(below(4))"))] + details)
        exams.append(Exam(id: id, minutes: minutes(in: details) ?? 60))
    }

    mutating func content() -> (
        data: [(String, JSON)], options: [String], correct: Set<String>
    ) {
        let options = Array(["a", "b", "c", "d"].prefix(2 + below(3)))
        var correct: Set<String> = [options[below(options.count)]]
        if chance(25) { correct.insert(options[below(options.count)]) }
        if chance(3) { correct.removeAll() }
        let list = JSON.array(
            options.map { option in
                .object(of: [
                    ("option", .string(option)), ("text", .string("Text \(option)")),
                    ("correct", .bool(correct.contains(option))),
                ])
            })
        return ([("prompt", .string("Prompt \(below(9))?")), ("options", list)], options, correct)
    }

    mutating func addQuestion(to index: Int) {
        guard exams.indices.contains(index) else { return }
        exams[index].lastID += 1
        let id = "Q-\(exams[index].lastID)"
        var (data, options, correct) = content()
        data += [("exam", .string(exams[index].id)), ("question", .string(id))]
        if chance(50) { data.append(("points", .integer(Int64(1 + below(4))))) }
        if chance(30) { data.append(("explanation", .string("Because."))) }
        tell("examroom.question.add", by: admin(), data)
        if !correct.isEmpty {
            exams[index].questions.append(Question(id: id, options: options, correct: correct))
        }
    }

    mutating func publish(_ index: Int) {
        tell("examroom.exam.publish", by: admin(), [("exam", .string(exams[index].id))])
        exams[index].isPublished = true
    }

    mutating func editExam() {
        guard let index = exams.indices.randomElement(using: &random) else { return }
        let exam = exams[index]
        let id: (String, JSON) = ("exam", .string(exam.id))
        switch below(12) {
        case 0:
            createExam()
        case 1, 2:
            addQuestion(to: index)
        case 3:
            publish(index)
        case 4:
            tell("examroom.exam.withdraw", by: admin(), [id])
            exams[index].isPublished = false
        case 5, 6:
            let changes = [("title", .string("Exam \(below(4))"))] + details()
            exams[index].minutes = minutes(in: changes) ?? exam.minutes
            tell("examroom.exam.revise", by: admin(), [id, ("changes", .object(of: changes))])
        case 7:
            guard let question = exam.questions.last else { return }
            let (data, options, correct) = content()
            tell(
                "examroom.question.revise", by: admin(),
                [id, ("question", .string(question.id)), ("changes", .object(of: data))])
            guard !correct.isEmpty else { return }
            exams[index].questions[exam.questions.count - 1] = Question(
                id: question.id, options: options, correct: correct)
        case 8:
            guard let question = one(of: exam.questions) else { return }
            tell(
                "examroom.question.remove", by: admin(), [id, ("question", .string(question.id))])
            exams[index].questions.removeAll { $0.id == question.id }
        case 9, 10:
            if chance(40), let image = images.popLast() {
                return tell(
                    "examroom.image.detach", by: admin(),
                    [("exam", .string(image.exam)), ("question", .string(image.question))])
            }
            guard let question = one(of: exam.questions) else { return }
            let target: (String, JSON) = ("question", .string(question.id))
            images.append((exam.id, question.id))
            let digit = ["a", "b"][below(2)]
            tell(
                "examroom.image.attach", by: admin(),
                [
                    id, target, ("hash", .string(String(repeating: digit, count: 64))),
                    ("format", .string(chance(90) ? "png" : "gif")),
                    ("bytes", .integer(Int64(below(5000)))),
                ])
        default:
            guard chance(30) else { return }
            tell("examroom.exam.delete", by: admin(), [id])
        }
    }

    mutating func grade() {
        guard let attempt = recentAttempt() else { return }
        tell(
            "examroom.grade.modify", by: admin(),
            [
                ("attempt", .string(attempt.id)), ("score", .integer(Int64(below(8)))),
                ("reason", .string(chance(95) ? "Appeal" : "")),
            ])
    }

    mutating func results() {
        guard let exam = one(of: exams) else { return }
        if chance(10) {
            return tell(
                "examroom.export.make", by: admin(),
                [
                    ("export", .string("E-\(number())")), ("scope", .string("audit")),
                    ("format", .string("csv")),
                ])
        }
        if chance(20) {
            let scope = chance(50) ? "exam" : "results"
            return tell(
                "examroom.export.make", by: admin(),
                [
                    ("export", .string("E-\(number())")), ("scope", .string(scope)),
                    ("format", .string(scope == "exam" ? "json" : "csv")),
                    ("exam", .string(exam.id)),
                ])
        }
        tell(
            chance(70) ? "examroom.results.publish" : "examroom.results.withhold", by: admin(),
            [("exam", .string(exam.id))])
    }
}
