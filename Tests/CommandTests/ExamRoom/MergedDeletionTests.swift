import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct `A deletion` {
    private static let question = #"{"exam":"EX-1","question":"Q-1"}"#
    private static let remove = Classroom.inner("del", "question.remove", "09:20", question)
    private static let revise = Classroom.inner(
        "rev", "question.revise", "09:40",
        #"{"exam":"EX-1","question":"Q-1","changes":{"points":3}}"#)

    @Test("R41: of what the other side edited is not carried out, and a choice is asked for")
    func kept() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.merge("D-1", [Self.revise])
        #expect(
            try room.merge("D-2", [Self.remove])
                == .accepted(["conflict.detected", "batch.merged", "notification.raised"]))
        #expect(room.report.accepted == ["del"])
        #expect(room.state.bankQuestion(room.names.id("Q-1"), of: room.names.id("EX-1")) != nil)
        #expect(room.conflicts == ["edit-delete examroom/exam/EX-1#Q-1"])
    }

    @Test("R41: is undone by an edit of the other side, and the same choice is asked for")
    func restored() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.merge("D-2", [Self.remove])
        #expect(
            try room.merge("D-1", [Self.revise])
                == .accepted([
                    "question.restored", "question.revised", "conflict.detected", "batch.merged",
                    "notification.raised",
                ]))
        let conflict = try #require(room.last(ExamRoom.Conflict.Detected.self))
        #expect(conflict.deletion == "del")
        #expect(conflict.contenders.map(\.command) == ["del", "rev"])
        let row = room.state.bankQuestion(room.names.id("Q-1"), of: room.names.id("EX-1"))
        #expect(row?.content.points == 3)
    }

    @Test("R41: that the device knew of makes its edit not-found")
    func known() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.merge("D-2", [Self.remove])
        try room.merge("D-1", [Self.revise], seen: room.head)
        #expect(room.refused == ["rev not-found"])
    }

    @Test("R41: of what the other side deleted as well is told again and changes nothing")
    func again() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.merge("D-2", [Self.remove])
        let own = Classroom.inner("own", "question.remove", "09:30", Self.question)
        #expect(try room.merge("D-1", [own]) == .accepted(["question.removed", "batch.merged"]))
        let third = Classroom.inner("third", "question.remove", "09:30", Self.question)
        try room.merge("D-1", [third], batch: "B-2")
        #expect(room.refused == ["third not-found"])
    }

    @Test("R41: of an exam asks neither for open attempts nor for its last question")
    func unasked() throws {
        let room = try Classroom()
        try room.giveExam()
        try room.accept(
            "student:S-1", "attempt.start", "08:30",
            #"{"attempt":"AT-1","exam":"EX-1","student":"S-1"}"#)
        try room.merge(
            "D-1",
            [
                Self.remove,
                Classroom.inner(
                    "b", "question.remove", "09:30", #"{"exam":"EX-1","question":"Q-2"}"#),
                Classroom.inner("c", "exam.delete", "09:40", #"{"exam":"EX-1"}"#),
            ], seen: room.head)
        #expect(room.report.accepted == ["del", "b", "c"])
        #expect(room.state.exams[room.names.id("EX-1")]?.isDeleted == true)
    }

    @Test("R41: of an exam that was edited meanwhile keeps it; an edit restores it")
    func exam() throws {
        let delete = Classroom.inner("gone", "exam.delete", "09:20", #"{"exam":"EX-1"}"#)
        for isDeletionFirst in [true, false] {
            let room = try Classroom()
            try room.giveExam()
            let seen = room.head
            let edit = Classroom.title("edit", "09:30", "New")
            try room.merge("D-1", [isDeletionFirst ? delete : edit], seen: seen)
            try room.merge("D-2", [isDeletionFirst ? edit : delete], seen: seen)
            let row = room.state.exams[room.names.id("EX-1")]
            #expect(row?.isDeleted == false)
            #expect(row?.isPublished == true)
            #expect(row?.details.title == "New")
            #expect(room.conflicts == ["edit-delete examroom/exam/EX-1"])
        }
    }

    /// Another question brings the file that the deleted thing has, in another format and size.
    @Test(
        "R11: that is undone leaves an image's format and size as the last event that brought it",
        arguments: [
            ("exam.delete", #"{"exam":"EX-1"}"#),
            ("question.remove", #"{"exam":"EX-1","question":"Q-1"}"#),
        ])
    func images(delete: String, data: String) throws {
        let room = try Classroom()
        try room.giveExam()
        try room.accept("admin:A-1", "exam.create", "08:05", #"{"exam":"EX-2","title":"U"}"#)
        try room.accept(
            "admin:A-1", "question.add", "08:05",
            #"{"exam":"EX-2","question":"Q-1","prompt":"?","#
                + #""options":[\#(Classroom.options("a"))]}"#)
        let hash = String(repeating: "ab", count: 32)
        for (exam, file) in [("EX-1", #""png","bytes":100"#), ("EX-2", #""jpeg","bytes":200"#)] {
            try room.accept(
                "admin:A-1", "image.attach", "08:10",
                #"{"exam":"\#(exam)","question":"Q-1","hash":"\#(hash)","format":\#(file)}"#)
        }
        let seen = room.head
        try room.merge("D-1", [Classroom.inner("del", delete, "09:20", data)], seen: seen)
        try room.merge("D-2", [Self.revise], seen: seen)
        let row = room.state.images[room.names.id(hash)]
        #expect(row?.references == 2)
        #expect(row?.format == "jpeg" && row?.bytes == 200)
    }

    @Test("R41: of an exam lets writes to its seats stand without restoring it")
    func seats() throws {
        let room = try Classroom()
        try room.giveExam()
        let seen = room.head
        try room.merge(
            "D-1", [Classroom.inner("gone", "exam.delete", "09:20", #"{"exam":"EX-1"}"#)],
            seen: seen)
        let block = Classroom.inner(
            "b", "student.block", "09:30", #"{"exam":"EX-1","student":"S-1"}"#)
        #expect(
            try room.merge("D-2", [block], seen: seen)
                == .accepted(["student.blocked", "batch.merged"]))
        #expect(room.state.exams[room.names.id("EX-1")]?.isDeleted == true)
    }
}
