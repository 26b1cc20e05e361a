import Core
import Engine
import Products
import TestSupport
import Testing

/// What somebody sees, where a table alone would say otherwise (contract, Who may see what).
@Suite struct `In somebody's name` {
    private static let at = "2026-01-17T00:00:00Z"
    private let journal: TemporaryJournal
    private let engine: EventEngine

    init() throws {
        journal = try TemporaryJournal()
        engine = try journal.open()
    }

    /// Tells commands, a line each: who sends it, its name, its data. Every one is accepted.
    @discardableResult
    private func tell(
        _ commands: String, on other: EventEngine? = nil, isDryRun: Bool = false,
        as viewer: Viewer? = nil
    ) throws -> [Outcome] {
        let number = try engine.allEvents().count
        let lines = commands.split(separator: "\n").enumerated().map { index, line in
            let words = line.split(separator: " ", maxSplits: 2)
            return Array(
                #"""
                {"id":"c\#(number)-\#(index)","by":"\#(words[0])","command":"\#(words[1])","at":"\#(Self.at)","device":"D-1","data":\#(words[2])}
                """#.utf8)
        }
        let outcomes = try (other ?? engine).submit(
            lines, clock: Instant(fixedClock), isDryRun: isDryRun, as: viewer)
        for outcome in outcomes { #expect(outcome.status == .accepted, "\(outcome.document.text)") }
        return outcomes
    }

    private func types(as actor: String) throws -> [String] {
        let viewer = try #require(Viewer(actor))
        return try engine.allEvents().compactMap {
            try? engine.event(at: Position(UInt64($0.position)), as: viewer)?.value["type"].string
        }
    }

    private static let programme = #"""
        admin:A quranflow.semester.schedule {"semester":"X","name":"n","startsOn":"2026-01-17","timeZone":"UTC"}
        admin:A quranflow.coach.register {"coach":"C1","name":"a","gender":"female"}
        admin:A quranflow.coach.register {"coach":"C2","name":"b","gender":"female"}
        admin:A quranflow.student.register {"student":"S1","name":"s","email":"w","gender":"female","timeZone":"UTC"}
        student:S1 quranflow.assessment.submit {"student":"S1","audio":"a","seconds":1}
        admin:A quranflow.student.place {"student":"S1","level":2,"coach":"C1","enrollment":"E1","semester":"X"}
        student:S1 quranflow.font.choose {"student":"S1","font":"amiri-quran"}
        admin:A quranflow.lesson.publish {"level":2,"week":1,"topic":"T","objectives":[],"videos":[{"video":"V","title":"v","seconds":1}],"passage":{"surah":"s","from":1,"to":1,"text":"t"}}
        student:S1 quranflow.recording.submit {"enrollment":"E1","recording":"R1","week":1,"audio":"a","seconds":1,"confirmed":true}
        coach:C1 quranflow.feedback.give {"recording":"R1","audio":"f","seconds":1}

        """#

    @Test func `a former coach sees no comment to the next one`() throws {
        try tell(
            Self.programme + #"""
                admin:A quranflow.coach.assign {"enrollment":"E1","coach":"C2"}
                student:S1 quranflow.comment.post {"recording":"R1","comment":"m","text":"for C2"}
                """#)
        #expect(try !types(as: "coach:C1").contains("quranflow.comment.posted"))
        #expect(try types(as: "coach:C2").contains("quranflow.comment.posted"))
        #expect(try types(as: "coach:C1").contains("quranflow.feedback.given"))
    }

    @Test func `a coach sees that a slot of theirs was withdrawn`() throws {
        try tell(
            Self.programme + #"""
                coach:C1 quranflow.slot.offer {"slot":"L1","coach":"C1","startsAt":"2026-02-18T00:00:00Z","minutes":30,"joinUrl":"u"}
                coach:C1 quranflow.slot.withdraw {"slot":"L1"}
                """#)
        #expect(try types(as: "coach:C1").contains("quranflow.slot.withdrawn"))
        #expect(try !types(as: "coach:C2").contains("quranflow.slot.withdrawn"))
    }

    @Test func `results that were withheld again are withheld as of before, too`() throws {
        _ = try Scenario(file: "Examples/examroom/01-exam-day.jsonl").run(on: engine)
        let student = try #require(Viewer("student:S-1"))
        var request = ShowRequest()
        request.asOf = .position(Position(UInt64(try engine.allEvents().count)))
        request.viewer = student
        let before = try engine.show("examroom.result", key: "AT-1", request).value
        #expect(before["score"].integer == 3)
        let withheld = #"""
            {"id":"w","command":"examroom.results.withhold","at":"2026-02-02T11:00:00Z","by":"admin:A-1","data":{"exam":"EX-1"}}
            """#
        let outcome = try engine.submit([Array(withheld.utf8)], clock: Instant(fixedClock))[0]
        #expect(outcome.status == .accepted)
        let after = try engine.show("examroom.result", key: "AT-1", request).value
        for name in ["score", "percent", "passed", "questions"] { #expect(after[name].isNull) }
        request.viewer = Viewer("admin:A-1")
        let whole = try engine.show("examroom.result", key: "AT-1", request).value
        #expect(whole["score"].integer == 3)
    }

    @Test(arguments: ["admin:A-1", "admin:nobody"])
    func `what the journal holds of a person is shown as its events are`(actor: String) throws {
        _ = try Scenario(file: "Examples/examroom/01-exam-day.jsonl").run(on: engine)
        var request = ShowRequest()
        func entries() throws -> [Document.Value] {
            try engine.show("audit.subject", key: "examroom/S-1", request).value["entries"].items
                ?? []
        }
        let all = try entries()
        #expect(all.contains { !$0["data"]["credential"].isNull })
        let viewer = try #require(Viewer(actor))
        let expected = try all.compactMap { entry in
            let number = try #require(entry["position"].integer)
            return try engine.event(at: Position(UInt64(number)), as: viewer)?.value["data"]
        }
        request.viewer = viewer
        let seen = try entries()
        #expect(seen.map { $0["data"].canonical } == expected.map(\.canonical))
        #expect(seen.allSatisfy { $0["data"]["credential"].isNull })
        for asked in [nil, viewer] {
            let question = DocumentQuestion("audit.subject", key: "examroom/S-1", as: asked)
            let told = try engine.bisect(question, "$.entries[?@.data.credential.digest]")
            #expect(told.isEmpty == (asked != nil))
        }
        // Nor is it found by what it hides.
        request.arguments = ["text": "multiple"]
        #expect(throws: EngineError.self) { try engine.show("audit.log", request) }
        request.viewer = nil
        _ = try engine.show("audit.log", request)
    }

    @Test func `what one of two journals hides is hidden of both`() throws {
        let exam = try Scenario(file: "Examples/examroom/01-exam-day.jsonl")
        _ = try exam.run(on: engine)
        let elsewhere = try TemporaryJournal()
        let other = try elsewhere.open()
        _ = try exam.run(on: other)
        let withheld = #"""
            {"id":"w","command":"examroom.results.withhold","at":"2026-02-02T11:00:00Z","by":"admin:A-1","data":{"exam":"EX-1"}}
            """#
        _ = try engine.submit([Array(withheld.utf8)], clock: Instant(fixedClock))
        let student = Viewer("student:S-1")
        let question = DocumentQuestion("examroom.result", key: "AT-1", as: student)
        for found in [
            try engine.diff(question, against: other), try other.diff(question, against: engine),
        ] {
            for document in [found.old, found.new] { #expect(document.value["score"].isNull) }
        }
    }

    @Test func `a dry run shows the sender what the submission would`() throws {
        try tell(
            #"""
            system examroom.account.register {"account":"S-1","role":"student","name":"S","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}}
            """#)
        let viewer = try #require(Viewer("student:S-1"))
        for isDryRun in [true, false] {
            let outcome = try tell(
                #"""
                student:S-1 examroom.connection.observe {"device":"D-1","network":"wifi"}
                """#, isDryRun: isDryRun, as: viewer)[0]
            #expect(outcome.document.text.contains("examroom.connection.changed"))
        }
    }

    @Test func `what-if says of a hidden event what it says of none`() throws {
        for student in ["S-1", "S-2"] {
            try tell(
                #"""
                system examroom.account.register {"account":"\#(student)","role":"student","name":"S","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}}
                """#)
        }
        let viewer = try #require(Viewer("student:S-2"))
        let patch = try #require(Document.Value(json: #"{"none":1}"#))
        func refusal(_ events: Alternative.Change.Events, _ viewer: Viewer?) -> EngineError? {
            var other = Alternative()
            other.changes = [Alternative.Change(events, patch)]
            return engineError {
                _ = try engine.whatIf(other, models: ["examroom.account"], as: viewer)
            }
        }
        let all = try engine.allEvents().map { Position(UInt64($0.position)) }
        let hidden = all.filter { (try? engine.event(at: $0, as: viewer)) == nil }
        #expect(hidden.contains(Position(1)) && hidden.count < all.count)
        for position in hidden + [Position(99)] {
            let told = refusal(.at(position), viewer)
            #expect(told?.message == "there is no event at \(position) to change")
            #expect(told?.kind == .wrongUse)
        }
        let type = "examroom.account.registered"
        #expect(
            refusal(.ofType(type), viewer)?.message
                == "there is no event of type \(type) to change")
        for position in all where !hidden.contains(position) {
            let told = refusal(.at(position), viewer)?.message ?? ""
            #expect(told.hasPrefix("event \(position), examroom."), "\(told)")
        }
        // Whoever runs the tool.
        #expect(refusal(.at(Position(1)), nil)?.message.hasPrefix("event 1, \(type): ") == true)
    }

    @Test func `two journals are compared where both may be seen`() throws {
        try tell(
            #"""
            system examroom.exam.create {"exam":"EX-1","title":"Fractions"}
            """#)
        let elsewhere = try TemporaryJournal()
        let other = try elsewhere.open()
        try tell(
            #"""
            system examroom.account.register {"account":"A-2","role":"admin","name":"A","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}}
            """#, on: other)
        let viewer = try #require(Viewer("admin:A-2"))
        for (one, another) in [(engine, other), (other, engine)] {
            #expect(throws: EngineError.self) {
                try one.diff(models: ["examroom.exam"], against: another, as: viewer)
            }
            #expect(throws: Never.self) {
                try one.diff(models: ["examroom.exam"], against: another)
            }
        }
    }

    @Test func `what only one side knows is compared with what the other says of it`() throws {
        try tell(
            #"""
            system examroom.account.register {"account":"A-1","role":"admin","name":"A","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}}
            """#)
        let elsewhere = try TemporaryJournal()
        let empty = try elsewhere.open()
        let found = try empty.diff(models: ["examroom.sign-in"], against: engine)
        let difference = try #require(found.first?.differing.first?.difference)
        #expect(difference.patch.text.contains(#""path":"/known""#), "\(difference.patch.text)")
    }

    @Test func `an author does not see who acquired a subject`() throws {
        _ = try Scenario(file: "Examples/learnable/lecture-shop.jsonl").run(on: engine)
        let acquired = try #require(
            engine.allEvents().first { $0.type == "learnable.subject.acquired" })
        let buyer = try #require(acquired.data["student"]?.string)
        #expect(try types(as: "student:\(buyer)").contains(acquired.type))
        let students = try engine.allEvents().filter { $0.type == "learnable.student.joined" }
            .compactMap { $0.data["student"]?.string }
        #expect(students.count > 1)
        for student in students where student != buyer {
            #expect(try !types(as: "student:\(student)").contains(acquired.type))
        }
    }

    @Test(arguments: [
        ("tafawoq.exam-history", "page", "x"), ("learnable.lecture", "topic", "zz"),
        ("learnable.mastery", "subject", "a b!"),
    ])
    func `a value that an argument cannot take is wrong use of a key that there is not`(
        model: String, argument: String, value: String
    ) throws {
        var request = ShowRequest()
        request.arguments = [argument: value]
        let error = #expect(throws: EngineError.self) {
            try engine.show(model, key: "NOPE", request)
        }
        #expect(error?.kind == .wrongUse)
    }

    @Test func `the list of commands says everybody who may send one`() throws {
        let commands = try [Product].all.commands(beginningWith: "quranflow.")
        for command in commands {
            #expect(command.senders.contains("system"), "\(command.name)")
        }
        for name in ["quranflow.help.reply", "quranflow.notification.open"] {
            let command = try #require(commands.first { $0.name == name })
            #expect(command.senders.contains("coach"), "\(name)")
        }
    }

    @Test func `who may not do something is told who may, or whose it is not`() throws {
        let lines = [
            #"{"id":"1","command":"clock.advance","at":"\#(Self.at)","by":"student:S","data":{}}"#
        ]
        let outcome = try engine.submit(lines.map { Array($0.utf8) }, clock: Instant(fixedClock))[0]
        #expect(outcome.code == "forbidden")
        #expect(
            outcome.document.text.contains(
                "clock.advance is for system, service, not for student:S."))
    }

    @Test(arguments: ["nope", "examroom", "learnable", "quranflow", "tafawoq"])
    func `who may not erase is told who may, whether or not there is such a product`(
        product: String
    ) throws {
        func message(by: String) throws -> (code: String?, text: String) {
            let line =
                #"{"id":"1","command":"account.erase","at":"\#(Self.at)","by":"\#(by)","data":{"subject":"\#(product)/S-1"}}"#
            let outcome = try engine.submit([Array(line.utf8)], clock: Instant(fixedClock))[0]
            return (outcome.code, outcome.document.text)
        }
        let refused = try message(by: "service:X")
        #expect(refused.code == "forbidden")
        #expect(refused.text.contains("account.erase is for system, admin, student"))
        #expect(refused.text.contains(", not for service:X."), "\(refused.text)")
        let missing = try message(by: "system")
        #expect(missing.code == "not-found")
        #expect(missing.text.contains(product == "nope" ? ": account nope/S-1." : " S-1."))
    }
}
