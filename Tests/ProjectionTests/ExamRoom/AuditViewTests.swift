import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Projections
import ExamRoomProjections
import Testing

@Suite struct `The audit view` {
    private let room = ToldRoom()

    init() throws {
        try room.register("A-1", role: "admin", at: "2026-02-01T08:00:00Z")
        try room.register("S-1", at: "2026-02-01T08:01:00Z")
    }

    private func signIn(_ session: String, at instant: String) throws {
        try room.tell(
            "examroom.session.started",
            """
            {"session":"\(session)","account":"S-1","role":"student","method":"credential",
            "deviceInfo":"Pad","ip":"10.0.0.1","mustChangeCredential":false}
            """, at: instant, by: "student:S-1", device: "D-1", about: "S-1")
    }

    @Test func `orders by moment, then by the higher position`() throws {
        try room.exam("EX-1", at: "2026-02-01T09:00:00Z")
        try room.exam("EX-2", at: "2026-02-01T08:30:00Z")
        try room.exam("EX-3", at: "2026-02-01T09:00:00Z")
        let view = try #require(try room.show("audit", "", ["action": "exam_created"]))
        #expect(view.column("entries", "exam") == [3, 1, 2].map { "\"EX-\($0)\"" })
        #expect(view.text("entries.0.details") == #"{"source":null,"title":"Algebra"}"#)
    }

