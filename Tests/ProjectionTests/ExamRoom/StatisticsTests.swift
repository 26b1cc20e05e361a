import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Projections
import ExamRoomProjections
import Testing

@Suite struct `Statistics` {
    private let room = ToldRoom()

    init() throws {
        for student in ["S-1", "S-2", "S-3"] { try room.register(student) }
        try room.exam()
    }

    /// A completed attempt with so many of three questions right.
    private func complete(
        _ attempt: String, _ student: String, right: Int, seconds: Int = 600,
        how: String = "student", at start: String = "2026-02-02T09:00:00Z"
    ) throws {
        try room.start(attempt, of: student, questions: 3, at: start)
        try room.submit(
            attempt, of: student, right: right, of: 3, seconds: seconds, how: how,
            at: "\(try ToldRoom.instant(start) + Int64(seconds))")
    }

    @Test("R32: average the rounded percents, half a hundredth up") func averages() throws {
        try complete("AT-1", "S-1", right: 2)
        try complete("AT-2", "S-2", right: 3)
        // (66.67 + 100) ÷ 2 = 83.335
        #expect(try room.show("overview")?.text("averagePercent") == "83.34")
    }

    @Test("R32: give null for a rate without a denominator") func noDenominator() throws {
        let view = try #require(try room.show("exam-analytics", "EX-1"))
        for field in ["averagePercent", "averageSeconds", "passRate", "completionRate"] {
            #expect(view.text(field) == "null")
        }
        #expect(view.text("trend") == "[]")
        #expect(view.column("distribution", "count") == Array(repeating: "0", count: 10))
    }

    @Test("R24, R32: count an open attempt among all but not among the completed")
    func openAttempt() throws {
        try complete("AT-1", "S-1", right: 3)
        try room.start("AT-2", of: "S-2", questions: 4)
        let view = try #require(try room.show("exam-analytics", "EX-1"))
        #expect(view.text("attempts") == "2")
        #expect(view.text("open") == "1")
        #expect(view.text("completionRate") == "50")
        // Listed for its paper, but nobody completed it.
        #expect(view.column("questions", "shown") == ["1", "1", "1", "0"])
        #expect(view.text("questions.3.difficulty") == "null")
    }

    @Test("R24: call an attempt that ran out of time completed, not handed in") func handedIn()
        throws
    {
        try complete("AT-1", "S-1", right: 3, how: "time-up")
        let view = try #require(try room.show("exam-analytics", "EX-1"))
        #expect(view.text("completed") == "1")
        #expect(view.text("handedIn") == "0")
        #expect(view.text("completionRate") == "0")
    }

    @Test("R32: round the average of seconds half away from zero") func seconds() throws {
        try complete("AT-1", "S-1", right: 1, seconds: 10)
        try complete("AT-2", "S-2", right: 1, seconds: 11)
        #expect(try room.show("exam-analytics", "EX-1")?.text("averageSeconds") == "11")
    }

    @Test("R33: put 100 into the last bar and a bar's end into the next") func distribution() throws
    {
        try complete("AT-1", "S-1", right: 3)
        try room.start("AT-2", of: "S-2", questions: 2)
        try room.submit("AT-2", of: "S-2", right: 1, of: 2)
        let counts = try room.show("exam-analytics", "EX-1")?.column("distribution", "count")
        #expect(counts == ["0", "0", "0", "0", "0", "1", "0", "0", "0", "1"])
    }

    @Test("R32, R33: read dates in the policy's zone, both ends included") func dates() throws {
        try room.tell(
            "examroom.policy.adopted", #"{"changes":{"defaultTimeZone":"Asia/Riyadh"}}"#,
            at: "2026-02-01T00:00:00Z")
        try complete("AT-1", "S-1", right: 3, at: "2026-02-01T20:59:59.999Z")
        try complete("AT-2", "S-2", right: 0, at: "2026-02-01T21:00:00Z")
        let day = ["from": "2026-02-02", "to": "2026-02-02"]
        let view = try #require(try room.show("overview", "", day))
        #expect(view.text("completed") == "1")
        #expect(view.text("averagePercent") == "0")
        #expect(view.column("trend", "date") == [#""2026-02-02""#])
        #expect(view.text("students") == "3")
    }

    @Test("R22, R24: follow a modified grade and forget a deleted student") func counting() throws {
        try complete("AT-1", "S-1", right: 0)
        try complete("AT-2", "S-2", right: 0)
        try room.tell(
            "examroom.grade.modified",
            """
            {"attempt":"AT-1","exam":"EX-1","student":"S-1","oldScore":0,"newScore":3,
            "oldPercent":0,"newPercent":100,"passed":true,"reason":"r"}
            """, at: "2026-02-03T09:00:00Z")
        let view = try #require(try room.show("student-analytics", "S-1"))
        #expect(view.text("exams.0.bestPercent") == "100")
        #expect(try room.show("exam-analytics", "EX-1")?.text("passRate") == "50")
        try room.tell(
            "examroom.account.deleted",
            #"{"account":"S-2","role":"student","attempts":1,"reason":null}"#,
            at: "2026-02-04T09:00:00Z")
        #expect(try room.show("exam-analytics", "EX-1")?.text("passRate") == "100")
        #expect(try room.show("overview")?.text("students") == "2")
    }
}
