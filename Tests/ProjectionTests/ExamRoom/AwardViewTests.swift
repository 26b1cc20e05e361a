import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Projections
import ExamRoomProjections
import Testing

@Suite struct `The leaderboard` {
    private let room = ToldRoom()

    init() throws {
        try room.exam()
        for student in ["S-1", "S-2", "S-3", "S-4"] { try room.register(student) }
    }

    private func complete(_ student: String, right: Int, points: Int) throws {
        try room.start("AT-\(student)", of: student, questions: 4)
        try room.submit("AT-\(student)", of: student, right: right, of: 4)
        try room.tell(
            "examroom.points.awarded",
            """
            {"student":"\(student)","attempt":"AT-\(student)","exam":"EX-1","percent":50,
            "points":\(points),"total":\(points)}
            """, at: "2026-02-02T09:30:00Z", about: student)
    }

    @Test("R31: ranks equal first measures alike and orders them by the second, then id")
    func ranks() throws {
        try complete("S-4", right: 2, points: 50)
        try complete("S-3", right: 2, points: 50)
        try complete("S-2", right: 4, points: 50)
        try complete("S-1", right: 1, points: 10)
        let board = try #require(try room.show("leaderboard", "points"))
        #expect(
            board.column("entries", "student") == [2, 3, 4, 1].map { "\"S-\($0)\"" })
        #expect(board.column("entries", "rank") == ["1", "1", "1", "4"])
    }

    @Test("R31: leaves out who hid and who completed nothing, but tells them so") func hidden()
        throws
    {
        try complete("S-1", right: 4, points: 100)
        try complete("S-2", right: 4, points: 90)
        try room.start("AT-S-3", of: "S-3", questions: 4)
        try room.tell(
            "examroom.preference.chosen", #"{"account":"S-1","changes":{"leaderboard":"hidden"}}"#,
            at: "2026-02-03T09:00:00Z", by: "student:S-1")
        let board = try #require(try room.show("leaderboard", "points", ["student": "S-1"]))
        #expect(board.column("entries", "student") == [#""S-2""#])
        #expect(board.text("own") == #"{"hidden":true,"rank":null,"student":"S-1"}"#)
        let other = try #require(try room.show("leaderboard", "points", ["student": "S-3"]))
        #expect(other.text("own") == #"{"hidden":false,"rank":null,"student":"S-3"}"#)
        #expect(try room.show("leaderboard", "points")?.text("own") == "null")
    }

    @Test("R31: keeps the order of ids across pages when all tie") func pages() throws {
        for number in 10...69 {
            try room.register("T-\(number)")
            try complete("T-\(number)", right: 2, points: 50)
        }
        let first = try #require(try room.show("leaderboard", "average"))
        let second = try #require(try room.show("leaderboard", "average", ["page": "2"]))
        let students = first.column("entries", "student") + second.column("entries", "student")
        #expect(students == (10...69).map { "\"T-\($0)\"" })
        #expect(second.text("pages") == "2")
    }

    private func results(_ event: String) throws {
        try room.tell(
            "examroom.results.\(event)", #"{"exam":"EX-1"}"#, at: "2026-02-03T09:00:00Z")
    }

    @Test("R31: an average tells nothing that is not published") func unpublished() throws {
        try complete("S-1", right: 1, points: 25)
        try complete("S-2", right: 4, points: 100)
        try complete("S-3", right: 0, points: 0)
        let before = try #require(try room.show("leaderboard", "average"))
        #expect(before.column("entries", "averagePercent") == ["null", "null", "null"])
        #expect(before.column("entries", "rank") == ["1", "1", "1"])
        try results("published")
        // Another exam, not published, leaves the average as it is.
        try room.exam("EX-2")
        try room.start("AT-2", of: "S-1", exam: "EX-2", questions: 4, at: "2026-02-04T09:00:00Z")
        try room.submit(
            "AT-2", of: "S-1", exam: "EX-2", right: 4, of: 4, at: "2026-02-04T09:30:00Z")
        let after = try #require(try room.show("leaderboard", "average"))
        #expect(after.column("entries", "student") == [2, 1, 3].map { "\"S-\($0)\"" })
        #expect(after.column("entries", "averagePercent") == ["100", "25", "0"])
        // Who has nothing published stands below 0 %.
        try room.start("AT-3", of: "S-4", exam: "EX-2", questions: 4, at: "2026-02-04T09:00:00Z")
        try room.submit(
            "AT-3", of: "S-4", exam: "EX-2", right: 4, of: 4, at: "2026-02-04T09:30:00Z")
        let last = try #require(try room.show("leaderboard", "average"))
        #expect(last.column("entries", "rank") == ["1", "2", "3", "4"])
        #expect(last.column("entries", "averagePercent") == ["100", "25", "0", "null"])
        try results("withheld")
        let hidden = try #require(try room.show("leaderboard", "average"))
        #expect(hidden.column("entries", "averagePercent") == ["null", "null", "null", "null"])
    }

    @Test("R31: where awards wait for results, so do the boards") func waiting() throws {
        try complete("S-1", right: 4, points: 100)
        #expect(try room.show("leaderboard", "points")?.text("total") == "1")
        try room.tell(
            "examroom.policy.adopted", #"{"changes":{"awardsWhen":"results"}}"#,
            at: "2026-02-02T10:00:00Z")
        for board in ["points", "average", "completion"] {
            #expect(try room.show("leaderboard", board)?.text("total") == "0")
        }
        try results("published")
        for board in ["points", "average", "completion"] {
            #expect(try room.show("leaderboard", board)?.text("total") == "1")
        }
    }

    @Test("R31: has three boards") func boards() throws {
        #expect(try room.show("leaderboard", "completion") != nil)
        #expect(try room.show("leaderboard", "streaks") == nil)
    }
}

