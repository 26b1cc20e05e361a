import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

/// What an attempt begins with, and what is told about it afterwards.
@Suite struct PaperTests {
    private let room: Classroom

    init() throws { room = try Classroom() }

    /// The questions of the last paper, in the order shown.
    private var shown: [String] {
        (room.last(ExamRoom.Attempt.Started.self)?.paper ?? []).map {
            room.names.text($0.value(in: room.names).question)
        }
    }

    private func revise(_ question: String, _ changes: String, _ at: String) throws {
        try room.accept(
            "admin:A-1", "question.revise", at,
            #"{"exam":"EX-1","question":"\#(question)","changes":\#(changes)}"#)
    }

    @Test("R8: a question keeps its place when it is revised")
    func place() throws {
        try room.giveExam()
        try revise("Q-1", #"{"prompt":"New?"}"#, "08:30")
        _ = try room.start("AT-1", "S-1", "09:00")
        #expect(shown == ["Q-1", "Q-2"])
    }

    @Test("R9: an attempt keeps the paper that it began with, whatever is edited")
    func keptPaper() throws {
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        // Now `b` would be right, for five points, and the other question is gone.
        try revise("Q-1", #"{"options":[\#(Classroom.options("b"))],"points":5}"#, "09:01")
        try room.accept(
            "admin:A-1", "question.remove", "09:02", #"{"exam":"EX-1","question":"Q-2"}"#)
        #expect(try room.answer("AT-1", "S-1", "Q-1", "a", "09:03") == .accepted(["answer.saved"]))
        #expect(try room.answer("AT-1", "S-1", "Q-2", "ab", "09:04") == .accepted(["answer.saved"]))
        _ = try room.submit("AT-1", "S-1", "09:05")
        #expect(room.last(ExamRoom.Attempt.Submitted.self)?.score == 3)
        // Whoever starts now gets the exam as it is.
        _ = try room.start("AT-2", "S-2", "09:06")
        #expect(shown == ["Q-1"])
        #expect(room.last(ExamRoom.Attempt.Started.self)?.maxScore == 5)
    }

    @Test("R13: the maximum is the sum of the points")
    func maximum() throws {
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        #expect(room.last(ExamRoom.Attempt.Started.self)?.maxScore == 3)
    }

    @Test("R18: time on a question is what its answers and entries were told, added up")
    func timeOnQuestions() throws {
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        let tell = { (command: String, question: String, more: String, at: String) in
            try room.accept(
                "student:S-1", command, at,
                #"{"attempt":"AT-1","question":"\#(question)"\#(more)}"#)
        }
        try tell("answer.save", "Q-1", #","chosen":["b"],"seconds":20"#, "09:01")
        try tell("time.log", "Q-1", #","seconds":7"#, "09:02")
        // A replaced answer's time was spent all the same, and time needs no answer.
        try tell("answer.save", "Q-1", #","chosen":["a"],"seconds":3"#, "09:03")
        try tell("answer.save", "Q-1", #","chosen":["a"]"#, "09:04")
        try tell("time.log", "Q-2", #","seconds":240"#, "09:05")
        _ = try room.submit("AT-1", "S-1", "09:06")
        let marks = room.last(ExamRoom.Attempt.Submitted.self)?.marks ?? []
        #expect(marks.map(\.seconds) == [30, 240])
    }

    @Test("R23: a discarded attempt goes on counting against the limit")
    func discarded() throws {
        try room.giveExam()
        let discard = { (at: String) in
            try room.brief("student:S-1", "attempt.discard", at, #"{"attempt":"AT-1"}"#)
        }
        _ = try room.start("AT-1", "S-1", "09:00")
        #expect(try discard("09:01") == .rejected("attempt-open"))
        _ = try room.submit("AT-1", "S-1", "09:02")
        #expect(try discard("09:03") == .accepted(["attempt.discarded"]))
        #expect(try discard("09:04") == .rejected("already-discarded"))
        #expect(try room.start("AT-2", "S-1", "09:05") == .rejected("attempt-limit"))
    }
}
