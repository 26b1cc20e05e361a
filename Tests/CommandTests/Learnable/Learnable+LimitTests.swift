import Core
import LearnableEvents
import TestSupport
import Testing

@Suite struct `Learnable's limits` {
    private static let by = "student:S-1"

    /// Without access from 2026-03-02 on, and two subjects without it.
    private static func school() throws -> Lessons {
        let school = try Lessons(empty: ())
        try school.adopt(
            #""access.afterTrial":"premium-features","subjects.freeLimit":2,"trial.days":1"#)
        try school.join()
        return school
    }

    private func start(_ school: Lessons, _ draft: String, _ at: String) throws -> String {
        try school.tell(Self.by, "draft.start", at, #""student":"S-1","draft":"\#(draft)""#)
    }

    private func delete(_ school: Lessons, _ subject: String, _ at: String) throws {
        try school.accept(
            Self.by, "subject.delete", at, #""subject":"\#(subject)","confirmed":true"#)
    }

    @Test("R6: deleting a subject that was made without access makes no room for another")
    func deleted() throws {
        let school = try Self.school()
        // Of one made in the trial it does.
        try school.subject("SU-1")
        let later = "2026-03-05T08:00:00Z"
        try school.subject("SU-2", at: later)
        #expect(try start(school, "DR-9", later) == "subject-limit")
        try delete(school, "SU-1", later)
        try school.subject("SU-3", at: later)
        #expect(try start(school, "DR-9", later) == "subject-limit")
        try delete(school, "SU-2", later)
        try delete(school, "SU-3", later)
        #expect(try start(school, "DR-9", later) == "subject-limit")
        let access = try school.show("access", "S-1", now: later)
        #expect(access["subjectsHeld"] == .integer(0))
        #expect(access["subjectsCounted"] == .integer(2))
        // Nor does starting over.
        try school.accept(
            Self.by, "student.start-over", later, #""student":"S-1","confirmed":true"#)
        #expect(try start(school, "DR-9", later) == "subject-limit")
        // With access there is no limit.
        try school.accept(
            "service:pay", "subscription.activate", later,
            #""student":"S-1","plan":"P","paidUntil":"2026-04-05T08:00:00Z","payment":"PAY""#)
        #expect(try start(school, "DR-9", later) == "accepted")
    }

    @Test("R6: starting over spends what was held, and what failed is not counted") func spent()
        throws
    {
        let school = try Self.school()
        let later = "2026-03-05T08:00:00Z"
        try school.draft("DR-1", at: later)
        try school.accept(
            Self.by, "generation.request", later, #""draft":"DR-1","subject":"SU-1""#)
        try school.accept(
            "service:ai", "generation.fail", later, #""subject":"SU-1","reason":"no material""#)
        try delete(school, "SU-1", later)
        try school.subject("SU-2", at: later)
        try school.subject("SU-3", at: later)
        #expect(
            try school.show("access", "S-1", now: later)["subjectsCounted"] == .integer(2))
        try school.accept(
            Self.by, "student.start-over", later, #""student":"S-1","confirmed":true"#)
        #expect(
            try school.show("access", "S-1", now: later)["subjectsCounted"] == .integer(2))
    }

    @Test("R1: who moves east has tomorrow's quiz hours early, once, and never the same day twice")
    func east() throws {
        let school = try Lessons(empty: ())
        try school.adopt(#""levels.1.maxDays":1,"trial.days":300"#)
        try school.join(zone: "Pacific/Pago_Pago", at: "2026-03-01T20:00:00Z")
        try school.subject("SU", at: "2026-03-01T20:00:00Z")
        try school.complete("SU", "1.1", at: "2026-03-01T20:00:00Z")
        try school.pool("SU", "1.1", ["Q-1"], at: "2026-03-01T20:00:00Z")
        func move(_ zone: String, _ at: String) throws {
            try school.accept(
                Self.by, "student.relocate", at, #""student":"S-1","timeZone":"\#(zone)""#)
        }
        func begin(_ quiz: String, _ at: String) throws -> String {
            try school.tell(
                Self.by, "quiz.begin", at, #""student":"S-1","quiz":"\#(quiz)","kind":"daily""#)
        }
        // Eleven hours behind Greenwich it is still 1 March, on Kiritimati already 2 March: 25 hours apart.
        #expect(try begin("QZ-1", "2026-03-01T21:00:00Z") == "nothing-due")
        try move("Pacific/Kiritimati", "2026-03-01T21:00:00Z")
        #expect(try begin("QZ-1", "2026-03-01T21:00:00Z") == "accepted")
        try school.answer("QZ-1", "Q-1", right: true, at: "2026-03-01T21:01:00Z")
        // Back in the west the day before does not come again, and back in the east there is one quiz a day.
        try move("Pacific/Pago_Pago", "2026-03-01T21:02:00Z")
        #expect(try begin("QZ-2", "2026-03-01T21:02:00Z") != "accepted")
        try move("Pacific/Kiritimati", "2026-03-01T21:03:00Z")
        #expect(try begin("QZ-2", "2026-03-01T21:03:00Z") != "accepted")
        #expect(try begin("QZ-2", "2026-03-02T09:59:59Z") != "accepted", "until the next midnight")
        #expect(try begin("QZ-2", "2026-03-02T10:00:00Z") == "accepted")
    }
}