@Suite struct `Achievements` {
    private let room = ToldRoom()

    init() throws {
        try room.register("S-1", zone: "Asia/Riyadh")
        try room.exam()
        for day in 1...2 {
            try room.start("AT-\(day)", of: "S-1", at: "2026-02-0\(day)T09:00:00Z")
            try room.submit("AT-\(day)", of: "S-1", at: "2026-02-0\(day)T09:30:00Z")
        }
    }

    /// The student's day begins at 21:00 UTC; a streak lasts until the end of the day after.
    @Test(
        "R30: count a streak until the day after its last is over",
        arguments: [
            ("2026-02-02T10:00:00Z", 2), ("2026-02-03T20:59:59Z", 2), ("2026-02-03T21:00:00Z", 0),
        ])
    func streak(now: String, days: Int) throws {
        let view = try #require(try room.show("achievements", "S-1", now: now))
        #expect(view.text("currentStreak") == "\(days)")
        #expect(view.text("longestStreak") == "2")
        #expect(view.text("next.streak.days") == "\(days)")
    }

    @Test("R29: name the next milestone as neither unlocked nor reached") func nextMilestone()
        throws
    {
        try room.tell(
            "examroom.points.awarded",
            """
            {"student":"S-1","attempt":"AT-1","exam":"EX-1","percent":100,"points":1000,
            "total":1000}
            """, at: "2026-02-01T09:30:00Z")
        try room.tell(
            "examroom.milestone.unlocked", #"{"student":"S-1","milestone":1000,"total":1000}"#,
            at: "2026-02-01T09:30:00Z")
        try room.tell(
            "examroom.points.adjusted",
            """
            {"student":"S-1","attempt":"AT-1","exam":"EX-1","oldPoints":1000,"newPoints":900,
            "total":900}
            """, at: "2026-02-02T09:30:00Z")
        let view = try #require(try room.show("achievements", "S-1"))
        // Unlocked once, for ever: 1000 is not next although it is above the total again.
        #expect(view.text("next.milestone.target") == "5000")
        #expect(view.text("next.milestone.percent") == "18")
        #expect(view.column("history", "amount") == ["1000", "1000", "-100"])
        #expect(view.column("history", "what") == [#""points""#, #""milestone""#, #""points""#])
        #expect(view.text("history.1.attempt") == "null")
    }

    @Test func `have nothing next once all is earned`() throws {
        try room.tell(
            "examroom.policy.adopted", #"{"changes":{"milestones":[],"streakBadges":[2]}}"#,
            at: "2026-02-01T00:00:00Z")
        try room.tell(
            "examroom.badge.earned",
            """
            {"student":"S-1","badge":"streak-2","name":"2-Day Streak","attempt":"AT-2","basis":{}}
            """, at: "2026-02-02T09:30:00Z")
        let view = try #require(try room.show("achievements", "S-1"))
        #expect(view.text("next.milestone") == "null")
        #expect(view.text("next.streak") == "null")
        #expect(
            view.text("next.badges") == #"["first-steps","perfect-score","speed-demon"]"#)
    }
}
