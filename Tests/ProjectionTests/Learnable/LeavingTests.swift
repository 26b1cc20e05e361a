import Engine
import Core
import LearnableEvents
import TestSupport
import Testing

@Suite struct `Starting over` {
    @Test("R45: makes what the former epoch said of the person unreadable, as of any moment")
    func keys() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join()
        let by = "student:S-1"
        try school.tell(
            by, "profile.edit", "2026-03-01T08:10:00Z", #""student":"S-1","name":"Mona""#)
        try school.draft("D-1")
        let asOf = "2026-03-01T10:00:00Z"
        #expect(try school.show("draft", "D-1", asOf: asOf)["description"] == .string("Numbers"))
        #expect(
            try school.tell(
                by, "student.start-over", "2026-03-02T08:00:00Z",
                #""student":"S-1","confirmed":false"#)
                == "confirmation-required")
        try school.tell(
            by, "student.start-over", "2026-03-02T08:00:00Z", #""student":"S-1","confirmed":true"#)
        #expect(try school.show("draft", "D-1").isNull)
        let past = try school.show("draft", "D-1", asOf: asOf)
        #expect(past["curriculum"]?["title"]?.isNull == true)
        #expect(past["curriculum"]?["request"] == .integer(1))
        #expect(past["description"]?.isNull == true)
        #expect(try school.show("account", "S-1", asOf: asOf)["name"]?.isNull == true)
        #expect(
            try school.tell(
                by, "draft.describe", "2026-03-02T09:00:00Z", #""draft":"D-1","description":"N""#)
                == "not-found")
        #expect(
            try school.tell(
                by, "draft.start", "2026-03-02T09:00:00Z", #""student":"S-1","draft":"D-1""#)
                == "already-exists")
        // The new epoch has a key of its own.
        try school.tell(
            by, "profile.edit", "2026-03-02T09:10:00Z", #""student":"S-1","name":"Nora""#)
        try school.draft("D-2", at: "2026-03-02T09:20:00Z")
        #expect(try school.show("draft", "D-2")["description"] == .string("Numbers"))
        #expect(try school.journal.open().rebuild(isCheck: true).differences == [])
        let again = try school.journal.open()
        #expect(
            try JSON(parsing: again.show("learnable.account", key: "S-1").bytes)["name"]
                == .string("Nora"))
        #expect(try school.show("account", "S-1")["epoch"] == .integer(2))
        // Everything about the person is found, whatever key it is under.
        let log = try school.show(
            "audit.log", nil, ["subject": "learnable/S-1", "text": "learnable.profile"])
        #expect(log["total"] == .integer(0))
        let edits = try school.show(
            "audit.log", nil, ["subject": "learnable/S-1", "type": "learnable.profile.edited"])
        #expect(edits["total"] == .integer(2))
        // R46: the erasure destroys the second one.
        try school.tell(
            "admin:A-1", "account.erase", "2026-03-03T00:00:00Z", #""subject":"learnable/S-1""#)
        #expect(
            try school.show("account", "S-1", asOf: "2026-03-02T12:00:00Z")["name"]?.isNull == true)
        #expect(
            try school.show("draft", "D-2", asOf: "2026-03-02T12:00:00Z")["description"]?.isNull
                == true)
        #expect(
            try school.tell(
                "admin:A-1", "account.erase", "2026-03-03T00:00:01Z", #""subject":"learnable/S-1""#)
                == "not-found")
        #expect(
            try school.tell("student:S-1", "app.open", "2026-03-03T00:01:00Z", #""student":"S-1""#)
                == "not-found")
        #expect(try school.timers() == [])
    }
    @Test("R48: leaves no word that the student typed, whatever it stood on")
    func words() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join()
        let by = "student:S-1"
        let at = "2026-03-01T09:00:00Z"
        func tell(_ by: String, _ command: String, _ data: String) throws {
            #expect(try school.tell(by, command, at, data) == "accepted", "\(command)")
        }
        let draft = #""draft":"DR""#
        try tell(by, "profile.edit", #""student":"S-1","name":"Zq-a","bio":"Zq-b""#)
        try tell(by, "draft.start", #""student":"S-1",\#(draft)"#)
        try tell(by, "draft.describe", #"\#(draft),"description":"Zq-c""#)
        try tell(by, "curriculum.request", draft)
        let chapters = #""chapters":[{"title":"Zq-d","topics":["Zq-e"]}]"#
        try tell(
            "service:ai", "curriculum.propose",
            #"\#(draft),"request":1,"title":"Zq-f",\#(chapters)"#)
        try tell(by, "curriculum.request", #"\#(draft),"instruction":"Zq-g""#)
        try tell(
            "service:ai", "curriculum.propose",
            #"\#(draft),"request":2,"title":"Zq-h",\#(chapters)"#)
        try tell(by, "tone.choose", #"\#(draft),"tone":"Zq-i""#)
        try tell(by, "tone.request-preview", draft)
        try tell(by, "add-ons.choose", #"\#(draft),"endingProject":false"#)
        try tell(by, "generation.request", #"\#(draft),"subject":"SU""#)
        try tell("service:ai", "generation.fail", #""subject":"SU","reason":"Busy""#)
        try tell(by, "generation.retry", #""subject":"SU""#)
        let engagement =
            #""engagement":{"format":"free-text","text":"Why?","answer":"So","explanation":"So"}"#
        try tell(
            "service:ai", "topic.deliver",
            #""subject":"SU","topic":"1.1","blocks":[{"kind":"text","text":"Read."}],\#(engagement)"#
        )
        try tell(by, "subject.rename", #""subject":"SU","title":"Zq-j""#)
        try tell(by, "topic.open", #""subject":"SU","topic":"1.1""#)
        let block = #""blocks":[{"kind":"text","text":"Zq-k"}]"#
        try tell(by, "chat.send", #""subject":"SU","topic":"1.1","message":"M",\#(block)"#)
        try tell(by, "engagement.answer", #""subject":"SU","topic":"1.1","answer":"Zq-l""#)
        try tell(
            by, "offer.publish",
            #""offer":"OF","subject":"SU","price":{"amount":0,"currency":"USD"},"summary":"Zq-m""#)
        func said() throws -> [String] {
            try school.engine.allEvents().filter { "\($0.data)".contains("Zq-") }.map(\.type)
        }
        #expect(
            Set(try said()) == [
                "learnable.profile.edited", "learnable.draft.described",
                "learnable.curriculum.requested", "learnable.curriculum.proposed",
                "learnable.tone.chosen", "learnable.tone.preview-requested",
                "learnable.generation.requested", "learnable.subject.renamed",
                "learnable.notification.raised", "learnable.chat.sent",
                "learnable.engagement.answered", "learnable.offer.published",
            ])
        #expect(try school.show("offer", "OF")["title"] == .string("Zq-j"))
        try tell(by, "account.delete", #""student":"S-1","confirmed":true"#)
        #expect(try said() == [])
        #expect(try school.show("offer", "OF")["title"]?.isNull == true)
        let past = try school.show("offer", "OF", asOf: at)
        #expect(!"\(past)".contains("Zq-"))
        #expect(try school.journal.open().rebuild(isCheck: true).differences == [])
    }

    @Test("R45, R46: leaves of a chat who spoke and when, and no word")
    func chat() throws {
        for leaving in ["student.start-over", "account.delete"] {
            let school = try EngineOnDisk<Learnable>(empty: ())
            try school.join()
            try school.subject("SU")
            let by = "student:S-1"
            let at = "2026-03-01T10:00:00Z"
            try school.tell(by, "topic.open", at, #""subject":"SU","topic":"1.1""#)
            let block = #""message":"M","blocks":[{"kind":"text","text":"Why?"}]"#
            try school.tell(by, "chat.send", at, #""subject":"SU","topic":"1.1",\#(block)"#)
            try school.tell("service:ai", "chat.reply", at, #""subject":"SU",\#(block)"#)
            try school.tell(
                by, leaving, "2026-03-02T08:00:00Z", #""student":"S-1","confirmed":true"#)
            let messages = try school.show("chat", "SU", asOf: at)["messages"]?.array ?? []
            #expect(messages.map { $0["from"] } == [.string("student"), .string("assistant")])
            #expect(messages.map { $0["blocks"] } == [.null, .null])
        }
    }
}
