import Engine
import Core
import LearnableEvents
import TestSupport
import Testing

@Suite struct `Making a subject` {
    @Test("R10: only the latest request is answered, and edits wait for the next one")
    func curriculum() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join()
        let at = "2026-03-01T09:00:00Z"
        let by = "student:S-1"
        try school.tell(by, "draft.start", at, #""student":"S-1","draft":"D""#)
        #expect(
            try school.tell(by, "curriculum.request", at, #""draft":"D""#) == "description-missing")
        try school.tell(
            by, "draft.describe", at, #""draft":"D","description":"One","preset":"comprehensive""#)
        #expect(
            try school.tell(by, "curriculum.request", at, #""draft":"D","instruction":"More""#)
                == "nothing-to-refine")
        func propose(_ request: Int, _ chapters: String = #"[{"title":"A","topics":["a"]}]"#) throws
            -> String
        {
            try school.tell(
                "service:ai", "curriculum.propose", at,
                #""draft":"D","request":\#(request),"title":"T","chapters":\#(chapters)"#)
        }
        #expect(try propose(1) == "no-such-request")
        try school.tell(by, "curriculum.request", at, #""draft":"D""#)
        try school.tell(by, "curriculum.request", at, #""draft":"D""#)
        #expect(try propose(1) == "request-superseded")
        #expect(try propose(2, "[]") == "curriculum-empty")
        #expect(try propose(2, #"[{"title":"A","topics":[]}]"#) == "curriculum-empty")
        #expect(try school.show("draft", "D")["curriculumPending"] == .bool(true))
        #expect(try propose(2) == "accepted")
        #expect(try propose(2) == "already-delivered")
        #expect(try school.show("draft", "D")["curriculum"]?["outdated"] == .bool(false))
        try school.tell(by, "draft.describe", at, #""draft":"D","description":"Two""#)
        let draft = try school.show("draft", "D")
        #expect(draft["curriculum"]?["outdated"] == .bool(true))
        #expect(draft["preset"]?.isNull == true)
        #expect(draft["missing"] == .array([.string("tone")]))
    }

    @Test("R3, R11: the sample's topic is drawn with the draft and the request")
    func tone() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join()
        try school.draft("D")
        let at = "2026-03-01T09:10:00Z"
        let by = "student:S-1"
        for request in 1...3 {
            let events = try school.outcome(by, "tone.request-preview", at, #""draft":"D""#)[
                "events"]
            var draw = SplitMix64(text: "learnable/draft/D:tone:\(request)")
            let topic = ["1.1", "1.2", "2.1"][Int(draw.next() % 3)]
            #expect(events?.array?.first?["data"]?["topic"] == .string(topic))
        }
        try school.tell(
            "service:ai", "tone.deliver-preview", at,
            #""draft":"D","request":3,"blocks":[{"kind":"text","text":"Arr."}]"#)
        #expect(try school.show("draft", "D")["previewOutdated"] == .bool(false))
        try school.tell(by, "tone.choose", at, #""draft":"D","tone":"Kindly","preset":null"#)
        let draft = try school.show("draft", "D")
        #expect(draft["previewOutdated"] == .bool(true))
        #expect(draft["preview"]?["request"] == .integer(3))
        #expect(draft["tonePreset"]?.isNull == true)
        try school.tell(by, "tone.choose", at, #""draft":"D""#)
        #expect(try school.tell(by, "tone.request-preview", at, #""draft":"D""#) == "tone-missing")
    }

    @Test("R12, R13: topics come in any order, each once, with what the add-ons want")
    func generation() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join()
        try school.draft(
            "D", addOns: #""engagementQuestion":false,"endingProject":true,"voice":true"#)
        let at = "2026-03-01T09:10:00Z"
        let by = "student:S-1"
        #expect(
            try school.events(by, "generation.request", at, #""draft":"D","subject":"SU""#)
                == ["draft.submitted", "generation.requested"])
        #expect(
            try school.tell(by, "generation.request", at, #""draft":"D","subject":"SU-2""#)
                == "draft-closed")
        #expect(
            try school.tell(by, "draft.describe", at, #""draft":"D","description":"No""#)
                == "draft-closed")
        func deliver(_ topic: String, _ more: String) throws -> String {
            try school.tell(
                "service:ai", "topic.deliver", at,
                #""subject":"SU","topic":"\#(topic)","blocks":[{"kind":"text","text":"."}]\#(more)"#
            )
        }
        let voice = #","voice":{"url":"u","seconds":9}"#
        #expect(try deliver("1.1", "") == "delivery-mismatch")
        #expect(try deliver("1.1", voice + #","project":"P""#) == "delivery-mismatch")
        #expect(try deliver("1.2", voice) == "delivery-mismatch")
        #expect(try deliver("3.1", voice) == "not-found")
        #expect(try deliver("2.1", voice + #","project":"P""#) == "accepted")
        #expect(try deliver("2.1", voice + #","project":"P""#) == "already-delivered")
        #expect(
            try school.tell(by, "topic.open", at, #""subject":"SU","topic":"1.1""#)
                == "subject-not-ready")
        try school.tell(
            "service:ai", "generation.fail", at, #""subject":"SU","reason":"Out of words""#)
        #expect(try deliver("1.1", voice) == "generation-closed")
        #expect(try school.show("generation", "SU")["message"] == .string("Generation failed"))
        try school.tell(by, "generation.retry", at, #""subject":"SU""#)
        #expect(
            try school.show("generation", "SU")["message"] == .string("Preparing 1 of 3 topics"))
        #expect(try deliver("1.1", voice) == "accepted")
        #expect(try deliver("1.2", voice + #","project":"P""#) == "accepted")
        #expect(try school.show("generation", "SU")["message"] == .string("Ready"))
        #expect(try deliver("1.2", voice) == "generation-closed")
    }

    @Test(
        "R4, R40: the library is sorted by name, progress or access; what was never accessed comes last"
    )
    func library() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join()
        for subject in ["SU-1", "SU-2", "SU-3"] { try school.subject(subject) }
        let by = "student:S-1"
        func rename(_ subject: String, _ title: String) throws {
            try school.tell(
                by, "subject.rename", "2026-03-01T09:30:00Z",
                #""subject":"\#(subject)","title":"\#(title)""#)
        }
        try rename("SU-1", "beta")
        try rename("SU-2", "Alpha")
        try rename("SU-3", "BETA")
        try school.complete("SU-3", "1.1", at: "2026-03-02T10:00:00Z")
        try school.tell(
            by, "topic.open", "2026-03-03T10:00:00Z", #""subject":"SU-1","topic":"1.1""#)
        func order(_ arguments: [String: String]) throws -> [String] {
            (try school.show("library", "S-1", arguments)["subjects"]?.array ?? []).compactMap {
                $0["subject"]?.string
            }
        }
        #expect(try order(["sort": "name"]) == ["SU-2", "SU-1", "SU-3"])
        #expect(try order(["sort": "name", "order": "desc"]) == ["SU-3", "SU-1", "SU-2"])
        #expect(try order([:]) == ["SU-1", "SU-3", "SU-2"])
        #expect(try order(["order": "asc"]) == ["SU-3", "SU-1", "SU-2"])
        #expect(try order(["sort": "progress"]) == ["SU-3", "SU-2", "SU-1"])
        let entry = try school.show("library", "S-1")["subjects"]?.array?.first
        #expect(entry?["lastAccessedText"] == .string("Last accessed: March 3, 2026"))
        #expect(try school.show("home", "S-1")["recent"]?["subject"] == .string("SU-1"))
        try school.tell(by, "subject.archive", "2026-03-03T11:00:00Z", #""subject":"SU-1""#)
        #expect(try school.show("home", "S-1")["recent"]?["subject"] == .string("SU-3"))
        #expect(try order(["archived": "true"]) == ["SU-1"])
        let refusal = #expect(throws: EngineError.self) { try order(["sort": "size"]) }
        #expect(refusal?.kind == .wrongUse)
    }
}
