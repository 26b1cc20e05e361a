import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct AttemptTests {
    private let room: Classroom

    /// What a student hears in the last minutes of an exam.
    private let warnings = [
        "time.warned", "notification.raised", "time.warned", "notification.raised",
    ]

    init() throws { room = try Classroom() }

    @Test("R15: a window is open from its first instant to before its last") func window() throws {
        try room.giveExam(
            #","window":{"opensAt":"2026-02-02T09:00:00Z","closesAt":"2026-02-02T10:00:00Z"}"#)
        #expect(try room.start("AT-1", "S-1", "08:59") == .rejected("exam-not-open"))
        #expect(try room.start("AT-1", "S-1", "10:00") == .rejected("exam-closed"))
        #expect(try room.start("AT-1", "S-1", "09:00") == .accepted(["attempt.started"]))
    }

    @Test("R15: attempts are counted, and one is open at a time") func attemptLimit() throws {
        try room.giveExam(#","maxAttempts":2,"durationMinutes":10"#)
        _ = try room.start("AT-1", "S-1", "09:00")
        #expect(try room.start("AT-2", "S-1", "09:00") == .rejected("attempt-open"))
        // At its deadline the attempt is over, though its timer has not fired yet (R17).
        #expect(
            try room.start("AT-2", "S-1", "09:10") == .accepted(warnings + ["attempt.started"]))
        #expect(try room.start("AT-3", "S-1", "09:30").code == "attempt-limit")
        #expect(try room.start("AT-1", "S-2", "09:30") == .rejected("already-exists"))
    }

    @Test("R5: a blocked student's try leaves a violation") func blockedStudent() throws {
        try room.giveExam()
        try room.accept("admin:A-1", "student.block", "08:30", #"{"exam":"EX-1","student":"S-1"}"#)
        #expect(
            try room.start("AT-1", "S-1", "09:00")
                == .rejected("student-blocked", ["violation.recorded"]))
        let violation = room.last(ExamRoom.Violation.Recorded.self)
        #expect(violation?.violation == .blockedStudent)
        #expect(violation?.command == "examroom.attempt.start")
        // A block stops starts, not an attempt in progress (R15).
        _ = try room.start("AT-2", "S-2", "09:00")
        try room.accept("admin:A-1", "student.block", "09:01", #"{"exam":"EX-1","student":"S-2"}"#)
        #expect(try room.answer("AT-2", "S-2", "Q-1", "a", "09:02") == .accepted(["answer.saved"]))
    }

    @Test("R17: at the deadline everything is closed, a millisecond before it is open")
    func deadline() throws {
        try room.giveExam(#","durationMinutes":10"#)
        _ = try room.start("AT-1", "S-1", "09:00")
        let justInTime = "2026-02-02T09:09:59.999Z"
        #expect(
            try room.answer("AT-1", "S-1", "Q-1", "a", justInTime)
                == .accepted(warnings + ["answer.saved"]))
        let late = "2026-02-02T09:10:00Z"
        #expect(try room.answer("AT-1", "S-1", "Q-1", "a", late) == .rejected("attempt-closed"))
        #expect(try room.submit("AT-1", "S-1", late) == .rejected("attempt-closed"))
    }

    @Test("R16: a question with one right option takes one answer, others take any")
    func oneRightOption() throws {
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        #expect(
            try room.answer("AT-1", "S-1", "Q-1", "ab", "09:01") == .rejected("too-many-chosen"))
        #expect(
            try room.answer("AT-1", "S-1", "Q-2", "abc", "09:01") == .accepted(["answer.saved"]))
        #expect(
            try room.answer("AT-1", "S-1", "Q-2", "aa", "09:01") == .rejected("option-repeated"))
        #expect(try room.answer("AT-1", "S-1", "Q-2", "x", "09:01") == .rejected("option-unknown"))
        #expect(
            try room.answer("AT-1", "S-1", "Q-9", "a", "09:01")
                == .rejected("question-not-in-paper"))
        #expect(try room.answer("AT-9", "S-1", "Q-1", "a", "09:01") == .rejected("not-found"))
        #expect(
            try room.answer("AT-1", "S-2", "Q-1", "a", "09:01")
                == .rejected("forbidden", ["violation.recorded"]))
    }

    @Test("R16, R17, R19: the last answer counts, and all right options must be chosen")
    func lastAnswer() throws {
        try room.giveExam(#","passPercent":66.67"#)
        _ = try room.start("AT-1", "S-1", "09:00")
        _ = try room.answer("AT-1", "S-1", "Q-1", "b", "09:01")
        _ = try room.answer("AT-1", "S-1", "Q-1", "a", "09:02")
        _ = try room.answer("AT-1", "S-1", "Q-2", "a", "09:03")
        _ = try room.submit("AT-1", "S-1", "09:04")
        let closing = room.last(ExamRoom.Attempt.Submitted.self)
        #expect(closing?.score == 1)
        #expect(closing?.percent == Percent(hundredths: 3333))
        #expect(closing?.answered == 2)
        #expect(closing?.correct == 1)
        #expect(closing?.secondsTaken == 240)
        #expect(closing?.passed == false)
    }

    @Test("R19: passing is exact, not a matter of rounded percent") func exactPass() throws {
        try room.giveExam(#","passPercent":66.67"#)
        _ = try room.start("AT-1", "S-1", "09:00")
        _ = try room.answer("AT-1", "S-1", "Q-2", "ab", "09:01")
        _ = try room.submit("AT-1", "S-1", "09:04")
        let closing = room.last(ExamRoom.Attempt.Submitted.self)
        // Two of three points print as 66.67 and are less than 66.67 per cent.
        #expect(closing?.percent == Percent(hundredths: 6667))
        #expect(closing?.passed == false)
    }

    @Test("R17, R21: under instant feedback the first answer stands, an empty one too")
    func instantFeedback() throws {
        try room.giveExam(#","feedback":"instant""#)
        _ = try room.start("AT-1", "S-1", "09:00")
        _ = try room.answer("AT-1", "S-1", "Q-2", "ab", "09:01")
        let told = room.last(ExamRoom.Answer.Saved.self)?.feedback
        #expect(told?.correct == true)
        #expect(told?.correctOptions.map { room.names.text($0) } == ["a", "b"])
        #expect(try room.answer("AT-1", "S-1", "Q-1", "", "09:02") == .accepted(["answer.saved"]))
        #expect(room.last(ExamRoom.Answer.Saved.self)?.feedback == nil)
        #expect(try room.answer("AT-1", "S-1", "Q-1", "a", "09:03") == .rejected("answer-final"))
    }

    @Test("R14: extra time is a share of the duration rounded down, or minutes") func extraTime()
        throws
    {
        try room.giveExam(#","durationMinutes":1"#)
        try room.accept(
            "admin:A-1", "extension.grant", "08:30",
            #"{"exam":"EX-1","student":"S-1","kind":"percent","value":25}"#)
        _ = try room.start("AT-1", "S-1", "09:00")
        let started = room.last(ExamRoom.Attempt.Started.self)
        #expect(started?.limitSeconds == 75)
        #expect(started?.deadline == Classroom.instant("2026-02-02T09:01:15Z"))
    }

    @Test("R14: the window's end cuts a deadline short only if the policy says so") func windowEnd()
        throws
    {
        let window =
            #","durationMinutes":60,"window":{"opensAt":null,"closesAt":"2026-02-02T09:30:00Z"}"#
        try room.giveExam(window)
        _ = try room.start("AT-1", "S-1", "09:00")
        #expect(
            room.last(ExamRoom.Attempt.Started.self)?.deadline == Classroom.instant("10:00"))
        try room.adopt(#""closeEndsAttempts":true"#)
        _ = try room.start("AT-2", "S-2", "09:00")
        #expect(
            room.last(ExamRoom.Attempt.Started.self)?.deadline == Classroom.instant("09:30"))
    }

    @Test func `warnings come before the end, and none at or before the start (17.2, 17.3)`() throws
    {
        try room.giveExam(#","durationMinutes":5"#)
        _ = try room.start("AT-1", "S-1", "09:00")
        let fired = try room.advance("10:00")
        // 300 s before a deadline of 300 s is the start itself: only the warning at 60 s is left.
        #expect(
            fired == [
                "time.warned", "notification.raised", "attempt.submitted", "points.awarded",
                "badge.earned", "notification.raised", "notification.raised",
            ])
        #expect(room.last(ExamRoom.Attempt.Submitted.self)?.how == .timeUp)
    }

    @Test func `whoever wants no notifications gets none, and admins hear of requests`() throws {
        try room.giveExam()
        try room.accept(
            "student:S-1", "preference.choose", "08:30",
            #"{"account":"S-1","changes":{"notifications":false}}"#)
        try room.accept(
            "admin:A-1", "preference.choose", "08:30",
            #"{"account":"A-1","changes":{"notifications":false}}"#)
        _ = try room.start("AT-1", "S-1", "09:00")
        #expect(
            try room.submit("AT-1", "S-1", "09:01")
                == .accepted(["attempt.submitted", "points.awarded", "badge.earned"]))
        #expect(
            try room.brief(
                "student:S-1", "accommodation.request", "09:02",
                #"{"request":"RQ-1","exam":"EX-1","student":"S-1","kind":"minutes","value":15,"justification":"x"}"#
            ) == .accepted(["accommodation.requested", "notification.raised"]))
    }

    @Test("R18: more seconds than have passed since the start are cut to them")
    func seconds() throws {
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        try room.accept(
            "student:S-1", "time.log", "09:01",
            #"{"attempt":"AT-1","question":"Q-1","seconds":9007199254740991}"#)
        #expect(try #require(room.last(ExamRoom.Attempt.TimeLogged.self)).seconds == 60)
        try room.accept(
            "student:S-1", "answer.save", "09:02",
            #"{"attempt":"AT-1","question":"Q-1","chosen":["a"],"seconds":121}"#)
        #expect(try #require(room.last(ExamRoom.Answer.Saved.self)).seconds == 120)
    }
}
