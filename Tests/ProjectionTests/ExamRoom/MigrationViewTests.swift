import Core
import ExamRoomEvents
import Projections
import ExamRoomProjections
import Testing

extension ToldRoom {
    /// Exams with a question of the id, one point, from a document or the former system.
    func bring(
        _ exam: String, by source: String = #""import":"IM-1","migration":null"#,
        image: String = "null", at instant: String = "2026-02-01T08:05:00Z"
    ) throws {
        try tell(
            "examroom.exam.imported", #"{"exam":"\#(exam)",\#(source),\#(Self.whole(image))}"#,
            at: instant)
    }

    func duplicate(
        _ source: String, to copy: String, image: String = "null",
        at instant: String = "2026-02-01T08:06:00Z"
    ) throws {
        try tell(
            "examroom.exam.duplicated",
            #"{"exam":"\#(copy)","source":"\#(source)",\#(Self.whole(image))}"#, at: instant)
    }

    private static func whole(_ image: String) -> String {
        """
        "details":{"title":"Brought","description":"","durationMinutes":60,
        "window":{"opensAt":null,"closesAt":null},"maxAttempts":2,"shuffleQuestions":false,
        "shuffleOptions":false,"feedback":"after","passPercent":50},
        "questions":[{"question":"Q-1","content":{"prompt":"?",
        "options":[{"option":"a","text":"a","correct":true}],"points":1,"explanation":null},
        "image":\(image)}]
        """
    }

    func importAttempt(
        _ attempt: String, of student: String, exam: String = "EX-1", score: Int = 3,
        how: String = "student", at instant: String = "2025-12-01T09:30:00Z",
        told: String = "2026-02-02T08:00:00Z"
    ) throws {
        try tell(
            "examroom.attempt.imported",
            """
            {"attempt":"\(attempt)","exam":"\(exam)","student":"\(student)","import":null,
            "migration":"MG-1",
            "how":"\(how)","startedAt":"2025-12-01T09:00:00Z","closedAt":"\(instant)",
            "localDate":"\(instant.prefix(10))","secondsTaken":1800,"score":\(score),"maxScore":4,
            "percent":\(score * 25),"passed":\(score >= 2),"paper":[],"marks":[],
            "answers":null}
            """, at: told, by: "service:M-1", on: "examroom/attempt/\(attempt)", about: student)
    }
}

@Suite struct `Exams that came whole` {
    private let room = ToldRoom()
    private static let image =
        #"{"hash":"\#(String(repeating: "a", count: 64))","format":"png","bytes":7}"#

    @Test("R10: a copy names its source and is a draft of its own moment")
    func copies() throws {
        try room.exam("EX-1")
        try room.publish()
        try room.duplicate("EX-1", to: "EX-2")
        let view = try #require(try room.show("exam", "EX-2"))
        #expect(view.text("source") == #""EX-1""#)
        #expect(view.text("state") == #""draft""#)
        #expect(view.text("createdAt") == #""2026-02-01T08:06:00Z""#)
        #expect(view.column("questions", "question") == [#""Q-1""#])
        try room.bring("EX-3")
        #expect(try room.show("exam", "EX-3")?.text("source") == "null")
        #expect(try room.show("overview")?.text("exams") == "3")
    }

