import Core

/// Exams as wholes: copies, exports and the archive, documents, the move from a former system.
extension ExamRoomHistory {
    /// A migration that is on its way.
    struct Migration {
        let id: String
        /// Contents that are still to come, by item.
        var items: [(id: String, content: JSON)]
    }

    mutating func library() {
        switch below(10) {
        case 0, 1: duplicateExam()
        case 2, 3: archiveExam()
        case 4, 5: applyImport()
        default: migrate()
        }
    }

    private mutating func duplicateExam() {
        guard let source = one(of: exams) else { return }
        let copy = chance(95) ? "EX-\(exams.count + 1)" : source.id
        var data: [(String, JSON)] = [("exam", .string(source.id)), ("copy", .string(copy))]
        if chance(30) { data.append(("title", .string(chance(90) ? "A copy" : " "))) }
        tell("examroom.exam.duplicate", by: admin(), data)
        guard copy != source.id else { return }
        exams.append(
            Exam(
                id: copy, questions: source.questions, lastID: source.lastID,
                minutes: source.minutes))
    }

    /// Withdrawn, exported and put away, or some of that; now and then taken out again.
    private mutating func archiveExam() {
        guard let index = exams.indices.randomElement(using: &random) else { return }
        let id: (String, JSON) = ("exam", .string(exams[index].id))
        if chance(25) { return tell("examroom.exam.unarchive", by: admin(), [id]) }
        if exams[index].isPublished, chance(80) {
            tell("examroom.exam.withdraw", by: admin(), [id])
            exams[index].isPublished = false
        }
        if chance(85) {
            var data: [(String, JSON)] = [
                ("export", .string("E-\(number())")), ("format", .string("json")),
            ]
            data += chance(50) ? [("scope", .string("all"))] : [("scope", .string("exam")), id]
            tell("examroom.export.make", by: admin(), data)
        }
        if chance(10) { addQuestion(to: index) }
        tell("examroom.exam.archive", by: admin(), [id])
        if chance(60) { tell("examroom.exam.unarchive", by: admin(), [id]) }
    }

    // MARK: Documents

    private func image(_ digit: String) -> JSON {
        .object(of: [
            ("hash", .string(String(repeating: digit, count: 64))), ("format", .string("png")),
            ("bytes", .integer(700)),
        ])
    }

    /// An exam object, and what it makes of an exam.
    private mutating func examObject(_ id: String) -> (JSON, Exam) {
        var exam = Exam(id: id, minutes: 5 + below(30))
        var questions: [JSON] = []
        for _ in 0..<1 + below(3) {
            exam.lastID += 1
            let id = "Q-\(exam.lastID)"
            let (data, options, correct) = content()
            let more: [(String, JSON)] = [
                ("question", .string(id)), ("points", .integer(Int64(1 + below(3)))),
                ("explanation", .null), ("image", chance(30) ? image("c") : .null),
            ]
            questions.append(.object(of: data + more))
            exam.questions.append(Question(id: id, options: options, correct: correct))
        }
        let window: [(String, JSON)] = [("opensAt", .null), ("closesAt", .null)]
        let object: [(String, JSON)] = [
            ("exam", .string(id)), ("title", .string("Brought \(below(4))")),
            ("description", .string("")), ("durationMinutes", .integer(Int64(exam.minutes))),
            ("window", .object(of: window)), ("maxAttempts", .integer(Int64(1 + below(2)))),
            ("shuffleQuestions", .bool(chance(50))), ("shuffleOptions", .bool(chance(50))),
            ("feedback", .string(chance(50) ? "instant" : "after")),
            ("passPercent", .integer(50)), ("questions", .array(questions)),
        ]
        return (.object(of: object), exam)
    }

