import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct AccountTests {
    private let room: Classroom

    init() throws { room = try Classroom() }

    private func signIn(
        _ who: String, digest: String, at: String = "09:00", session: String = "SE-1",
        device: String? = nil
    ) throws -> Brief {
        let id = who.split(separator: ":")[1]
        return try room.brief(
            who, "session.start", at,
            #"{"session":"\#(session)","account":"\#(id)","method":"credential","digest":"\#(digest)"}"#,
            device: device)
    }

    @Test("R5: what is forbidden leaves a violation of whoever tried, one an hour and command")
    func forbidden() throws {
        let delete = { (by: String, at: String) in
            try room.brief(by, "account.delete", at, #"{"account":"S-2"}"#)
        }
        let told = Brief.rejected("forbidden", ["violation.recorded"])
        #expect(try delete("student:S-1", "09:00") == told)
        let violation = room.last(ExamRoom.Violation.Recorded.self)
        #expect(violation?.violation == .forbidden && violation?.code == "forbidden")
        #expect(violation?.command == "examroom.account.delete")
        #expect(violation.map { room.names.text($0.account) } == "S-1")
        #expect(try delete("student:S-1", "09:59") == .rejected("forbidden"))
        #expect(
            try room.brief("student:S-1", "exam.create", "09:59", #"{"exam":"EX-1","title":"T"}"#)
                == told, "another command")
        #expect(try delete("student:S-1", "10:00") == told)
        #expect(try delete("student:S-2", "10:00") == told, "another account")
        #expect(try delete("student:S-9", "10:00") == .rejected("forbidden"), "no account")
    }

    @Test("R5: a wrong digest, role or account is one code and leaves a violation")
    func wrongDigest() throws {
        let refused = Brief.rejected("credential-wrong", ["violation.recorded"])
        #expect(try signIn("student:S-1", digest: "D-S-1") == refused)
        #expect(try signIn("student:A-1", digest: "d-A-1") == refused)
        #expect(try signIn("student:S-9", digest: "d-S-9") == refused)
        #expect(try signIn("student:S-1", digest: "d-S-1") == .accepted(["session.started"]))
        #expect(try signIn("student:S-1", digest: "d-S-1") == .rejected("already-exists"))
    }

    @Test("R3: with a temporary credential only signing and changing are allowed")
    func temporaryCredential() throws {
        try room.accept(
            "admin:A-1", "account.register", "08:30",
            Classroom.account("S-3", "student", more: #","temporary":true"#))
        let choose = { (at: String) in
            try room.brief(
                "student:S-3", "preference.choose", at,
                #"{"account":"S-3","changes":{"theme":"dark"}}"#)
        }
        #expect(try choose("09:00") == .rejected("credential-change-required"))
        #expect(
            try room.brief(
                "student:S-3", "credential.change", "09:01",
                #"{"account":"S-3","digest":"d-S-3","credential":{"scheme":"bcrypt","salt":"t","digest":"n"}}"#
            ) == .accepted(["credential.changed"]))
        #expect(try choose("09:02") == .accepted(["preference.chosen"]))
    }

    @Test("R4: under requireSession a session on the same device is needed") func sessionRequired()
        throws
    {
        try room.adopt(#""requireSession":true"#)
        let choose = { (theme: String, device: String?) in
            try room.brief(
                "student:S-1", "preference.choose", "09:05",
                #"{"account":"S-1","changes":{"theme":"\#(theme)"}}"#, device: device)
        }
        #expect(try choose("dark", "D-1") == .rejected("session-required"))
        _ = try signIn("student:S-1", digest: "d-S-1", device: "D-1")
        #expect(try choose("dark", nil) == .rejected("session-required"))
        #expect(try choose("dark", "D-1") == .accepted(["preference.chosen"]))
    }

    @Test("R6: one active admin remains, and deleting erases") func lastAdmin() throws {
        let delete = { (account: String) in
            try room.brief("system", "account.delete", "09:00", #"{"account":"\#(account)"}"#)
        }
        #expect(try delete("A-1") == .rejected("last-admin"))
        try room.accept("system", "account.register", "08:30", Classroom.account("A-2", "admin"))
        #expect(
            try delete("A-1") == .accepted(["account.deleted", "account.erased"]))
        #expect(try delete("A-1") == .rejected("not-found"))
        #expect(try delete("A-2") == .rejected("last-admin"))
        #expect(
            try room.brief("system", "account.register", "09:01", Classroom.account("A-1", "admin"))
                == .rejected("already-exists"))
    }

    @Test("R6, R24: a deleted student's attempts never close and count nowhere")
    func deletedStudent() throws {
        try room.giveExam()
        _ = try room.start("AT-1", "S-1", "09:00")
        try room.accept("admin:A-1", "account.delete", "09:10", #"{"account":"S-1"}"#)
        #expect(room.last(ExamRoom.Account.Deleted.self)?.attempts == 1)
        #expect(try room.advance("23:00") == [])
        // Its student is gone: nothing keeps the exam from being deleted.
        #expect(
            try room.brief("admin:A-1", "exam.delete", "23:00", #"{"exam":"EX-1"}"#)
                == .accepted(["exam.deleted"]))
    }

    @Test func `replacing a credential ends every session, in order of id`() throws {
        for session in ["SE-2", "SE-10", "SE-1"] {
            _ = try signIn("student:S-1", digest: "d-S-1", session: session)
        }
        #expect(
            try room.brief(
                "admin:A-1", "credential.replace", "09:10",
                #"{"account":"S-1","credential":{"scheme":"bcrypt","salt":"t","digest":"n"}}"#)
                == .accepted([
                    "credential.replaced", "session.ended", "session.ended", "session.ended",
                ]))
        let ended = room.facts.suffix(3).map { room.names.text($0.metadata.stream) }
        #expect(
            ended == ["examroom/session/SE-1", "examroom/session/SE-10", "examroom/session/SE-2"])
    }

    @Test func `a profile's revision records only what differs`() throws {
        let revise = { (fields: String) in
            try room.brief(
                "student:S-1", "profile.revise", "09:00", #"{"account":"S-1"\#(fields)}"#)
        }
        #expect(try revise("") == .rejected("nothing-to-change"))
        #expect(try revise(#","name":"S-1","email":null"#) == .rejected("nothing-to-change"))
        #expect(try revise(#","timeZone":"Mars/Base""#) == .rejected("time-zone-unknown"))
        #expect(
            try revise(#","name":"S-1","timeZone":"Asia/Riyadh""#) == .accepted(["profile.revised"])
        )
        #expect(room.last(ExamRoom.Account.Revised.self)?.names == ["timeZone"])
        #expect(
            try room.brief(
                "student:S-2", "profile.revise", "09:00", #"{"account":"S-1","name":"x"}"#)
                == .rejected("forbidden", ["violation.recorded"]))
    }

    /// "é" as one scalar, and as two.
    @Test("R2: texts that differ in their normal form alone differ") func exactTexts() throws {
        let (one, two) = ("\u{e9}", "e\u{301}")
        let revise = { (name: String) in
            try room.brief(
                "student:S-1", "profile.revise", "09:00",
                #"{"account":"S-1","name":"\#(name)","email":"\#(name)@example.org"}"#)
        }
        #expect(try revise(one) == .accepted(["profile.revised"]))
        #expect(try revise(one) == .rejected("nothing-to-change"))
        #expect(try revise(two) == .accepted(["profile.revised"]))
        #expect(room.last(ExamRoom.Account.Revised.self)?.names == ["email", "name"])
        let change = { (from: String, to: String) in
            try room.brief(
                "student:S-1", "credential.change", "09:01",
                #"{"account":"S-1","digest":"\#(from)","#
                    + #""credential":{"scheme":"bcrypt","salt":"s","digest":"\#(to)"}}"#)
        }
        #expect(try change("d-S-1", one) == .accepted(["credential.changed"]))
        #expect(try change(one, one) == .rejected("credential-unchanged"))
        #expect(try change(one, two) == .accepted(["credential.changed"]))
    }

    @Test func `a policy's lists of texts are not empty, and their texts have a longest length`()
        throws
    {
        let long = String(repeating: "x", count: 20_001)
        for changes in [
            #""credentialSchemes":["\#(long)"]"#, #""credentialSchemes":[]"#,
            #""imageFormats":["png","\#(long)"]"#, #""imageFormats":[]"#,
        ] {
            let refused = try room.outcome(
                "admin:A-1", "policy.adopt", "09:00", #"{"changes":{\#(changes)}}"#)
            #expect(refused.word("code") == "policy-value-invalid")
            #expect(
                refused.word("message")?.hasSuffix(
                    "a list that is not empty, each a text of at most 20000 characters.") == true)
        }
        try room.adopt(#""imageFormats":["\#(long.dropLast())"]"#, at: "09:00")
    }

    @Test(arguments: [
        (#""noSuch":1"#, "unknown-policy"),
        (#""minDurationMinutes":0"#, "policy-value-invalid"),
        (#""minDurationMinutes":61"#, "policy-value-invalid"),
        (#""streakBadges":[3,3]"#, "policy-value-invalid"),
        (#""scoreBuckets":7"#, "policy-value-invalid"),
        (#""defaultTimeZone":"Nowhere""#, "policy-value-invalid"),
        (#""awardsWhen":"never""#, "policy-value-invalid"),
        (#""defaultPassPercent":100.5"#, "policy-value-invalid"),
    ])
    func `policy values are judged with the others as they will stand`(
        changes: String, code: String
    ) throws {
        #expect(
            try room.brief("admin:A-1", "policy.adopt", "09:00", #"{"changes":{\#(changes)}}"#)
                == .rejected(code))
    }

    @Test func `limits and a default may move together`() throws {
        #expect(
            try room.brief(
                "admin:A-1", "policy.adopt", "09:00",
                #"{"changes":{"minDurationMinutes":61,"defaultDurationMinutes":90}}"#)
                == .accepted(["policy.adopted"]))
    }

    @Test("R20: extra time stands once the exam was started, if the policy refuses")
    func extraTimeStands() throws {
        try room.giveExam(#","maxAttempts":null"#)
        try room.adopt(#""extensionAfterStart":"refuse""#)
        let grant = { (student: String) in
            try room.brief(
                "admin:A-1", "extension.grant", "09:30",
                #"{"exam":"EX-1","student":"\#(student)","kind":"minutes","value":15}"#)
        }
        _ = try room.start("AT-1", "S-1", "09:00")
        #expect(try grant("S-1") == .rejected("attempt-started"))
        #expect(try grant("S-2") == .accepted(["extension.granted"]))
        #expect(try grant("S-2") == .rejected("extension-exists"))
        #expect(try grant("A-1") == .rejected("not-found"))
    }

    @Test("R5: an empty salt or digest is refused, and the empty digest signs nobody in")
    func emptyCredential() throws {
        for credential in [
            #"{"scheme":"bcrypt","salt":"","digest":"d"}"#,
            #"{"scheme":"bcrypt","salt":"s","digest":" "}"#,
        ] {
            #expect(
                try room.brief(
                    "admin:A-1", "account.register", "09:00",
                    #"{"account":"S-9","role":"student","name":"N","credential":\#(credential)}"#)
                    == .rejected("credential-empty"))
            #expect(
                try room.brief(
                    "admin:A-1", "credential.replace", "09:00",
                    #"{"account":"S-1","credential":\#(credential)}"#)
                    == .rejected("credential-empty"))
        }
        #expect(
            try room.brief(
                "student:S-1", "session.start", "09:00",
                #"{"session":"SE-1","account":"S-1","method":"credential","digest":""}"#)
                == .rejected("credential-wrong", ["violation.recorded"]))
    }
}
