import Core
import QuranFlowEvents
import TestSupport
import Testing

@Suite struct `QuranFlow's Today` {
    @Test("R30: the status of a week, the first that holds") func status() throws {
        let course = try Course()
        func status(_ week: Int, _ now: String) throws -> String? {
            try course.show("week", "E-1", now: now, ["week": "\(week)"]).word("status")
        }
        #expect(try status(1, "2026-01-16") == "upcoming")
        #expect(try status(1, "2026-01-18") == "not-started")
        _ = try course.watch("V2-1a", to: 3, at: "2026-01-18")
        #expect(try status(1, "2026-01-18") == "in-progress")
        #expect(try status(1, "2026-01-25") == "incomplete")
        _ = try course.completeLesson(week: 1, at: "2026-01-19")
        _ = try course.record("R-1", week: 1, at: "2026-01-19")
        #expect(try status(1, "2026-01-25") == "in-progress")
        _ = try course.answer("R-1", at: "2026-01-20")
        #expect(try status(1, "2026-01-25") == "feedback-ready")
        #expect(
            try course.events(
                Course.student, "feedback.review", "2026-01-20", #"{"recording":"R-1"}"#) == [
                    "feedback.reviewed", "notification.opened",
                ])
        #expect(try status(1, "2026-01-25") == "complete")
        #expect(try course.review("R-1", at: "2026-01-20") == "already-reviewed")
    }

    @Test("R31: one primary action, in the order of the table") func primary() throws {
        let course = try Course(lessons: 1...2)
        #expect(try course.primary(now: "2026-01-10") == "get-ready")
        #expect(try course.primary(now: "2026-01-18") == "lesson-not-started")
        #expect(try course.primary(now: "2026-01-25") == "catch-up-lesson")
        _ = try course.completeLesson(week: 1, at: "2026-01-25")
        #expect(try course.primary(now: "2026-01-25") == "catch-up-submission")
        _ = try course.record("R-1", week: 1, at: "2026-01-25")
        #expect(try course.primary(now: "2026-01-25") == "lesson-not-started")
        _ = try course.answer("R-1", at: "2026-01-26")
        #expect(try course.primary() == "feedback-ready")
        _ = try course.review("R-1", at: "2026-01-26")
        #expect(try course.primary(now: "2026-02-01") == "eoc-locked", "before catching up")
        #expect(try course.show("today", "S-1", now: "2026-02-01").number("primary.week") == 2)
    }

    @Test("R32: the banner names the gap and the way out of it") func banner() throws {
        let course = try Course(#""submissionsPerPeriod":1"#)
        let banner = try course.show("today", "S-1", now: "2026-01-25").part("banner")
        #expect(
            banner.word("text")
                == "You have 1 submission to catch up on. You can submit up to 1 this week.")
        #expect(banner.number("link.week") == 1)
        _ = try course.record("R-2", week: 2, at: "2026-01-25")
        let used = try course.show("today", "S-1", now: "2026-01-25").part("banner")
        #expect(
            used.word("text")
                == "You have 1 submission to catch up on. Your next attempt opens January 31, 2026."
        )
    }

    @Test("R34: the deadline is told from two days before, in the student's own dates")
    func deadline()
        throws
    {
        let course = try Course()
        func text(_ now: String) throws -> String? {
            try course.show("today", "S-1", now: now).word("cards.submission.deadline")
        }
        #expect(try text("2026-01-21T04:59:59Z") == nil)
        #expect(try text("2026-01-21T05:00:00Z") == "Due in 2 days")
        #expect(try text("2026-01-22T05:00:00Z") == "Due tomorrow")
        #expect(try text("2026-01-24T04:59:59Z") == "Due today")
        _ = try course.record("R-1", week: 1, at: "2026-01-20")
        #expect(try text("2026-01-23T12:00:00Z") == nil)
    }

    @Test("R35: times carry their zone, and texts are worded by one list") func word() throws {
        let course = try Course()
        _ = try course.record("R-1", week: 1, at: "2026-01-20T03:00:00Z")
        let at = try course.show("submissions", "S-1").part("items.0.at")
        #expect(at.word("local") == "2026-01-19T22:00" && at.word("offset") == "-05:00")
        _ = try course.answer("R-1", at: "2026-01-20T04:00:00Z")
        let items = {
            try course.show("week", "E-1", now: $0, ["week": "1"]).word(
                "feedback.items.0.receivedText")
        }
        #expect(try items("2026-01-20T04:00:59Z") == "Received just now")
        #expect(try items("2026-01-20T04:01:00Z") == "Received 1 minute ago")
        #expect(try items("2026-01-20T05:59:59Z") == "Received 1 hour ago")
        #expect(try items("2026-01-22T03:59:59Z") == "Received 1 day ago")
        #expect(
            try course.show("week", "E-1", ["week": "1"]).word("submission.reference")
                == "Surah Al-Mulk, Ayahs 1-5")
        let card = try course.show("today", "S-1", now: "2026-01-09").part("infoCards.2")
        #expect(card.word("text") == "January 17, 2026 -- Saturday")
    }
}
