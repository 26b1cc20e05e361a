import Commands
import ExamRoomCommands
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Testing

@Suite struct AccountTests {
    private let stage = Stage()

    private func signIn(
        _ who: String, digest: String, at: String = "09:00", session: String = "SE-1",
        device: String? = nil
    ) -> Stage.Answer {
        let id = who.split(separator: ":")[1]
        return stage.send(
            who, "session.start", at,
            #"{"session":"\#(session)","account":"\#(id)","method":"credential","digest":"\#(digest)"}"#,
            device: device)
    }

    @Test("R5: what is forbidden leaves a violation of whoever tried, one an hour and command")
    func forbidden() {
        let stage = Stage()
        let delete = { (by: String, at: String) in
            stage.send(by, "account.delete", at, #"{"account":"S-2"}"#)
        }
        let told = Stage.Answer.rejected("forbidden", ["violation.recorded"])
        #expect(delete("student:S-1", "09:00") == told)
        let violation = stage.last(ExamRoom.Violation.Recorded.self)
        #expect(violation?.violation == .forbidden && violation?.code == "forbidden")
        #expect(violation?.command == "examroom.account.delete")
        #expect(violation.map { stage.names.text($0.account) } == "S-1")
        #expect(delete("student:S-1", "09:59") == .rejected("forbidden"))
        #expect(
            stage.send("student:S-1", "exam.create", "09:59", #"{"exam":"EX-1","title":"T"}"#)
                == told, "another command")
        #expect(delete("student:S-1", "10:00") == told)
        #expect(delete("student:S-2", "10:00") == told, "another account")
        #expect(delete("student:S-9", "10:00") == .rejected("forbidden"), "no account")
    }

    @Test("R5: a wrong digest, role or account is one code and leaves a violation")
    func wrongDigest() {
        let refused = Stage.Answer.rejected("credential-wrong", ["violation.recorded"])
        #expect(signIn("student:S-1", digest: "D-S-1") == refused)
        #expect(signIn("student:A-1", digest: "d-A-1") == refused)
        #expect(signIn("student:S-9", digest: "d-S-9") == refused)
        #expect(signIn("student:S-1", digest: "d-S-1") == .accepted(["session.started"]))
        #expect(signIn("student:S-1", digest: "d-S-1") == .rejected("already-exists"))
    }

    @Test("R3: with a temporary credential only signing and changing are allowed")
    func temporaryCredential() {
        stage.accept(
            "admin:A-1", "account.register", "08:30",
            Stage.account("S-3", "student", more: #","temporary":true"#))
        let choose = {
            stage.send(
                "student:S-3", "preference.choose", "09:00",
                #"{"account":"S-3","changes":{"theme":"dark"}}"#)
        }
        #expect(choose() == .rejected("credential-change-required"))
        #expect(
            stage.send(
                "student:S-3", "credential.change", "09:01",
                #"{"account":"S-3","digest":"d-S-3","credential":{"scheme":"bcrypt","salt":"t","digest":"n"}}"#
            ) == .accepted(["credential.changed"]))
        #expect(choose() == .accepted(["preference.chosen"]))
    }

    @Test("R4: under requireSession a session on the same device is needed") func sessionRequired()
    {
        stage.adopt(#""requireSession":true"#)
        let choose = { (theme: String, device: String?) in
            stage.send(
                "student:S-1", "preference.choose", "09:05",
                #"{"account":"S-1","changes":{"theme":"\#(theme)"}}"#, device: device)
        }
        #expect(choose("dark", "D-1") == .rejected("session-required"))
        _ = signIn("student:S-1", digest: "d-S-1", device: "D-1")
        #expect(choose("dark", nil) == .rejected("session-required"))
        #expect(choose("dark", "D-1") == .accepted(["preference.chosen"]))
    }

    @Test("R6: one active admin remains, and deleting erases") func lastAdmin() {
        let delete = { (account: String) in
            stage.send("system", "account.delete", "09:00", #"{"account":"\#(account)"}"#)
        }
        #expect(delete("A-1") == .rejected("last-admin"))
        stage.accept("system", "account.register", "08:30", Stage.account("A-2", "admin"))
        #expect(
            delete("A-1") == .accepted(["account.deleted", "account.erased"]))
        #expect(delete("A-1") == .rejected("not-found"))
        #expect(delete("A-2") == .rejected("last-admin"))
        #expect(
            stage.send("system", "account.register", "09:01", Stage.account("A-1", "admin"))
                == .rejected("already-exists"))
    }

    @Test("R6, R24: a deleted student's attempts never close and count nowhere")
    func deletedStudent() {
        stage.giveExam()
        _ = stage.start("AT-1", "S-1", "09:00")
        stage.accept("admin:A-1", "account.delete", "09:10", #"{"account":"S-1"}"#)
        #expect(stage.last(ExamRoom.Account.Deleted.self)?.attempts == 1)
        #expect(stage.fire(before: "23:00") == [])
        // Its student is gone: nothing keeps the exam from being deleted.
        #expect(
            stage.send("admin:A-1", "exam.delete", "23:00", #"{"exam":"EX-1"}"#)
                == .accepted(["exam.deleted"]))
    }

    @Test func `replacing a credential ends every session, in order of id`() {
        for session in ["SE-2", "SE-10", "SE-1"] {
            _ = signIn("student:S-1", digest: "d-S-1", session: session)
        }
        #expect(
            stage.send(
                "admin:A-1", "credential.replace", "09:10",
                #"{"account":"S-1","credential":{"scheme":"bcrypt","salt":"t","digest":"n"}}"#)
                == .accepted([
                    "credential.replaced", "session.ended", "session.ended", "session.ended",
                ]))
        let ended = stage.facts.suffix(3).map { stage.names.text($0.stream) }
        #expect(
            ended == ["examroom/session/SE-1", "examroom/session/SE-10", "examroom/session/SE-2"])
    }

    @Test func `a profile's revision records only what differs`() {
        let revise = { (fields: String) in
            stage.send(
                "student:S-1", "profile.revise", "09:00", #"{"account":"S-1"\#(fields)}"#)
        }
        #expect(revise("") == .rejected("nothing-to-change"))
        #expect(revise(#","name":"S-1","email":null"#) == .rejected("nothing-to-change"))
        #expect(revise(#","timeZone":"Mars/Base""#) == .rejected("time-zone-unknown"))
        #expect(
            revise(#","name":"S-1","timeZone":"Asia/Riyadh""#) == .accepted(["profile.revised"]))
        #expect(stage.last(ExamRoom.Account.Revised.self)?.names == ["timeZone"])
        #expect(
            stage.send("student:S-2", "profile.revise", "09:00", #"{"account":"S-1","name":"x"}"#)
                == .rejected("forbidden", ["violation.recorded"]))
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
    ) {
        #expect(
            stage.send("admin:A-1", "policy.adopt", "09:00", #"{"changes":{\#(changes)}}"#)
                == .rejected(code))
    }

    @Test func `limits and a default may move together`() {
        #expect(
            stage.send(
                "admin:A-1", "policy.adopt", "09:00",
                #"{"changes":{"minDurationMinutes":61,"defaultDurationMinutes":90}}"#)
                == .accepted(["policy.adopted"]))
    }

    @Test("R20: extra time stands once the exam was started, if the policy refuses")
    func extraTimeStands() {
        stage.giveExam(#","maxAttempts":null"#)
        stage.adopt(#""extensionAfterStart":"refuse""#)
        let grant = { (student: String) in
            stage.send(
                "admin:A-1", "extension.grant", "09:30",
                #"{"exam":"EX-1","student":"\#(student)","kind":"minutes","value":15}"#)
        }
        _ = stage.start("AT-1", "S-1", "09:00")
        #expect(grant("S-1") == .rejected("attempt-started"))
        #expect(grant("S-2") == .accepted(["extension.granted"]))
        #expect(grant("S-2") == .rejected("extension-exists"))
        #expect(grant("A-1") == .rejected("not-found"))
    }

    @Test("R5: an empty salt or digest is refused, and the empty digest signs nobody in")
    func emptyCredential() {
        let stage = Stage()
        for credential in [
            #"{"scheme":"bcrypt","salt":"","digest":"d"}"#,
            #"{"scheme":"bcrypt","salt":"s","digest":" "}"#,
        ] {
            #expect(
                stage.send(
                    "admin:A-1", "account.register", "09:00",
                    #"{"account":"S-9","role":"student","name":"N","credential":\#(credential)}"#)
                    == .rejected("credential-empty"))
            #expect(
                stage.send(
                    "admin:A-1", "credential.replace", "09:00",
                    #"{"account":"S-1","credential":\#(credential)}"#)
                    == .rejected("credential-empty"))
        }
        #expect(
            stage.send(
                "student:S-1", "session.start", "09:00",
                #"{"session":"SE-1","account":"S-1","method":"credential","digest":""}"#)
                == .rejected("credential-wrong", ["violation.recorded"]))
    }
}
