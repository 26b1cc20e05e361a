import Commands
import ExamRoomCommands
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Testing

@Suite struct AttemptTests {
    private let stage = Stage()

    @Test("R15: a window is open from its first instant to before its last") func window() {
        stage.giveExam(
            #","window":{"opensAt":"2026-02-02T09:00:00Z","closesAt":"2026-02-02T10:00:00Z"}"#)
        #expect(stage.start("AT-1", "S-1", "08:59") == .rejected("exam-not-open"))
        #expect(stage.start("AT-1", "S-1", "10:00") == .rejected("exam-closed"))
        #expect(stage.start("AT-1", "S-1", "09:00") == .accepted(["attempt.started"]))
    }

    @Test("R15: attempts are counted, and one is open at a time") func attemptLimit() {
        stage.giveExam(#","maxAttempts":2,"durationMinutes":10"#)
        _ = stage.start("AT-1", "S-1", "09:00")
        #expect(stage.start("AT-2", "S-1", "09:09") == .rejected("attempt-open"))
        // At its deadline the attempt is over, whether or not the timer has fired (R17).
        #expect(stage.start("AT-2", "S-1", "09:10") == .accepted(["attempt.started"]))
        #expect(stage.start("AT-3", "S-1", "09:30") == .rejected("attempt-limit"))
        #expect(stage.start("AT-1", "S-2", "09:30") == .rejected("already-exists"))
    }

    @Test("R5: a blocked student's try leaves a violation") func blockedStudent() {
        stage.giveExam()
        stage.accept("admin:A-1", "student.block", "08:30", #"{"exam":"EX-1","student":"S-1"}"#)
        #expect(
            stage.start("AT-1", "S-1", "09:00")
                == .rejected("student-blocked", ["violation.recorded"]))
        let violation = stage.last(ExamRoom.Violation.Recorded.self)
        #expect(violation?.violation == .blockedStudent)
        #expect(violation?.command == "examroom.attempt.start")
        // A block stops starts, not an attempt in progress (R15).
        _ = stage.start("AT-2", "S-2", "09:00")
        stage.accept("admin:A-1", "student.block", "09:01", #"{"exam":"EX-1","student":"S-2"}"#)
        #expect(stage.answer("AT-2", "S-2", "Q-1", "a", "09:02") == .accepted(["answer.saved"]))
    }

    @Test("R17: at the deadline everything is closed, a millisecond before it is open")
    func deadline() {
        stage.giveExam(#","durationMinutes":10"#)
        _ = stage.start("AT-1", "S-1", "09:00")
        let late = "2026-02-02T09:10:00Z"
        let justInTime = "2026-02-02T09:09:59.999Z"
        #expect(stage.answer("AT-1", "S-1", "Q-1", "a", late) == .rejected("attempt-closed"))
        #expect(stage.submit("AT-1", "S-1", late) == .rejected("attempt-closed"))
        #expect(stage.answer("AT-1", "S-1", "Q-1", "a", justInTime) == .accepted(["answer.saved"]))
    }

    @Test("R16: a question with one right option takes one answer, others take any")
    func oneRightOption() {
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        #expect(stage.answer("AT-1", "S-1", "Q-1", "ab", "09:01") == .rejected("too-many-chosen"))
        #expect(stage.answer("AT-1", "S-1", "Q-2", "abc", "09:01") == .accepted(["answer.saved"]))
        #expect(stage.answer("AT-1", "S-1", "Q-2", "aa", "09:01") == .rejected("option-repeated"))
        #expect(stage.answer("AT-1", "S-1", "Q-2", "x", "09:01") == .rejected("option-unknown"))
        #expect(
            stage.answer("AT-1", "S-1", "Q-9", "a", "09:01") == .rejected("question-not-in-paper"))
        #expect(stage.answer("AT-9", "S-1", "Q-1", "a", "09:01") == .rejected("not-found"))
        #expect(
            stage.answer("AT-1", "S-2", "Q-1", "a", "09:01")
                == .rejected("forbidden", ["violation.recorded"]))
    }

    @Test("R16, R17, R19: the last answer counts, and all right options must be chosen")
    func lastAnswer() {
        stage.giveExam(#","passPercent":66.67"#)
        _ = stage.start("AT-1", "S-1", "09:00")
        _ = stage.answer("AT-1", "S-1", "Q-1", "b", "09:01")
        _ = stage.answer("AT-1", "S-1", "Q-1", "a", "09:02")
        _ = stage.answer("AT-1", "S-1", "Q-2", "a", "09:03")
        _ = stage.submit("AT-1", "S-1", "09:04")
        let closing = stage.last(ExamRoom.Attempt.Submitted.self)
        #expect(closing?.score == 1)
        #expect(closing?.percent == Percent(hundredths: 3333))
        #expect(closing?.answered == 2)
        #expect(closing?.correct == 1)
        #expect(closing?.secondsTaken == 240)
        #expect(closing?.passed == false)
    }

    @Test("R19: passing is exact, not a matter of rounded percent") func exactPass() {
        stage.giveExam(#","passPercent":66.67"#)
        _ = stage.start("AT-1", "S-1", "09:00")
        _ = stage.answer("AT-1", "S-1", "Q-2", "ab", "09:01")
        _ = stage.submit("AT-1", "S-1", "09:04")
        let closing = stage.last(ExamRoom.Attempt.Submitted.self)
        // Two of three points print as 66.67 and are less than 66.67 per cent.
        #expect(closing?.percent == Percent(hundredths: 6667))
        #expect(closing?.passed == false)
    }

    @Test("R17, R21: under instant feedback the first answer stands, an empty one too")
    func instantFeedback() {
        stage.giveExam(#","feedback":"instant""#)
        _ = stage.start("AT-1", "S-1", "09:00")
        _ = stage.answer("AT-1", "S-1", "Q-2", "ab", "09:01")
        let told = stage.last(ExamRoom.Answer.Saved.self)?.feedback
        #expect(told?.correct == true)
        #expect(told?.correctOptions.map { stage.names.text($0) } == ["a", "b"])
        #expect(stage.answer("AT-1", "S-1", "Q-1", "", "09:02") == .accepted(["answer.saved"]))
        #expect(stage.last(ExamRoom.Answer.Saved.self)?.feedback == nil)
        #expect(stage.answer("AT-1", "S-1", "Q-1", "a", "09:03") == .rejected("answer-final"))
    }

    @Test("R14: extra time is a share of the duration rounded down, or minutes") func extraTime() {
        stage.giveExam(#","durationMinutes":1"#)
        stage.accept(
            "admin:A-1", "extension.grant", "08:30",
            #"{"exam":"EX-1","student":"S-1","kind":"percent","value":25}"#)
        _ = stage.start("AT-1", "S-1", "09:00")
        let started = stage.last(ExamRoom.Attempt.Started.self)
        #expect(started?.limitSeconds == 75)
        #expect(started?.deadline == Stage.instant("2026-02-02T09:01:15Z"))
    }

    @Test("R14: the window's end cuts a deadline short only if the policy says so") func windowEnd()
    {
        let window =
            #","durationMinutes":60,"window":{"opensAt":null,"closesAt":"2026-02-02T09:30:00Z"}"#
        stage.giveExam(window)
        _ = stage.start("AT-1", "S-1", "09:00")
        #expect(
            stage.last(ExamRoom.Attempt.Started.self)?.deadline == Stage.instant("10:00"))
        stage.adopt(#""closeEndsAttempts":true"#)
        _ = stage.start("AT-2", "S-2", "09:00")
        #expect(
            stage.last(ExamRoom.Attempt.Started.self)?.deadline == Stage.instant("09:30"))
    }

    @Test func `warnings come before the end, and none at or before the start (17.2, 17.3)`() {
        stage.giveExam(#","durationMinutes":5"#)
        _ = stage.start("AT-1", "S-1", "09:00")
        let fired = stage.fire(before: "10:00")
        // 300 s before a deadline of 300 s is the start itself: only the warning at 60 s is left.
        #expect(
            fired == [
                "time.warned", "notification.raised", "attempt.submitted", "points.awarded",
                "badge.earned", "notification.raised", "notification.raised",
            ])
        #expect(stage.last(ExamRoom.Attempt.Submitted.self)?.how == .timeUp)
    }

    @Test func `whoever wants no notifications gets none, and admins hear of requests`() {
        stage.giveExam()
        stage.accept(
            "student:S-1", "preference.choose", "08:30",
            #"{"account":"S-1","changes":{"notifications":false}}"#)
        stage.accept(
            "admin:A-1", "preference.choose", "08:30",
            #"{"account":"A-1","changes":{"notifications":false}}"#)
        _ = stage.start("AT-1", "S-1", "09:00")
        #expect(
            stage.submit("AT-1", "S-1", "09:01")
                == .accepted(["attempt.submitted", "points.awarded", "badge.earned"]))
        #expect(
            stage.send(
                "student:S-1", "accommodation.request", "09:02",
                #"{"request":"RQ-1","exam":"EX-1","student":"S-1","kind":"minutes","value":15,"justification":"x"}"#
            ) == .accepted(["accommodation.requested", "notification.raised"]))
    }

    @Test("R18: more seconds than have passed since the start are cut to them")
    func seconds() throws {
        let stage = Stage()
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        stage.accept(
            "student:S-1", "time.log", "09:01",
            #"{"attempt":"AT-1","question":"Q-1","seconds":9007199254740991}"#)
        #expect(try #require(stage.last(ExamRoom.Attempt.TimeLogged.self)).seconds == 60)
        stage.accept(
            "student:S-1", "answer.save", "09:02",
            #"{"attempt":"AT-1","question":"Q-1","chosen":["a"],"seconds":121}"#)
        #expect(try #require(stage.last(ExamRoom.Answer.Saved.self)).seconds == 120)
    }
}
