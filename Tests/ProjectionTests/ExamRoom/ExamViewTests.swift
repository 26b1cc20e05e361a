import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Projections
import ExamRoomProjections
import Testing

@Suite struct `Papers` {
    private let room = ToldRoom()

    @Test("R8: stand in order of moment, writer and id, bytes before alphabets") func order() throws
    {
        try room.exam()
        try room.question("Q-3", at: "2026-02-01T08:10:00Z", device: "d")
        try room.question("Q-2", at: "2026-02-01T08:10:00Z", device: "D")
        try room.question("Q-9", at: "2026-02-01T08:09:59.999Z", device: "z")
        try room.question("Q-1", at: "2026-02-01T08:10:00Z")
        try room.question("Q-10", at: "2026-02-01T08:10:00Z", device: "D")
        let preview = try #require(try room.show("preview", "EX-1"))
        let order = ["Q-9", "Q-1", "Q-10", "Q-2", "Q-3"].map { "\"\($0)\"" }
        #expect(preview.column("questions", "question") == order)
    }

    /// The orders of the contract's example 05-shuffle-and-instant-feedback.
    @Test("R13: are permuted with the attempt's id, and not without one") func permuted() throws {
        try room.exam(shuffle: true)
        for number in 1...5 { try room.question("Q-\(number)") }
        let plain = try #require(try room.show("preview", "EX-1"))
        #expect(
            plain.column("questions", "question") == (1...5).map { "\"Q-\($0)\"" })
        let shuffled = try #require(try room.show("preview", "EX-1", ["attempt": "AT-1"]))
        #expect(
            shuffled.column("questions", "question") == [5, 4, 3, 1, 2].map { "\"Q-\($0)\"" })
        #expect(
            shuffled.column("questions.0.options", "option")
                == ["b", "d", "a", "c"].map { "\"\($0)\"" })
        #expect(
            shuffled.column("questions.1.options", "option")
                == ["a", "b", "c", "d"].map { "\"\($0)\"" })
    }

    @Test func `are made for ids only`() throws {
        try room.exam()
        #expect(throws: WrongArgument.self) {
            try room.show("preview", "EX-1", ["attempt": "AT 1"])
        }
    }
}

@Suite struct `The exam views` {
    private let room = ToldRoom()

    @Test func `find the window over at the very instant of its end`() throws {
        try room.exam(closes: "2026-02-02T12:00:00Z")
        let before = try room.show("exam", "EX-1", now: "2026-02-02T11:59:59.999Z")
        #expect(before?.text("problems") == #"["no-questions"]"#)
        try room.question("Q-1")
        let after = try room.show("exam", "EX-1", now: "2026-02-02T12:00:00Z")
        #expect(after?.text("problems") == #"["window-over"]"#)
    }

    @Test func `go on answering for a deleted exam, which lists leave out`() throws {
        try room.exam()
        try room.tell(
            "examroom.exam.deleted", #"{"exam":"EX-1","title":"Algebra"}"#,
            at: "2026-02-03T00:00:00Z")
        #expect(try room.show("exam", "EX-1")?.text("deleted") == "true")
        #expect(try room.show("exams")?.text("total") == "0")
    }

    @Test func `list the newest exam first, then by id`() throws {
        try room.exam("EX-b", at: "2026-02-01T08:00:00Z")
        try room.exam("EX-a", at: "2026-02-01T08:00:00Z")
        try room.exam("EX-c", at: "2026-02-01T08:00:00.001Z")
        let exams = try #require(try room.show("exams"))
        #expect(exams.column("exams", "exam") == [#""EX-c""#, #""EX-a""#, #""EX-b""#])
    }

    @Test func `give page 1 of an empty list and nothing beyond the last page`() throws {
        let empty = try #require(try room.show("exams"))
        #expect(empty.description == #"{"exams":[],"page":1,"pages":1,"total":0}"#)
        for number in 1...51 { try room.exam("EX-\(number)") }
        #expect(try room.show("exams", "", ["page": "2"])?.at("exams")?.array?.count == 1)
        #expect(try room.show("exams", "", ["page": "3"])?.text("exams") == "[]")
        #expect(throws: WrongArgument.self) { try room.show("exams", "", ["page": "0"]) }
    }
}

@Suite struct `What a student can sit` {
    private let room = ToldRoom()

    init() throws {
        try room.register("S-1")
    }

    private func state(at now: String) throws -> String? {
        try room.show("available", "S-1", now: now)?.text("exams.0.state")
    }

    @Test("R15: opens at the first instant of the window and closes at its last") func window()
        throws
    {
        try room.exam(opens: "2026-02-02T09:00:00Z", closes: "2026-02-02T10:00:00Z")
        try room.publish()
        #expect(try state(at: "2026-02-02T08:59:59.999Z") == #""upcoming""#)
        #expect(try state(at: "2026-02-02T09:00:00Z") == #""startable""#)
        #expect(try state(at: "2026-02-02T09:59:59.999Z") == #""startable""#)
        #expect(try state(at: "2026-02-02T10:00:00Z") == #""closed""#)
    }

    @Test("R15, R17: is resumable up to the deadline, then used up without any event")
    func resumable() throws {
        try room.exam()
        try room.publish()
        try room.start("AT-1", of: "S-1")
        let open = try #require(
            try room.show("available", "S-1", now: "2026-02-02T09:59:59.999Z"))
        #expect(open.text("exams.0.state") == #""resumable""#)
        #expect(open.text("exams.0.openAttempt") == #""AT-1""#)
        #expect(open.text("exams.0.attemptsLeft") == "0")
        #expect(try state(at: "2026-02-02T10:00:00Z") == #""used-up""#)
    }

    @Test("R14: shows the limit with extra time, rounded down") func limit() throws {
        try room.exam(minutes: 1)
        try room.publish()
        try room.tell(
            "examroom.extension.granted",
            #"{"exam":"EX-1","student":"S-1","kind":"percent","value":33,"request":null}"#,
            at: "2026-02-01T10:00:00Z")
        let view = try #require(try room.show("available", "S-1"))
        #expect(view.text("exams.0.limitSeconds") == "79")
        #expect(view.text("exams.0.extended") == "true")
    }

    @Test func `is ordered by title, then id`() throws {
        for (exam, title) in [("EX-3", "a"), ("EX-2", "B"), ("EX-1", "a")] {
            try room.exam(exam, title: title)
            try room.publish(exam)
        }
        let view = try #require(try room.show("available", "S-1"))
        #expect(view.column("exams", "exam") == [#""EX-2""#, #""EX-1""#, #""EX-3""#])
    }

    @Test func `is asked of students alone`() throws {
        try room.register("A-1", role: "admin")
        #expect(try room.show("available", "A-1") == nil)
    }
}
