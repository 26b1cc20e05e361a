import Commands
import ExamRoomCommands
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Testing

/// What an attempt begins with, and what is told about it afterwards.
@Suite struct PaperTests {
    private let stage = Stage()

    /// The questions of the last paper, in the order shown.
    private var shown: [String] {
        (stage.last(ExamRoom.Attempt.Started.self)?.paper ?? []).map {
            stage.names.text($0.value(in: stage.names).question)
        }
    }

    private func revise(_ question: String, _ changes: String, _ at: String) {
        stage.accept(
            "admin:A-1", "question.revise", at,
            #"{"exam":"EX-1","question":"\#(question)","changes":\#(changes)}"#)
    }

    @Test("R8: a question keeps its place when it is revised")
    func place() {
        stage.giveExam()
        revise("Q-1", #"{"prompt":"New?"}"#, "08:30")
        _ = stage.start("AT-1", "S-1", "09:00")
        #expect(shown == ["Q-1", "Q-2"])
    }

    @Test("R9: an attempt keeps the paper that it began with, whatever is edited")
    func keptPaper() {
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        // Now `b` would be right, for five points, and the other question is gone.
        revise("Q-1", #"{"options":[\#(Stage.options("b"))],"points":5}"#, "09:01")
        stage.accept(
            "admin:A-1", "question.remove", "09:02", #"{"exam":"EX-1","question":"Q-2"}"#)
        #expect(stage.answer("AT-1", "S-1", "Q-1", "a", "09:03") == .accepted(["answer.saved"]))
        #expect(stage.answer("AT-1", "S-1", "Q-2", "ab", "09:04") == .accepted(["answer.saved"]))
        _ = stage.submit("AT-1", "S-1", "09:05")
        #expect(stage.last(ExamRoom.Attempt.Submitted.self)?.score == 3)
        // Whoever starts now gets the exam as it is.
        _ = stage.start("AT-2", "S-2", "09:06")
        #expect(shown == ["Q-1"])
        #expect(stage.last(ExamRoom.Attempt.Started.self)?.maxScore == 5)
    }

    @Test("R13: the maximum is the sum of the points")
    func maximum() {
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        #expect(stage.last(ExamRoom.Attempt.Started.self)?.maxScore == 3)
    }

    @Test("R18: time on a question is what its answers and entries were told, added up")
    func timeOnQuestions() {
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        let tell = { (command: String, question: String, more: String, at: String) in
            stage.accept(
                "student:S-1", command, at,
                #"{"attempt":"AT-1","question":"\#(question)"\#(more)}"#)
        }
        tell("answer.save", "Q-1", #","chosen":["b"],"seconds":20"#, "09:01")
        tell("time.log", "Q-1", #","seconds":7"#, "09:02")
        // A replaced answer's time was spent all the same, and time needs no answer.
        tell("answer.save", "Q-1", #","chosen":["a"],"seconds":3"#, "09:03")
        tell("answer.save", "Q-1", #","chosen":["a"]"#, "09:04")
        tell("time.log", "Q-2", #","seconds":240"#, "09:05")
        _ = stage.submit("AT-1", "S-1", "09:06")
        let marks = stage.last(ExamRoom.Attempt.Submitted.self)?.marks ?? []
        #expect(marks.map(\.seconds) == [30, 240])
    }

    @Test("R23: a discarded attempt goes on counting against the limit")
    func discarded() {
        stage.giveExam()
        let discard = { (at: String) in
            stage.send("student:S-1", "attempt.discard", at, #"{"attempt":"AT-1"}"#)
        }
        _ = stage.start("AT-1", "S-1", "09:00")
        #expect(discard("09:01") == .rejected("attempt-open"))
        _ = stage.submit("AT-1", "S-1", "09:02")
        #expect(discard("09:03") == .accepted(["attempt.discarded"]))
        #expect(discard("09:04") == .rejected("already-discarded"))
        #expect(stage.start("AT-2", "S-1", "09:05") == .rejected("attempt-limit"))
    }
}
