import Core
import Engine
import TestSupport
import Testing

/// What a refusal says to people: the thing, the limit and the value (contract, Commands in, out).
@Suite struct `A refusal` {
    private static let digest = String(repeating: "a", count: 64)

    /// The last outcome after a student of each product, and the commands before it.
    private static func outcome(
        _ command: String, by: String, _ data: String, after before: [(String, String, String)] = []
    ) throws -> Outcome {
        let journal = try TemporaryJournal()
        let commands = (before + [(command, by, data)]).enumerated().map { index, told in
            #"{"id":"c-\#(index)","command":"\#(told.0)","at":"2026-03-01T09:00:00Z","by":"\#(told.1)","data":\#(told.2)}"#
        }
        let outcomes = try journal.open().submit(
            commands.map { Array($0.utf8) }, clock: Scenario.clock)
        return try #require(outcomes.last)
    }

    private static let register =
        (
            "tafawoq.account.register", "student:S-1",
            #"{"student":"S-1","email":"s@example.sa","password":{"digest":"\#(digest)","length":9,"upper":true,"lower":true,"digit":true,"symbol":true},"acceptsTerms":true,"acceptsPrivacy":true,"otpDigest":"\#(digest)"}"#
        )

    @Test func `not-found names the thing as it was sent, in both languages of Tafawoq`() throws {
        let refused = try Self.outcome(
            "tafawoq.exam.leave", by: "student:S-1", #"{"exam":"EX-9"}"#)
        #expect(refused.code == "not-found")
        #expect(refused.message == "It does not exist: exam EX-9.")
        #expect(refused.messageAr == "العنصر المطلوب غير موجود: الاختبار EX-9.")
    }

    @Test(arguments: [
        ("learnable.subject.archive", "student:S-1", #"{"subject":"SU-9"}"#, "subject SU-9"),
        ("quranflow.slot.withdraw", "system", #"{"slot":"SL-9"}"#, "slot SL-9"),
        ("examroom.exam.publish", "system", #"{"exam":"EX-9"}"#, "exam EX-9"),
    ])
    func `not-found names the thing in every product`(
        command: String, by: String, data: String, thing: String
    ) throws {
        let refused = try Self.outcome(command, by: by, data)
        #expect(refused.code == "not-found")
        #expect(refused.message?.hasSuffix(": \(thing).") == true, "\(refused.message ?? "")")
    }

    @Test func `already-exists names the thing`() throws {
        let refused = try Self.outcome(
            Self.register.0, by: Self.register.1, Self.register.2, after: [Self.register])
        #expect(refused.code == "already-exists")
        #expect(refused.message == "It is there already: student S-1.")
    }

    @Test func `forbidden says whose command it is, and never who owns the thing`() throws {
        let kind = try Self.outcome(
            "tafawoq.policy.adopt", by: "student:S-1", #"{"changes":{"otp.digits":6}}"#)
        #expect(kind.code == "forbidden")
        #expect(
            kind.message
                == "You may not do this: tafawoq.policy.adopt is for admin, system, not for student:S-1."
        )
        let other = try Self.outcome(
            "tafawoq.profile.complete", by: "student:S-2",
            #"{"student":"S-1","track":"scientific"}"#, after: [Self.register])
        #expect(other.message == "You may not do this: student S-1, asked by student:S-2.")
        #expect(other.messageAr?.hasSuffix("الطالب S-1، بطلب من student:S-2.") == true)
    }

    @Test func `policy-value-invalid names the policy, the value and its range`() throws {
        let refused = try Self.outcome(
            "tafawoq.policy.adopt", by: "system", #"{"changes":{"trial.days":9007199254740991}}"#)
        #expect(refused.code == "policy-value-invalid")
        #expect(
            refused.message
                == "This value is not possible: \"trial.days\" was to be 9007199254740991, may be a whole number from 0 to 36500."
        )
        #expect(refused.messageAr?.contains("عدد صحيح من 0 إلى 36500") == true)
        let unknown = try Self.outcome(
            "learnable.policy.adopt", by: "system", #"{"changes":{"trail.days":3}}"#)
        #expect(unknown.code == "unknown-policy")
        #expect(unknown.message?.contains("\"trail.days\"") == true)
    }

    @Test(arguments: [
        (
            "tafawoq", #"{"question.repeatTolerancePercent":5.001}"#,
            "5.001, may be a percentage from 0 to 100, with at most two decimals."
        ),
        ("tafawoq", #"{"free.watermark":1}"#, "1, may be true or false."),
        ("tafawoq", #"{"week.startsOn":"x"}"#, #""x", may be one of monday, "#),
        ("learnable", #"{"trial.tracking":"x"}"#, #""x", may be one of "#),
        ("learnable", #"{"reminder.studyAt":"24:00"}"#, #""24:00", may be a time from "#),
        ("learnable", #"{"levels.1.formats":["x"]}"#, "a list, at least one, each once, of "),
    ])
    func `policy-value-invalid shows the value as it was given, and says what may be`(
        product: String, changes: String, ending: String
    ) throws {
        let refused = try Self.outcome(
            "\(product).policy.adopt", by: "system", #"{"changes":\#(changes)}"#)
        #expect(refused.code == "policy-value-invalid")
        #expect(refused.message?.contains(ending) == true, "\(refused.message ?? "")")
    }

    @Test func `id-reused tells numbers apart that print alike`() throws {
        let journal = try TemporaryJournal()
        let outcomes = try journal.open().submit(
            ["5.01", "5.010", "5.012"].map {
                Array(
                    #"{"id":"c-1","command":"tafawoq.policy.adopt","at":"2026-03-01T09:00:00Z","by":"system","data":{"changes":{"question.repeatTolerancePercent":\#($0)}}}"#
                        .utf8)
            }, clock: Scenario.clock)
        #expect(outcomes.map(\.status) == [.accepted, .duplicate, .rejected])
        #expect(outcomes.last?.code == "id-reused")
    }

    @Test func `weak-password says what it lacks`() throws {
        let weak = Self.register.2.replacing(
            #""length":9,"upper":true"#, with: #""length":5,"upper":false"#)
        let refused = try Self.outcome(Self.register.0, by: Self.register.1, weak)
        #expect(refused.code == "weak-password")
        #expect(
            refused.message
                == "The password is too weak: it needs at least 8 characters, not 5, an upper-case letter."
        )
        #expect(refused.messageAr?.contains("حرف كبير") == true)
    }

    @Test(arguments: [
        ("s@example.sa", true), ("s.t+u@mail.example.sa", true), ("a word", false),
        ("word", false), ("s@example", false), ("s@@example.sa", false), ("s@t@example.sa", false),
        ("@example.sa", false), ("s@.sa", false), ("s@example.", false), ("s t@example.sa", false),
        ("\(String(repeating: "a", count: 243))@example.sa", true),
        ("\(String(repeating: "a", count: 244))@example.sa", false),
    ])
    func `of an e-mail address says which form it needs`(address: String, isAddress: Bool) throws {
        #expect(EmailForm.isAddress(address) == isAddress)
        #expect(EmailForm.accepts(address) == (isAddress || address == "word"))
        let outcome = try Self.outcome(
            Self.register.0, by: Self.register.1,
            Self.register.2.replacing("s@example.sa", with: address))
        #expect(outcome.code == (isAddress ? nil : "malformed"))
        #expect(isAddress || outcome.message?.contains("one @") == true)
    }
}
