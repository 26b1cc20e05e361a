import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Projections
import ExamRoomProjections
import Testing

@Suite struct `The views of a person` {
    private let room = ToldRoom()

    init() throws {
        try room.register("A-1", role: "admin")
        try room.register("S-1", zone: "Asia/Riyadh")
        try room.exam()
    }

    private func delete() throws {
        try room.tell(
            "examroom.account.deleted",
            #"{"account":"S-1","role":"student","attempts":0,"reason":null}"#,
            at: "2026-02-03T09:00:00Z")
        try room.tell(
            "account.erased", #"{"subject":"examroom/S-1"}"#, at: "2026-02-03T09:00:00Z")
    }

    @Test("R6: are null for a deleted account but for account and sign-in") func deletedAccount()
        throws
    {
        try room.tell(
            "examroom.student.blocked", #"{"exam":"EX-1","student":"S-1","reason":"x"}"#,
            at: "2026-02-02T09:00:00Z", about: "S-1")
        #expect(try room.show("account", "S-1")?.text("blockedFrom") == #"["EX-1"]"#)
        try delete()
        let account = try #require(try room.show("account", "S-1"))
        #expect(account.text("state") == #""deleted""#)
        #expect(account.text("name") == "null")
        #expect(account.text("blockedFrom") == "[]")
        // The zone was not revised, so it is not personal.
        #expect(account.text("timeZone") == #""Asia/Riyadh""#)
        #expect(try room.show("sign-in", "S-1")?.text("known") == "false")
        for model in [
            "settings", "inbox", "available", "history", "student-analytics", "achievements",
        ] {
            #expect(try room.show(model, "S-1") == nil, "\(model)")
        }
    }

    @Test func `say how to sign in for any key`() throws {
        let unknown = try #require(try room.show("sign-in", "nobody"))
        #expect(
            unknown.description == """
                {"account":"nobody","biometric":false,"known":false,"salt":null,"scheme":null,\
                "temporary":false}
                """)
    }

    @Test func `show the defaults of new exams to admins alone`() throws {
        #expect(try room.show("settings", "S-1")?.text("examDefaults") == "null")
        let admin = try #require(try room.show("settings", "A-1"))
        #expect(admin.text("examDefaults.durationMinutes") == "60")
        #expect(admin.text("sync") == #""wifi-cellular""#)
    }

    @Test func `lead the inbox with the newest entry, fifty a page`() throws {
        for number in 1...51 {
            try room.tell(
                "examroom.notification.raised",
                """
                {"to":"S-1","notification":"time-up","data":{"n":\(number)},"link":"l"}
                """, at: "2026-02-02T09:00:00Z")
        }
        let first = try #require(try room.show("inbox", "S-1"))
        #expect(first.text("notifications.0.data.n") == "51")
        let second = try #require(try room.show("inbox", "S-1", ["page": "2"]))
        #expect(second.column("notifications", "data") == [#"{"n":1}"#])
    }

    @Test("R4, R6: end the sessions of a deleted account") func deletedSessions() throws {
        try room.tell(
            "examroom.session.started",
            """
            {"session":"SE-1","account":"S-1","role":"student","method":"credential",
            "deviceInfo":null,"ip":null,"mustChangeCredential":false}
            """, at: "2026-02-02T09:00:00Z", device: "D-1", about: "S-1")
        try delete()
        let session = try #require(try room.show("session", "SE-1"))
        #expect(session.text("state") == #""ended""#)
        #expect(session.text("reason") == #""account-deleted""#)
        #expect(session.text("endedAt") == #""2026-02-03T09:00:00Z""#)
    }

    @Test func `list extra time at exams that are there, requests at deleted ones too`() throws {
        try room.tell(
            "examroom.accommodation.requested",
            """
            {"request":"RQ-1","exam":"EX-1","student":"S-1","kind":"percent","value":50,
            "justification":"j"}
            """, at: "2026-02-02T09:00:00Z", about: "S-1")
        try room.tell(
            "examroom.extension.granted",
            #"{"exam":"EX-1","student":"S-1","kind":"percent","value":50,"request":"RQ-1"}"#,
            at: "2026-02-02T09:00:00Z")
        for arguments in [[:], ["exam": "EX-1"], ["student": "S-1"]] {
            #expect(try room.show("extensions", "", arguments)?.text("total") == "1")
        }
        #expect(try room.show("extensions", "", ["exam": "EX-9"])?.text("total") == "0")
        try room.tell(
            "examroom.exam.deleted", #"{"exam":"EX-1","title":"Algebra"}"#,
            at: "2026-02-03T00:00:00Z")
        #expect(try room.show("extensions")?.text("total") == "0")
        let requests = try #require(try room.show("accommodations", "", ["state": "pending"]))
        #expect(requests.column("requests", "request") == [#""RQ-1""#])
        #expect(throws: WrongArgument.self) {
            try room.show("accommodations", "", ["state": "lost"])
        }
    }
}
