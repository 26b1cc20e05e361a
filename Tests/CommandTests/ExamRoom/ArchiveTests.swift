import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct `Duplicating an exam` {
    private let room: Classroom

    init() throws { room = try Classroom() }

    private func duplicate(_ more: String = "", copy: String = "EX-2") throws -> Brief {
        try room.brief(
            "admin:A-1", "exam.duplicate", "09:00", #"{"exam":"EX-1","copy":"\#(copy)"\#(more)}"#)
    }

    @Test("R10: a copy has the details, questions and images of its source, in their order")
    func copyIsWhole() throws {
        try room.giveExam(#","durationMinutes":25,"maxAttempts":3"#)
        let hash = String(repeating: "ab", count: 32)
        try room.accept(
            "admin:A-1", "image.attach", "08:30",
            #"{"exam":"EX-1","question":"Q-2","hash":"\#(hash)","format":"png","bytes":7}"#)
        #expect(try duplicate() == .accepted(["exam.duplicated"]))
        let fact = try #require(room.last(ExamRoom.Exam.Duplicated.self))
        #expect(room.names.text(fact.source) == "EX-1")
        #expect(fact.details.title == "T (copy)")
        #expect(fact.details.durationMinutes == 25)
        #expect(fact.details.maxAttempts == 3)
        #expect(fact.questions.map { room.names.text($0.question) } == ["Q-1", "Q-2"])
        #expect(fact.questions.map { $0.image.map { room.names.text($0.hash) } } == [nil, hash])
        #expect(fact.questions.map(\.content.points) == [1, 2])
    }

    @Test("R10: a copy is a draft, whatever its source was, and has no attempts")
    func copyIsADraft() throws {
        try room.giveExam()
        #expect(try room.start("AT-1", "S-1", "08:50") == .accepted(["attempt.started"]))
        _ = try duplicate()
        let row = try #require(room.state.exams[room.names.id("EX-2")])
        #expect(!row.isPublished && !row.areResultsPublished && !row.isArchived)
        #expect(row.attempts == 0 && row.open == 0)
        #expect(row.questions == 2 && row.maxScore == 3)
        // What is done to the copy is not done to the source.
        try room.accept(
            "admin:A-1", "question.remove", "09:01", #"{"exam":"EX-2","question":"Q-1"}"#)
        #expect(room.state.exams[room.names.id("EX-1")]?.questions == 2)
    }

    @Test("R10: a long title loses its end, so that the suffix fits to the last scalar")
    func longTitle() throws {
        let title = String(repeating: "ق", count: 194)
        try room.accept(
            "admin:A-1", "exam.create", "08:10", #"{"exam":"EX-1","title":"\#(title)"}"#)
        #expect(try duplicate() == .accepted(["exam.duplicated"]))
        let made = room.last(ExamRoom.Exam.Duplicated.self)?.details.title
        #expect(made == String(repeating: "ق", count: 193) + " (copy)")
    }

    @Test("R11: a copy's images are references: the file is no orphan while one of them stands")
    func imagesAreShared() throws {
        try room.giveExam()
        let hash = String(repeating: "ab", count: 32)
        try room.accept(
            "admin:A-1", "image.attach", "08:30",
            #"{"exam":"EX-1","question":"Q-2","hash":"\#(hash)","format":"png","bytes":7}"#)
        _ = try duplicate()
        let delete = { (exam: String) in
            try room.brief("admin:A-1", "exam.delete", "09:01", #"{"exam":"\#(exam)"}"#)
        }
        #expect(try delete("EX-1") == .accepted(["exam.deleted"]))
        #expect(try delete("EX-2") == .accepted(["exam.deleted", "image.orphaned"]))
    }

    @Test("R39: a copy that a device made has what the device knew of the source")
    func mergedCopy() throws {
        try room.giveExam()
        let seen = room.facts.count
        try room.accept(
            "admin:A-1", "question.remove", "08:30", #"{"exam":"EX-1","question":"Q-1"}"#)
        let answer = try room.brief(
            "admin:A-1", "device.merge", "09:00",
            #"{"device":"D-1","batch":"B-1","seen":\#(seen),"commands":[{"id":"d-1","#
                + #""command":"examroom.exam.duplicate","at":"2026-02-02T08:40:00Z","#
                + #""by":"admin:A-1","data":{"exam":"EX-1","copy":"EX-2"}}]}"#)
        #expect(answer == .accepted(["exam.duplicated", "batch.merged"]))
        let fact = try #require(room.last(ExamRoom.Exam.Duplicated.self))
        #expect(fact.questions.map { room.names.text($0.question) } == ["Q-1", "Q-2"])
        #expect(room.state.exams[room.names.id("EX-2")]?.createdAt == Classroom.instant("08:40"))
    }

    @Test("exam.duplicate is refused in the order of its row")
    func refusals() throws {
        #expect(try duplicate(#","title":" ""#, copy: "EX-1") == .rejected("not-found"))
        try room.giveExam()
        let long = String(repeating: "x", count: 201)
        #expect(try duplicate(#","title":" ""#, copy: "EX-1") == .rejected("title-missing"))
        #expect(try duplicate(#","title":"\#(long)""#, copy: "EX-1") == .rejected("title-too-long"))
        #expect(try duplicate(copy: "EX-1") == .rejected("already-exists"))
        #expect(
            try room.brief(
                "student:S-1", "exam.duplicate", "09:00", #"{"exam":"EX-1","copy":"EX-2"}"#)
                == .rejected("forbidden", ["violation.recorded"]))
        try room.accept("admin:A-1", "exam.delete", "09:01", #"{"exam":"EX-1"}"#)
        #expect(try duplicate() == .rejected("not-found"))
    }
}

@Suite struct `The archive` {
    private let room: Classroom

    init() throws {
        room = try Classroom()
        try room.giveExam()
    }

    private func send(_ command: String, _ at: String) throws -> Brief {
        try room.brief("admin:A-1", command, at, #"{"exam":"EX-1"}"#)
    }

    private func export(_ scope: String, _ at: String, id: String = "XP-1") throws {
        let exam = scope == "all" ? "" : #","exam":"EX-1""#
        let format = scope == "results" ? "csv" : "json"
        try room.accept(
            "admin:A-1", "export.make", at,
            #"{"export":"\#(id)","scope":"\#(scope)","format":"\#(format)"\#(exam)}"#)
    }

    @Test("exam.archive is refused in the order of its row")
    func refusals() throws {
        #expect(
            try room.brief("admin:A-1", "exam.archive", "09:00", #"{"exam":"EX-9"}"#)
                == .rejected("not-found"))
        #expect(try room.start("AT-1", "S-1", "09:00") == .accepted(["attempt.started"]))
        #expect(try send("exam.archive", "09:01") == .rejected("exam-published"))
        try room.accept("admin:A-1", "exam.withdraw", "09:02", #"{"exam":"EX-1"}"#)
        #expect(try send("exam.archive", "09:03") == .rejected("attempts-open"))
        _ = try room.submit("AT-1", "S-1", "09:04")
        #expect(try send("exam.archive", "09:05") == .rejected("not-exported"))
        try export("exam", "09:06")
        #expect(try send("exam.archive", "09:07") == .accepted(["exam.archived"]))
        #expect(try send("exam.archive", "09:08") == .rejected("exam-archived"))
        #expect(try send("exam.publish", "09:08") == .rejected("exam-archived"))
        #expect(try send("exam.unarchive", "09:09") == .accepted(["exam.unarchived"]))
        #expect(try send("exam.unarchive", "09:10") == .rejected("not-archived"))
        #expect(
            try room.brief("admin:A-1", "exam.unarchive", "09:10", #"{"exam":"EX-9"}"#)
                == .rejected("not-found"))
        // Nothing changed: the export holds all of it still.
        #expect(try send("exam.archive", "09:11") == .accepted(["exam.archived"]))
    }

    @Test("R12: an exam is archived only after an export of all that is in it")
    func exportComesLast() throws {
        try room.accept("admin:A-1", "exam.withdraw", "09:00", #"{"exam":"EX-1"}"#)
        try export("exam", "09:01")
        let changes = [
            ("exam.revise", #"{"exam":"EX-1","changes":{"durationMinutes":7}}"#),
            (
                "question.revise",
                #"{"exam":"EX-1","question":"Q-1","changes":{"prompt":"Why?"}}"#
            ),
            (
                "image.attach",
                #"{"exam":"EX-1","question":"Q-1","hash":"\#(String(repeating: "0", count: 64))","format":"png","bytes":1}"#
            ),
            ("image.detach", #"{"exam":"EX-1","question":"Q-1"}"#),
            ("question.remove", #"{"exam":"EX-1","question":"Q-1"}"#),
            (
                "question.add",
                #"{"exam":"EX-1","question":"Q-3","prompt":"?","options":[\#(Classroom.options("a"))]}"#
            ),
        ]
        for (place, (command, data)) in changes.enumerated() {
            let at = { (minute: Int) in "1\(place):0\(minute)" }
            try room.accept("admin:A-1", command, at(2), data)
            #expect(try send("exam.archive", at(3)) == .rejected("not-exported"), "\(command)")
            try export(place.isMultiple(of: 2) ? "all" : "exam", at(4), id: "XP-\(place + 2)")
            #expect(try send("exam.archive", at(5)) == .accepted(["exam.archived"]), "\(command)")
            try room.accept("admin:A-1", "exam.unarchive", at(6), #"{"exam":"EX-1"}"#)
        }
    }

    @Test("R12: an attempt that closed after the export is not in it; other events do not matter")
    func closingsCount() throws {
        #expect(try room.start("AT-1", "S-1", "09:00") == .accepted(["attempt.started"]))
        try room.accept("admin:A-1", "exam.withdraw", "09:01", #"{"exam":"EX-1"}"#)
        try export("all", "09:02")
        _ = try room.submit("AT-1", "S-1", "09:03")
        #expect(try send("exam.archive", "09:04") == .rejected("not-exported"))
        try export("results", "09:05", id: "XP-2")
        #expect(try send("exam.archive", "09:06") == .rejected("not-exported"))
        try export("exam", "09:07", id: "XP-3")
        try room.accept(
            "admin:A-1", "grade.modify", "09:08",
            #"{"attempt":"AT-1","score":1,"reason":"Appeal"}"#)
        try room.accept("admin:A-1", "results.publish", "09:09", #"{"exam":"EX-1"}"#)
        #expect(try send("exam.archive", "09:10") == .accepted(["exam.archived"]))
    }

    @Test("R12: an export of another exam does not count, nor one before the exam was")
    func otherExports() throws {
        try room.accept("admin:A-1", "exam.withdraw", "09:00", #"{"exam":"EX-1"}"#)
        try export("all", "09:01")
        try room.accept("admin:A-1", "exam.create", "09:02", #"{"exam":"EX-2","title":"T"}"#)
        try export("exam", "09:03", id: "XP-2")
        #expect(
            try room.brief("admin:A-1", "exam.archive", "09:04", #"{"exam":"EX-2"}"#)
                == .rejected("not-exported"))
    }

    @Test("R12: archived exams cannot be edited; deleting, publishing results and copying remain")
    func archivedIsClosed() throws {
        try room.accept("admin:A-1", "exam.withdraw", "09:00", #"{"exam":"EX-1"}"#)
        try export("exam", "09:01")
        try room.accept("admin:A-1", "exam.archive", "09:02", #"{"exam":"EX-1"}"#)
        #expect(
            try room.brief(
                "admin:A-1", "exam.revise", "09:03", #"{"exam":"EX-1","changes":{"title":"U"}}"#)
                == .rejected("exam-archived"))
        #expect(try room.start("AT-1", "S-1", "09:03") == .rejected("exam-not-published"))
        #expect(try send("exam.withdraw", "09:03") == .rejected("not-published"))
        #expect(try send("results.publish", "09:04") == .accepted(["results.published"]))
        #expect(
            try room.brief(
                "admin:A-1", "exam.duplicate", "09:05", #"{"exam":"EX-1","copy":"EX-2"}"#)
                == .accepted(["exam.duplicated"]))
        #expect(try send("exam.delete", "09:06") == .accepted(["exam.deleted"]))
        #expect(try send("exam.unarchive", "09:07") == .rejected("not-found"))
    }
}
