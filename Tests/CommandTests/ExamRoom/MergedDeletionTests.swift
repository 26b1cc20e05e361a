import Commands
import ExamRoomCommands
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Testing

@Suite struct `A deletion` {
    private static let question = #"{"exam":"EX-1","question":"Q-1"}"#
    private static let remove = Stage.inner("del", "question.remove", "09:20", question)
    private static let revise = Stage.inner(
        "rev", "question.revise", "09:40",
        #"{"exam":"EX-1","question":"Q-1","changes":{"points":3}}"#)

    @Test("R41: of what the other side edited is not carried out, and a choice is asked for")
    func kept() {
        let stage = Stage()
        stage.giveExam()
        stage.merge("D-1", [Self.revise])
        #expect(
            stage.merge("D-2", [Self.remove])
                == .accepted(["conflict.detected", "batch.merged", "notification.raised"]))
        #expect(stage.report.accepted == ["del"])
        #expect(stage.room.bankQuestion(stage.names.id("Q-1"), of: stage.names.id("EX-1")) != nil)
        #expect(stage.conflicts == ["edit-delete examroom/exam/EX-1#Q-1"])
    }

    @Test("R41: is undone by an edit of the other side, and the same choice is asked for")
    func restored() throws {
        let stage = Stage()
        stage.giveExam()
        stage.merge("D-2", [Self.remove])
        #expect(
            stage.merge("D-1", [Self.revise])
                == .accepted([
                    "question.restored", "question.revised", "conflict.detected", "batch.merged",
                    "notification.raised",
                ]))
        let conflict = try #require(stage.last(ExamRoom.Conflict.Detected.self))
        #expect(conflict.deletion == "del")
        #expect(conflict.contenders.map(\.command) == ["del", "rev"])
        let row = stage.room.bankQuestion(stage.names.id("Q-1"), of: stage.names.id("EX-1"))
        #expect(row?.content.points == 3)
    }

    @Test("R41: that the device knew of makes its edit not-found")
    func known() {
        let stage = Stage()
        stage.giveExam()
        stage.merge("D-2", [Self.remove])
        stage.merge("D-1", [Self.revise], seen: stage.head)
        #expect(stage.refused == ["rev not-found"])
    }

    @Test("R41: of what the other side deleted as well is told again and changes nothing")
    func again() {
        let stage = Stage()
        stage.giveExam()
        stage.merge("D-2", [Self.remove])
        let own = Stage.inner("own", "question.remove", "09:30", Self.question)
        #expect(stage.merge("D-1", [own]) == .accepted(["question.removed", "batch.merged"]))
        let third = Stage.inner("third", "question.remove", "09:30", Self.question)
        stage.merge("D-1", [third], batch: "B-2")
        #expect(stage.refused == ["third not-found"])
    }

    @Test("R41: of an exam asks neither for open attempts nor for its last question")
    func unasked() {
        let stage = Stage()
        stage.giveExam()
        stage.accept(
            "student:S-1", "attempt.start", "08:30",
            #"{"attempt":"AT-1","exam":"EX-1","student":"S-1"}"#)
        stage.merge(
            "D-1",
            [
                Self.remove,
                Stage.inner("b", "question.remove", "09:30", #"{"exam":"EX-1","question":"Q-2"}"#),
                Stage.inner("c", "exam.delete", "09:40", #"{"exam":"EX-1"}"#),
            ], seen: stage.head)
        #expect(stage.report.accepted == ["del", "b", "c"])
        #expect(stage.room.exams[stage.names.id("EX-1")]?.isDeleted == true)
    }

    @Test("R41: of an exam that was edited meanwhile keeps it; an edit restores it")
    func exam() {
        let delete = Stage.inner("gone", "exam.delete", "09:20", #"{"exam":"EX-1"}"#)
        for isDeletionFirst in [true, false] {
            let stage = Stage()
            stage.giveExam()
            let seen = stage.head
            let edit = stage.title("edit", "09:30", "New")
            stage.merge("D-1", [isDeletionFirst ? delete : edit], seen: seen)
            stage.merge("D-2", [isDeletionFirst ? edit : delete], seen: seen)
            let row = stage.room.exams[stage.names.id("EX-1")]
            #expect(row?.isDeleted == false)
            #expect(row?.isPublished == true)
            #expect(row?.details.title == "New")
            #expect(stage.conflicts == ["edit-delete examroom/exam/EX-1"])
        }
    }

    @Test("R41: of an exam lets writes to its seats stand without restoring it")
    func seats() {
        let stage = Stage()
        stage.giveExam()
        let seen = stage.head
        stage.merge(
            "D-1", [Stage.inner("gone", "exam.delete", "09:20", #"{"exam":"EX-1"}"#)], seen: seen)
        let block = Stage.inner(
            "b", "student.block", "09:30", #"{"exam":"EX-1","student":"S-1"}"#)
        #expect(
            stage.merge("D-2", [block], seen: seen)
                == .accepted(["student.blocked", "batch.merged"]))
        #expect(stage.room.exams[stage.names.id("EX-1")]?.isDeleted == true)
    }
}