    @Test func `knows the address of a session at its end, until it is erased`() throws {
        try signIn("SE-1", at: "2026-02-01T09:00:00Z")
        try room.tell(
            "examroom.session.ended",
            #"{"session":"SE-1","account":"S-1","reason":"credential-replaced"}"#,
            at: "2026-02-01T09:05:00Z", by: "admin:A-1", about: "S-1")
        let logout = try #require(try room.show("audit", "", ["action": "logout"]))
        #expect(logout.text("total") == "1")
        #expect(logout.text("entries.0.ip") == #""10.0.0.1""#)
        // Whose session it is, not who ended it.
        #expect(logout.text("entries.0.user") == #""S-1""#)
        #expect(logout.text("entries.0.role") == #""student""#)
        #expect(logout.text("entries.0.device") == "null")
        try room.tell(
            "account.erased", #"{"subject":"examroom/S-1"}"#, at: "2026-02-01T10:00:00Z")
        let erased = try #require(try room.show("audit", "", ["user": "S-1"]))
        #expect(erased.column("entries", "ip") == ["null", "null"])
        #expect(erased.text("entries.1.details.deviceInfo") == "null")
    }

    @Test func `gives a submission by the clock to the student`() throws {
        try room.exam()
        try room.start("AT-1", of: "S-1")
        try room.submit("AT-1", of: "S-1", how: "time-up", at: "2026-02-02T10:00:00Z")
        let view = try #require(try room.show("audit", "", ["action": "exam_submitted"]))
        #expect(view.text("entries.0.user") == #""S-1""#)
        #expect(view.text("entries.0.role") == #""student""#)
        #expect(view.text("entries.0.attempt") == #""AT-1""#)
    }

    @Test("23.2: the revision of a question names the fields that differ")
    func fields() throws {
        try room.exam()
        try room.tell(
            "examroom.question.revised",
            """
            {"exam":"EX-1","question":"Q-1","content":{"prompt":"?","options":[],"points":2,
            "explanation":null},"fields":["points","prompt"]}
            """, at: "2026-02-01T09:00:00Z")
        let view = try #require(try room.show("audit", "", ["action": "exam_modified"]))
        #expect(
            view.text("entries.0.details")
                == #"{"changed":["points","prompt"],"question":"Q-1"}"#)
    }

    @Test("R51: tells of a profile that somebody else revised, by the names of the fields")
    func profiles() throws {
        let revise = { (by: String) in
            try self.room.tell(
                "examroom.profile.revised",
                #"{"account":"S-1","changes":{"name":"N","email":null},"fields":["name","email"]}"#,
                at: "2026-02-01T09:00:00Z", by: by, about: "S-1")
        }
        _ = try revise("student:S-1")
        #expect(try room.show("audit", "", ["action": "profile_revised"])?.text("total") == "0")
        for by in ["admin:A-1", "system"] { _ = try revise(by) }
        let view = try #require(try room.show("audit", "", ["action": "profile_revised"]))
        #expect(view.column("entries", "user") == [#""system""#, #""A-1""#])
        #expect(
            view.text("entries.1.details") == #"{"account":"S-1","changed":["email","name"]}"#)
    }

    @Test("R6, R51: tells of an erasure, once where it is part of a deletion") func erasures()
        throws
    {
        try room.register("S-2", at: "2026-02-01T08:02:00Z")
        try room.tell(
            "account.erased", #"{"subject":"examroom/S-1"}"#, at: "2026-02-01T09:00:00Z")
        try room.tell(
            "examroom.account.deleted",
            #"{"account":"S-2","role":"student","attempts":0,"reason":null}"#,
            at: "2026-02-01T09:01:00Z")
        try room.tell(
            "account.erased", #"{"subject":"examroom/S-2"}"#, at: "2026-02-01T09:01:00Z")
        try room.tell(
            "account.erased", #"{"subject":"tafawoq/S-1"}"#, at: "2026-02-01T09:02:00Z")
        let view = try #require(try room.show("audit", "", ["from": "2026-02-01", "search": "s-"]))
        #expect(
            view.column("entries", "action").prefix(2)
                == [#""account_deleted""#, #""account_erased""#])
        #expect(view.text("entries.1.details") == #"{"account":"S-1"}"#)
        #expect(view.text("entries.1.user") == #""A-1""#)
        #expect(try room.show("audit", "", ["action": "account_erased"])?.text("total") == "1")
    }

    @Test func `forgets why a grade was changed with the student`() throws {
        try room.exam()
        try room.start("AT-1", of: "S-1")
        try room.submit("AT-1", of: "S-1")
        try room.tell(
            "examroom.grade.modified",
            """
            {"attempt":"AT-1","exam":"EX-1","student":"S-1","oldScore":1,"newScore":0,
            "oldPercent":100,"newPercent":0,"passed":false,"reason":"Copied from S-2"}
            """, at: "2026-02-03T09:00:00Z", about: "S-1")
        let reason = { () -> String? in
            let view = try self.room.show("audit", "", ["action": "grade_modified"])
            return view?.text("entries.0.details.reason")
        }
        #expect(try reason() == #""Copied from S-2""#)
        try room.tell(
            "account.erased", #"{"subject":"examroom/S-1"}"#, at: "2026-02-04T09:00:00Z")
        #expect(try reason() == "null")
    }

    @Test func `takes the actor's role where a violation names no account`() throws {
        try room.tell(
            "examroom.violation.recorded",
            """
            {"account":"S-9","violation":"invalid-authentication","code":"credential-wrong",
            "command":"examroom.session.start","exam":null,"ip":null}
            """, at: "2026-02-01T09:00:00Z", by: "admin:S-9")
        let view = try #require(try room.show("audit", "", ["action": "security_violation"]))
        #expect(view.text("entries.0.user") == #""S-9""#)
        #expect(view.text("entries.0.role") == #""admin""#)
    }

    @Test(arguments: [
        ("EXAM_CREATED", 1), ("ex-é", 0), ("ALGEBRA É", 0), ("algebra é", 1), ("title", 0),
        ("a-1", 4), ("", 4),
    ])
    func `searches texts without regard to ASCII case, not the names of details`(
        text: String, found: Int
    ) throws {
        try room.exam(title: "Algebra é", at: "2026-02-01T09:00:00Z")
        try room.publish(at: "2026-02-01T09:01:00Z")
        let view = try #require(try room.show("audit", "", ["search": text]))
        #expect(view.text("total") == "\(found)")
    }

    @Test func `reads dates in the policy's zone, both ends included`() throws {
        try room.tell(
            "examroom.policy.adopted", #"{"changes":{"defaultTimeZone":"Asia/Riyadh"}}"#,
            at: "2026-02-01T08:02:00Z")
        try signIn("SE-1", at: "2026-02-01T20:59:59.999Z")
        try signIn("SE-2", at: "2026-02-01T21:00:00Z")
        let day = ["from": "2026-02-02", "to": "2026-02-02"]
        let view = try #require(try room.show("audit", "", day))
        #expect(view.column("entries", "details").count == 1)
        #expect(view.text("entries.0.details.session") == #""SE-2""#)
        #expect(throws: WrongArgument.self) {
            try room.show("audit", "", ["from": "2026-02-30"])
        }
    }

    @Test func `turns pages without losing or repeating an entry`() throws {
        for number in 1...120 {
            try signIn("SE-\(number)", at: "2026-02-01T09:\(number % 2 == 0 ? "10" : "20"):00Z")
        }
        var entries: [String] = []
        for page in 1...3 {
            let view = try #require(
                try room.show("audit", "", ["action": "login", "page": "\(page)"]))
            entries += view.column("entries", "entry")
        }
        let odd = stride(from: 119, through: 1, by: -2)
        let even = stride(from: 120, through: 2, by: -2)
        // Two registrations stand before the first session.
        #expect(entries == (Array(odd) + Array(even)).map { "\($0 + 2)" })
    }
}

@Suite struct `An export` {
    private let room = ToldRoom()

    init() throws {
        try room.register("A-1", role: "admin")
        try room.register("S-1", name: "Haddad, \\\"Amal\\\"")
        try room.exam()
        try room.question("Q-1")
        try room.start("AT-1", of: "S-1")
        try room.submit("AT-1", of: "S-1")
    }

    private func make(
        _ scope: ExamRoom.Export.Scope, _ format: ExamRoom.Export.Format, exam: String? = nil
    ) -> ExportDocument {
        ExportDocument.make(
            scope: scope, format: format, exam: exam.map { room.names.id($0) }, filters: nil,
            state: room.room, history: room)
    }

    @Test("R34: of an exam has the digest of itself without the digest") func exam() throws {
        let document = make(.exam, .json, exam: "EX-1")
        guard case .json(let bytes) = document.content else {
            Issue.record("an exam is exported as JSON")
            return
        }
        let json = try JSON(parsing: bytes)
        #expect(json.canonical == bytes)
        #expect(json.text("digest") == "\"\(document.digest)\"")
        let members = (json.members ?? []).filter { $0.name != "digest" }
        #expect(SHA256Digest.hex(of: JSON.object(members).canonical) == document.digest)
        #expect(json.text("exam.window") == #"{"closesAt":null,"opensAt":null}"#)
        #expect(document.records == 1)
    }

    @Test("R34: of everything counts exams and results") func everything() throws {
        let document = make(.all, .json)
        #expect(document.records == 2)
        guard case .json(let bytes) = document.content else { return }
        #expect(try JSON(parsing: bytes).column("results", "attempt") == [#""AT-1""#])
    }

    @Test("R34: of results quotes only what RFC 4180 asks for") func results() throws {
        let document = make(.results, .csv, exam: "EX-1")
        let text = """
            \u{FEFF}attempt,student,name,number,startedAt,closedAt,how,score,maxScore,percent,passed,\
            extended\r
            AT-1,S-1,"Haddad, ""Amal""\",1,2026-02-02T09:00:00Z,2026-02-02T09:30:00Z,student,1,1,\
            100,true,false\r

            """
        #expect(document.content == .text(Array(text.utf8)))
        #expect(document.records == 1)
        #expect(document.digest == SHA256Digest.hex(of: Array(text.utf8)))
    }

    @Test("R34: no cell of a table becomes a formula, unless it was made before that")
    func formulas() throws {
        try room.register("S-2", name: "=1+1")
        try room.start("AT-2", of: "S-2")
        try room.submit("AT-2", of: "S-2")
        guard case .text(let bytes) = make(.results, .csv, exam: "EX-1").content else {
            Issue.record("results are exported as text")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains("\r\nAT-2,S-2,'=1+1,1,"))
        let former = ExportDocument.make(
            scope: .results, format: .csv, exam: room.names.id("EX-1"), filters: nil,
            isForSpreadsheets: false, state: room.room, history: room)
        guard case .text(let plain) = former.content else { return }
        #expect(String(decoding: plain, as: UTF8.self).hasPrefix("attempt,"))
        #expect(String(decoding: plain, as: UTF8.self).contains("\r\nAT-2,S-2,=1+1,1,"))
    }

    @Test("R34, R51: of the audit trail has no entries that a former build made none of")
    func formerTrail() throws {
        try room.tell(
            "examroom.profile.revised",
            #"{"account":"S-1","changes":{"name":"N"},"fields":["name"]}"#,
            at: "2026-02-03T09:00:00Z", about: "S-1")
        let made = make(.audit, .csv)
        let former = ExportDocument.make(
            scope: .audit, format: .csv, exam: nil, filters: nil, hasOccasionalEntries: false,
            state: room.room, history: room)
        #expect(made.records == former.records + 1)
        // What says so is the version of the event.
        for version: UInt16 in 1...3 {
            var event = ExamRoom.Export.Made()
            var writer = BinaryWriter()
            event.fields(&writer, version: version)
            #expect(event.hasOccasionalEntries == (version == 3))
        }
    }

    @Test("R34: of results as a page names all, escaped, from right to left where its title is")
    func page() throws {
        try room.register("S-3", name: "<b> & Co")
        try room.exam("EX-2", title: "الجبر <1>")
        try room.start("AT-3", of: "S-3", exam: "EX-2")
        try room.submit("AT-3", of: "S-3", exam: "EX-2")
        let page = { (exam: String) -> String in
            guard case .text(let bytes) = self.make(.results, .html, exam: exam).content else {
                return ""
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let arabic = page("EX-2")
        #expect(arabic.hasPrefix("<!DOCTYPE html>\n<html dir=\"rtl\">"))
        #expect(arabic.contains("<title>الجبر &lt;1&gt;</title>"))
        #expect(arabic.contains(">&lt;b&gt; &amp; Co</td>"))
        #expect(!arabic.contains("AT-1"))
        #expect(page("EX-1").hasPrefix("<!DOCTYPE html>\n<html dir=\"ltr\">"))
        #expect(make(.results, .html, exam: "EX-1").records == 1)
    }

    @Test("R34: shows the journal as it was before, erased texts empty") func before() throws {
        let document = make(.results, .csv, exam: "EX-1")
        try room.tell(
            "examroom.export.made",
            """
            {"export":"XP-1","scope":"results","exam":"EX-1","filters":null,"format":"csv",
            "records":1,"digest":"\(document.digest)"}
            """, at: "2026-02-03T09:00:00Z")
        try room.start("AT-2", of: "S-1", at: "2026-02-04T09:00:00Z")
        try room.submit("AT-2", of: "S-1", at: "2026-02-04T09:30:00Z")
        var asked: [Position] = []
        let view = try #require(
            try room.show("export", "XP-1") { position in
                asked.append(position)
                return (try? room.before(position + 1)).map {
                    PastState(state: $0.room, history: $0)
                }
            })
        #expect(asked == [Position(6)])
        guard case .text(let bytes) = document.content else { return }
        #expect(view.at("content")?.string == String(decoding: bytes, as: UTF8.self))
        try room.tell(
            "account.erased", #"{"subject":"examroom/S-1"}"#, at: "2026-02-05T09:00:00Z")
        let erased = try #require(
            try room.show("export", "XP-1") { position in
                (try? room.before(position + 1)).map { PastState(state: $0.room, history: $0) }
            })
        #expect(erased.at("content")?.string?.contains("AT-1,S-1,,1,") == true)
        // The digest is that of the document that was handed out.
        #expect(erased.text("digest") == "\"\(document.digest)\"")
    }
}