    private mutating func applyImport() {
        let isSingle = chance(60)
        var objects: [JSON] = []
        var brought: [Exam] = []
        for place in 1...(isSingle ? 1 : 2) {
            let id = chance(85) ? "EX-\(exams.count + place)" : "EX-1"
            let (object, exam) = examObject(id)
            objects.append(object)
            if id != "EX-1" { brought.append(exam) }
        }
        var document: [(String, JSON)] = [
            ("format", .string(isSingle ? "examroom.exam" : "examroom.archive")),
            ("version", .integer(chance(97) ? 1 : 2)), ("images", .array([image("c")])),
        ]
        document += isSingle ? [("exam", objects[0])] : [("exams", .array(objects))]
        if !isSingle { document.append(("results", .array([]))) }
        let digest = SHA256Digest.hex(of: JSON.object(of: document).canonical)
        document.append(("digest", .string(chance(93) ? digest : "00")))
        var data: [(String, JSON)] = [
            ("import", .string(chance(95) ? "IM-\(number())" : "IM-1")),
            ("document", .object(of: document)),
        ]
        if chance(50) { data.append(("onExisting", .string("skip"))) }
        tell("examroom.import.apply", by: admin(), data)
        exams += brought
    }

    // MARK: Migration

    private mutating func migrate() {
        let service = chance(70) ? "service:M-1" : admin()
        guard var migration else { return beginMigration(by: service) }
        let id: (String, JSON) = ("migration", .string(migration.id))
        guard let item = migration.items.first else {
            tell("examroom.migration.finish", by: service, [id])
            if chance(70) { self.migration = nil }
            return
        }
        let name: (String, JSON) = ("item", .string(item.id))
        switch below(10) {
        case 0, 1, 2:
            tell(
                "examroom.item.fail", by: service, [id, name, ("reason", .string("timeout"))])
        case 3, 4:
            tell("examroom.item.skip", by: service, [id, name])
            migration.items.removeFirst()
        case 5:
            tell("examroom.item.import", by: service, [id, name, ("content", .object([]))])
            tell("examroom.migration.finish", by: service, [id])
        default:  // all at once, so that histories of a hundred commands see an end
            for item in migration.items {
                tell(
                    "examroom.item.import", by: service,
                    [id, ("item", .string(item.id)), ("content", item.content)])
                if chance(10) {
                    tell("examroom.item.skip", by: service, [id, ("item", .string(item.id))])
                }
            }
            migration.items = []
        }
        self.migration = migration
    }

    private mutating func beginMigration(by service: String) {
        let id = "MG-\(number())"
        let student = "S-\(students.count + 1)"
        let exam = "EX-\(exams.count + 1)"
        let account: [(String, JSON)] = [
            ("account", .string(student)), ("role", .string("student")),
            ("name", .string("Person \(student)")), ("credential", credential("dg-\(student)")),
        ]
        let (object, brought) = examObject(exam)
        let started = now - Int64(86_400 * (1 + below(40)))
        let attempt: [(String, JSON)] = [
            ("attempt", .string("AT-\(number())")),
            ("exam", .string(chance(50) ? exam : exams.first?.id ?? exam)),
            ("student", .string(chance(50) ? student : students.first ?? student)),
            ("how", .string(chance(60) ? "student" : "time-up")),
            ("startedAt", .string("\(started)")),
            ("closedAt", .string("\(started + Int64(below(4000)))")),
            ("score", .integer(Int64(below(6)))), ("maxScore", .integer(Int64(5 - below(2)))),
        ]
        let contents: [(String, JSON)] = [
            ("account", .object(of: account)), ("exam", object), ("image", image("c")),
            ("attempt", .object(of: attempt)),
        ]
        let listed = contents.enumerated().map { place, content in
            JSON.object(of: [
                ("item", .string("I-\(place + 1)")), ("kind", .string(content.0)),
                ("digest", .string(SHA256Digest.hex(of: content.1.canonical))),
            ])
        }
        tell(
            "examroom.migration.begin", by: service,
            [
                ("migration", .string(id)), ("source", .string("former")),
                ("items", .array(listed)),
            ])
        migration = Migration(
            id: id,
            items: contents.enumerated().map { ("I-\($0.offset + 1)", $0.element.1) })
        digests[student] = "dg-\(student)"
        students.append(student)
        exams.append(brought)
    }
}
