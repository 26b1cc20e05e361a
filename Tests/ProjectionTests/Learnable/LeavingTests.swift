import Engine
import Core
import LearnableEvents
import TestSupport
import Testing

@Suite struct `Starting over` {
    @Test("R45: makes what the former epoch said of the person unreadable, as of any moment")
    func keys() throws {
        let school = try LearnableSchool()
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
        #expect(past["curriculum"]?["title"] == .string("Arithmetic"))
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
    @Test("R45, R46: leaves of a chat who spoke and when, and no word")
    func chat() throws {
        for leaving in ["student.start-over", "account.delete"] {
            let school = try LearnableSchool()
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
