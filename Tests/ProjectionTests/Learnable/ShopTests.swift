import Engine
import Core
import LearnableEvents
import TestSupport
import Testing

@Suite struct `The Lecture Shop` {
    private static func school() throws -> EngineOnDisk<Learnable> {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join("S-1")
        try school.join("S-2")
        try school.tell(
            "student:S-1", "profile.edit", "2026-03-01T08:30:00Z", #""student":"S-1","name":"Mona""#
        )
        try school.subject("SU-1", of: "S-1")
        return school
    }

    private static let at = "2026-03-02T09:00:00Z"

    private static func publish(
        _ school: EngineOnDisk<Learnable>, _ offer: String, _ subject: String, _ amount: Int,
        by: String = "S-1"
    ) throws -> String {
        try school.tell(
            "student:\(by)", "offer.publish", at,
            #""offer":"\#(offer)","subject":"\#(subject)","price":{"amount":\#(amount),"currency":"USD"},"summary":"On \#(offer)""#
        )
    }

    private static func acquire(
        _ school: EngineOnDisk<Learnable>, _ offer: String, _ copy: String,
        by: String = "student:S-2",
        payment: String = "", student: String = "S-2"
    ) throws -> String {
        let more = payment.isEmpty ? "" : #","payment":{"reference":"PAY","amount":\#(payment)}"#
        return try school.tell(
            by, "offer.acquire", at,
            #""offer":"\#(offer)","student":"\#(student)","subject":"\#(copy)"\#(more)"#)
    }

    @Test("R41: a copy is paid exactly, and stays whatever becomes of its source")
    func acquiring() throws {
        let school = try Self.school()
        try school.adopt(#""shop.authorPercent":70"#, at: Self.at)
        #expect(try Self.publish(school, "OF-1", "SU-1", 499) == "accepted")
        #expect(try Self.acquire(school, "OF-1", "SU-2") == "payment-required")
        #expect(try Self.acquire(school, "OF-1", "SU-2", by: "student:S-1") == "forbidden")
        #expect(try Self.acquire(school, "OF-9", "SU-2") == "not-found")
        #expect(try Self.acquire(school, "OF-1", "SU-1") == "already-exists")
        let wrong = #"500,"currency":"USD""#
        #expect(
            try Self.acquire(school, "OF-1", "SU-2", by: "service:pay", payment: wrong)
                == "payment-mismatch")
        let right = #"499,"currency":"USD""#
        #expect(
            try Self.acquire(
                school, "OF-1", "SU-X", by: "service:pay", payment: right, student: "S-1")
                == "own-offer")
        #expect(
            try Self.acquire(school, "OF-1", "SU-2", by: "service:pay", payment: right)
                == "accepted")
        #expect(
            try Self.acquire(school, "OF-1", "SU-3", by: "service:pay", payment: right)
                == "already-acquired")
        #expect(
            try school.show("earnings", "S-1")["sales"]?.array?.first?["authorAmount"]
                == .integer(349))
        let before = try school.show("lecture", "SU-2", ["topic": "1.1"])
        #expect(before["blocks"]?.array?.count == 2)
        try school.tell(
            "student:S-1", "account.delete", "2026-03-03T00:00:00Z",
            #""student":"S-1","confirmed":true"#)
        #expect(try school.show("lecture", "SU-2", ["topic": "1.1"]) == before)
        #expect(try school.show("lecture", "SU-1").isNull)
        let offer = try school.show("offer", "OF-1")
        #expect(offer["reason"] == .string("account-deleted"))
        #expect(offer["author"]?["name"]?.isNull == true)
    }

    @Test("R41, R48: a copy has its offer's title until its author's words go, then a neutral one")
    func neutral() throws {
        for leaving in ["student.start-over", "account.delete"] {
            let school = try Self.school()
            try school.tell(
                "student:S-1", "subject.rename", Self.at, #""subject":"SU-1","title":"Mona's way""#)
            #expect(try Self.publish(school, "OF-1", "SU-1", 0) == "accepted")
            #expect(try Self.acquire(school, "OF-1", "SU-2") == "accepted")
            #expect(try school.show("contents", "SU-2")["title"] == .string("Mona's way"))
            let lecture = try school.show("lecture", "SU-2", ["topic": "1.1"])
            try school.tell(
                "student:S-1", leaving, "2026-03-03T00:00:00Z",
                #""student":"S-1","confirmed":true"#)
            for model in ["contents", "generation"] {
                #expect(
                    try school.show(model, "SU-2")["title"] == .string("Acquired subject"))
            }
            let home = try school.show("home", "S-2")["subjects"]?.array ?? []
            #expect(home.map { $0["title"] } == [.string("Acquired subject")])
            // What was bought is all there, its chapters under their titles.
            #expect(try school.show("lecture", "SU-2", ["topic": "1.1"]) == lecture)
            #expect(
                try school.show("contents", "SU-2")["chapters"]?.array?.map { $0["title"] }
                    == [.string("A"), .string("B")])
            #expect(try school.show("offer", "OF-1")["title"]?.isNull == true)
            #expect(try school.show("offer", "OF-1")["summary"]?.isNull == true)
            #expect(try school.journal.open().rebuild(isCheck: true).differences == [])
            // The buyer may name it; the author's title is not among the buyer's events.
            #expect(
                try school.tell(
                    "student:S-2", "subject.rename", "2026-03-03T01:00:00Z",
                    #""subject":"SU-2","title":"Mine""#) == "accepted")
            #expect(try school.show("contents", "SU-2")["title"] == .string("Mine"))
            let said = try school.engine.allEvents().map { "\($0.type) \($0.data)" }
            #expect(said.filter { $0.contains("Mona") } == [])
        }
    }

    @Test("R42: only what is ready and of the student's own making is offered, once at a time")
    func publishing() throws {
        let school = try Self.school()
        #expect(try Self.publish(school, "OF-1", "SU-1", 0) == "accepted")
        #expect(try Self.publish(school, "OF-1", "SU-1", 0) == "already-exists")
        #expect(try Self.publish(school, "OF-2", "SU-1", 0) == "already-offered")
        #expect(try Self.acquire(school, "OF-1", "SU-2") == "accepted")
        #expect(try Self.publish(school, "OF-2", "SU-2", 0, by: "S-2") == "not-author")
        #expect(
            try school.events(
                "student:S-1", "subject.delete", Self.at, #""subject":"SU-1","confirmed":true"#)
                == ["offer.unpublished", "subject.deleted"])
        #expect(try Self.acquire(school, "OF-1", "SU-4", student: "S-2") == "offer-closed")
        #expect(try school.show("shop")["total"] == .integer(0))
        try school.subject("SU-5", of: "S-1", at: Self.at)
        #expect(try Self.publish(school, "OF-5", "SU-5", 0) == "accepted")
        // By an erasure the offers are closed without events of their own (R46).
        try school.tell(
            "system", "account.erase", "2026-03-03T00:00:00Z", #""subject":"learnable/S-1""#)
        #expect(try school.show("offer", "OF-5")["reason"] == .string("account-deleted"))
        #expect(try school.show("account", "S-1")["deletedAt"] == .string("2026-03-03T00:00:00Z"))
    }

    @Test("R4, R40, R43: names are in the order that people expect, accents beside their letters")
    func names() throws {
        let school = try Self.school()
        for (number, title) in ["Zebra", "Éclair", "eclair", "Ökologie", "apple"].enumerated() {
            try school.subject("N-\(number)", of: "S-1")
            try school.tell(
                "student:S-1", "subject.rename", "2026-03-01T10:00:00Z",
                #""subject":"N-\#(number)","title":"\#(title)""#)
            _ = try Self.publish(school, "OF-\(number)", "N-\(number)", 0)
        }
        func titles(_ model: String, _ key: String?, _ list: String, _ more: [String: String])
            throws -> [String]
        {
            (try school.show(model, key, more)[list]?.array ?? []).compactMap {
                $0["title"]?.string
            }
        }
        let order = ["apple", "eclair", "Éclair", "Ökologie", "Zebra"]
        #expect(try titles("shop", nil, "offers", ["sort": "title"]) == order)
        let library = try titles("library", "S-1", "subjects", ["sort": "name"])
        #expect(library == ["apple", "Arithmetic"] + order.dropFirst())
        #expect(
            try titles("library", "S-1", "subjects", ["sort": "name", "order": "desc"])
                == library.reversed())
    }

    @Test("R43: the shop lists what is open, searched and sorted")
    func listing() throws {
        let school = try Self.school()
        for (number, title) in [(2, "beta"), (3, "Alpha")] {
            try school.subject("SU-\(number)", of: "S-1")
            try school.tell(
                "student:S-1", "subject.rename", "2026-03-01T10:00:00Z",
                #""subject":"SU-\#(number)","title":"\#(title)""#)
        }
        _ = try Self.publish(school, "OF-1", "SU-1", 5)
        _ = try Self.publish(school, "OF-2", "SU-2", 0)
        _ = try Self.publish(school, "OF-3", "SU-3", 5)
        _ = try Self.acquire(school, "OF-2", "C-2")
        func list(_ arguments: [String: String]) throws -> [String] {
            (try school.show("shop", nil, arguments)["offers"]?.array ?? []).compactMap {
                $0["offer"]?.string
            }
        }
        #expect(try list([:]) == ["OF-3", "OF-2", "OF-1"])
        #expect(try list(["sort": "title"]) == ["OF-3", "OF-1", "OF-2"])
        #expect(try list(["sort": "price"]) == ["OF-2", "OF-3", "OF-1"])
        #expect(try list(["sort": "popular"]) == ["OF-2", "OF-3", "OF-1"])
        #expect(try list(["q": "ALPHA"]) == ["OF-3"])
        #expect(try list(["q": "on of-2"]) == ["OF-2"])
    }
}