    @Test("R11: what an exam brings refers to its images; the last bringer says their size")
    func images() throws {
        try room.bring("EX-1", image: Self.image)
        try room.duplicate(
            "EX-1", to: "EX-2", image: Self.image.replacing(#""bytes":7"#, with: #""bytes":9"#))
        let images = try #require(try room.show("images"))
        #expect(images.text("images.0.references") == "2")
        #expect(images.text("totalBytes") == "9")
    }

    @Test("R12: an archived exam is listed as such and offered to nobody; unarchived it is a draft")
    func archived() throws {
        try room.register("S-1")
        try room.exam()
        try room.tell("examroom.exam.archived", #"{"exam":"EX-1"}"#, at: "2026-02-01T09:00:00Z")
        #expect(try room.show("exam", "EX-1")?.text("state") == #""archived""#)
        #expect(try room.show("exams", "", ["state": "archived"])?.text("total") == "1")
        #expect(try room.show("available", "S-1")?.text("exams") == "[]")
        try room.tell("examroom.exam.unarchived", #"{"exam":"EX-1"}"#, at: "2026-02-01T09:01:00Z")
        #expect(try room.show("exams", "", ["state": "draft"])?.text("total") == "1")
    }

    @Test("the audit trail says where an exam came from, and what the archive changed")
    func audit() throws {
        try room.exam()
        try room.duplicate("EX-1", to: "EX-2", at: "2026-02-01T08:06:00Z")
        try room.bring("EX-3", at: "2026-02-01T08:07:00Z")
        try room.bring(
            "EX-4", by: #""import":null,"migration":"MG-1""#, at: "2026-02-01T08:08:00Z")
        let created = try #require(try room.show("audit", "", ["action": "exam_created"]))
        #expect(
            (0..<4).map { created.text("entries.\($0).details.source") }
                == [#""migration:MG-1""#, #""import:IM-1""#, #""EX-1""#, "null"])
        try room.tell("examroom.exam.archived", #"{"exam":"EX-1"}"#, at: "2026-02-01T09:00:00Z")
        try room.tell("examroom.exam.unarchived", #"{"exam":"EX-1"}"#, at: "2026-02-01T09:01:00Z")
        let modified = try #require(try room.show("audit", "", ["action": "exam_modified"]))
        #expect(
            modified.column("entries", "details")
                == Array(repeating: #"{"changed":["archive"],"question":null}"#, count: 2))
        try room.tell(
            "examroom.import.applied",
            """
            {"import":"IM-1","format":"examroom.exam","digest":"d","exams":["EX-3"],"skipped":[],
            "results":[],"omitted":[],"questions":1,"images":0,"records":2}
            """, at: "2026-02-01T09:02:00Z")
        try room.tell(
            "examroom.migration.finished",
            #"{"migration":"MG-1","imported":3,"skipped":1,"verified":true,"missing":[]}"#,
            at: "2026-02-01T09:03:00Z")
        let imported = try #require(try room.show("audit", "", ["action": "data_imported"]))
        #expect(
            imported.column("entries", "details") == [
                #"{"records":3,"source":"migration:MG-1"}"#,
                #"{"records":2,"source":"import:IM-1"}"#,
            ])
        #expect(imported.column("entries", "exam") == ["null", "null"])
    }
}

@Suite struct `The move from a former system` {
    private let room = ToldRoom()

    private func begin(_ items: Int) throws {
        let listed = (1...items).map { #"{"item":"I-\#($0)","kind":"image","digest":"d"}"# }
        try room.tell(
            "examroom.migration.begun",
            #"{"migration":"MG-1","source":"supabase","items":[\#(listed.joined(separator: ","))],"total":\#(items)}"#,
            at: "2026-02-01T08:00:00Z")
    }

    private func item(_ what: String, _ number: Int, _ more: String = "") throws {
        try room.tell(
            "examroom.item.\(what)", #"{"migration":"MG-1","item":"I-\#(number)"\#(more)}"#,
            at: "2026-02-01T08:01:00Z")
    }

    private func `import`(_ number: Int, tries: Int = 1) throws {
        try item(
            "imported", number, #","kind":"image","digest":"d","thing":"x","tries":\#(tries)"#)
    }

    private func fail(_ number: Int, _ reason: String, tries: Int) throws {
        try item("failed", number, #","reason":"\#(reason)","tries":\#(tries)"#)
    }

    @Test("R37: progress counts what is done; what failed is neither done nor pending")
    func progress() throws {
        #expect(try room.show("migration", "MG-1") == nil)
        try begin(12)
        for number in 1...3 { try `import`(number) }
        try item("skipped", 4)
        try fail(11, "timeout", tries: 1)
        try fail(11, "again", tries: 2)
        try fail(5, "gone", tries: 1)
        let view = try #require(try room.show("migration", "MG-1"))
        #expect(
            view.text("failed")
                == #"[{"item":"I-11","reason":"again","tries":2},{"item":"I-5","reason":"gone","tries":1}]"#
        )
        #expect(view.text("imported") == "3" && view.text("skipped") == "1")
        #expect(view.text("pending") == "6" && view.text("total") == "12")
        #expect(view.text("percent") == "33.33")
        #expect(view.text("state") == #""running""# && view.text("verified") == "null")
        #expect(view.text("missing") == "[]" && view.text("source") == #""supabase""#)
    }

    @Test("R36: a failed item that came after all, or was skipped, is not failed any more")
    func recovered() throws {
        try begin(2)
        try fail(1, "timeout", tries: 1)
        try fail(2, "timeout", tries: 1)
        try `import`(1, tries: 2)
        try item("skipped", 2)
        let view = try #require(try room.show("migration", "MG-1"))
        #expect(view.text("failed") == "[]" && view.text("pending") == "0")
        #expect(view.text("percent") == "100")
    }

    @Test("R37: a finished migration says what is missing")
    func finished() throws {
        try begin(1)
        try item("skipped", 1)
        try room.tell(
            "examroom.migration.finished",
            #"{"migration":"MG-1","imported":0,"skipped":1,"verified":false,"missing":["ab"]}"#,
            at: "2026-02-01T09:00:00Z")
        let view = try #require(try room.show("migration", "MG-1"))
        #expect(view.text("state") == #""finished""# && view.text("verified") == "false")
        #expect(view.text("missing") == #"["ab"]"#)
    }
}

@Suite struct `An imported attempt` {
    private let room = ToldRoom()

    init() throws {
        try room.register("S-1")
        try room.exam(attempts: "3")
        try room.question("Q-1")
        try room.publish()
    }

    @Test("R36: it has neither paper nor clock: what hangs on these is null, 0 or empty")
    func attempt() throws {
        try room.importAttempt("AT-1", of: "S-1")
        let view = try #require(try room.show("attempt", "AT-1"))
        for member in ["deadline", "limitSeconds", "feedback", "title", "extension", "warning"] {
            #expect(view.text(member) == "null", "\(member)")
        }
        for member in ["answered", "total", "remainingSeconds"] {
            #expect(view.text(member) == "0", "\(member)")
        }
        #expect(view.text("questions") == "[]" && view.text("over") == "true")
        #expect(view.text("state") == #""closed""# && view.text("number") == "1")
    }

    @Test("the student sees its score with the results, and no questions")
    func result() throws {
        try room.importAttempt("AT-1", of: "S-1")
        let hidden = try #require(try room.show("result", "AT-1"))
        #expect(hidden.text("questions") == "null" && hidden.text("score") == "null")
        #expect(hidden.text("answered") == "null" && hidden.text("how") == #""student""#)
        try room.tell("examroom.results.published", #"{"exam":"EX-1"}"#, at: "2026-02-03T08:00:00Z")
        let shown = try #require(try room.show("result", "AT-1"))
        #expect(shown.text("questions") == "[]" && shown.text("score") == "3")
        #expect(shown.text("answered") == "null" && shown.text("passed") == "true")
    }

    @Test("its title is the exam's, as it is now")
    func history() throws {
        try room.importAttempt("AT-1", of: "S-1")
        try room.tell(
            "examroom.exam.revised",
            #"{"exam":"EX-1","changes":{"title":{"from":"Algebra","to":"Algebra II"}}}"#,
            at: "2026-02-02T08:30:00Z")
        try room.start("AT-2", of: "S-1")
        let view = try #require(try room.show("history", "S-1"))
        #expect(view.column("attempts", "title") == [#""Algebra""#, #""Algebra II""#])
    }

    @Test("R24, R32: it counts in results and statistics, without questions")
    func statistics() throws {
        try room.importAttempt("AT-1", of: "S-1", how: "time-up")
        try room.start("AT-2", of: "S-1")
        try room.submit("AT-2", of: "S-1")
        let exam = try #require(try room.show("exam-analytics", "EX-1"))
        #expect(exam.text("attempts") == "2" && exam.text("completed") == "2")
        #expect(exam.text("handedIn") == "1" && exam.text("averagePercent") == "87.5")
        #expect(exam.text("averageSeconds") == "1200")
        #expect(exam.column("questions", "shown") == ["1"])
        #expect(exam.column("trend", "date") == [#""2025-12-01""#, #""2026-02-02""#])
        let results = try #require(try room.show("results", "EX-1"))
        #expect(results.column("results", "attempt") == [#""AT-2""#, #""AT-1""#])
        #expect(results.column("results", "number") == ["2", "1"])
        let student = try #require(try room.show("student-analytics", "S-1"))
        #expect(student.text("totalSeconds") == "2400")
        #expect(try room.show("account", "S-1")?.text("attempts.completed") == "2")
        let board = try #require(try room.show("leaderboard", "completion"))
        #expect(board.text("entries.0.completionRate") == "50")
    }

    @Test("R28: its date is none of a streak's")
    func streak() throws {
        try room.importAttempt("AT-1", of: "S-1", at: "2026-02-01T09:30:00Z")
        try room.start("AT-2", of: "S-1")
        try room.submit("AT-2", of: "S-1")
        let view = try #require(
            try room.show("achievements", "S-1", now: "2026-02-02T12:00:00Z"))
        #expect(view.text("longestStreak") == "1" && view.text("currentStreak") == "1")
    }

    @Test("R15, 22.10: it is used up, and the exam has been started")
    func seat() throws {
        try room.tell(
            "examroom.extension.granted",
            #"{"exam":"EX-1","student":"S-1","kind":"minutes","value":15,"request":null}"#,
            at: "2026-02-01T10:00:00Z")
        #expect(try room.show("extensions")?.text("extensions.0.started") == "false")
        try room.importAttempt("AT-1", of: "S-1")
        #expect(try room.show("extensions")?.text("extensions.0.started") == "true")
        let available = try #require(try room.show("available", "S-1"))
        #expect(available.text("exams.0.attemptsUsed") == "1")
        #expect(available.text("exams.0.attemptsLeft") == "2")
    }

    @Test("R6: with its student it counts nowhere any more")
    func deletedStudent() throws {
        try room.importAttempt("AT-1", of: "S-1")
        try room.tell(
            "examroom.account.deleted",
            #"{"account":"S-1","role":"student","attempts":1,"reason":null}"#,
            at: "2026-02-03T08:00:00Z")
        #expect(try room.show("exams")?.text("exams.0.attempts.completed") == "0")
        #expect(try room.show("exam-analytics", "EX-1")?.text("attempts") == "0")
    }
}
