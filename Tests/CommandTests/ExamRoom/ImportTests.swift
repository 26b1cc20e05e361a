import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

/// Documents as exports make them, to be imported and tampered with.
enum SampleDocument {
    static let hash = String(repeating: "ab", count: 32)
    static let image = #"{"hash":"\#(hash)","format":"webp","bytes":512}"#

    static func question(_ id: String, image: String = "null", more: String = "") -> String {
        #"{"question":"\#(id)","prompt":"?","options":[\#(Classroom.options("a"))],"points":2,"#
            + #""explanation":null,"image":\#(image)\#(more)}"#
    }

    static func exam(
        _ id: String = "EX-1", title: String = "Geometry", duration: String = "45",
        questions: [String] = [question("Q-1", image: image)]
    ) -> String {
        #"{"exam":"\#(id)","title":"\#(title)","description":"","durationMinutes":\#(duration),"#
            + #""window":{"opensAt":null,"closesAt":null},"maxAttempts":null,"#
            + #""shuffleQuestions":false,"shuffleOptions":true,"feedback":"after","#
            + #""passPercent":66.67,"questions":[\#(questions.joined(separator: ","))]}"#
    }

    static func single(_ exam: String = exam(), images: String = image) -> String {
        signed(
            #"{"format":"examroom.exam","version":1,"exam":\#(exam),"images":[\#(images)]}"#)
    }

    static func archive(
        _ exams: [String], results: String = "", images: String = image
    ) -> String {
        signed(
            #"{"format":"examroom.archive","version":1,"images":[\#(images)],"#
                + #""exams":[\#(exams.joined(separator: ","))],"results":[\#(results)]}"#)
    }

    static let result =
        #"{"attempt":"AT-1","exam":"EX-1","student":"S-9","how":"time-up","score":1,"maxScore":3,"#
        + #""startedAt":"2026-02-02T09:00:00Z","closedAt":"2026-02-02T10:00:00Z","#
        + #""percent":33.33,"passed":false}"#

    /// With the digest that it has.
    static func signed(_ text: String) -> String {
        guard let json = try? JSON(parsing: text) else { return text }
        let digest = SHA256Digest.hex(of: json.canonical)
        return JSON.object(
            of: (json.members ?? []).map { ($0.name, $0.value) } + [
                ("digest", .string(digest))
            ]
        ).description
    }
}

@Suite struct `Importing a document` {
    private let room: Classroom

    init() throws { room = try Classroom() }

    private func apply(
        _ document: String, _ more: String = "", id: String = "IM-1"
    ) throws -> Brief {
        try room.brief(
            "admin:A-1", "import.apply", "09:00",
            #"{"import":"\#(id)","document":\#(document)\#(more)}"#)
    }

    @Test("R35: an exam comes in as a draft with its questions and images")
    func single() throws {
        let answer = try apply(SampleDocument.single())
        #expect(answer == .accepted(["exam.imported", "import.applied"]))
        let fact = try #require(room.last(ExamRoom.Import.Applied.self))
        #expect(fact.format == .exam)
        #expect(fact.questions == 1 && fact.images == 1 && fact.records == 2)
        let exam = try #require(room.last(ExamRoom.Exam.Imported.self))
        #expect(exam.application.map { room.names.text($0) } == "IM-1")
        #expect(exam.migration == nil)
        #expect(exam.details.passPercent == Percent(hundredths: 6667))
        let row = try #require(room.state.exams[room.names.id("EX-1")])
        #expect(!row.isPublished && row.questions == 1 && row.maxScore == 2)
    }

    @Test(
        "R35: an archive brings its exams in the order of the document, strangers' results stay out"
    )
    func archive() throws {
        let document = SampleDocument.archive(
            [
                SampleDocument.exam("EX-9"),
                SampleDocument.exam(
                    "EX-3",
                    questions: [SampleDocument.question("Q-2"), SampleDocument.question("Q-1")]),
            ], results: SampleDocument.result)
        #expect(
            try apply(document) == .accepted(["exam.imported", "exam.imported", "import.applied"]))
        let fact = try #require(room.last(ExamRoom.Import.Applied.self))
        #expect(fact.exams.map { room.names.text($0) } == ["EX-9", "EX-3"])
        #expect(fact.questions == 3 && fact.images == 1 && fact.records == 5)
        #expect(fact.results == [] && fact.omitted.map { room.names.text($0) } == ["AT-1"])
        // R8: the place in the list, not the id, since all came at once.
        let bank = try #require(room.state.banks[room.names.id("EX-3")])
        #expect(
            bank.ordered(room.names).map { room.names.text($0.question) } == ["Q-2", "Q-1"])
    }

    @Test("R35: results come back where exam and student are here and the id is free")
    func results() throws {
        let result = { (attempt: String, student: String) in
            SampleDocument.result.replacing("AT-1", with: attempt).replacing("S-9", with: student)
        }
        let document = SampleDocument.archive(
            [SampleDocument.exam()],
            results: [result("AT-1", "S-1"), result("AT-2", "A-1"), result("AT-3", "S-2")]
                .joined(separator: ","))
        #expect(
            try apply(document)
                == .accepted([
                    "exam.imported", "attempt.imported", "attempt.imported", "import.applied",
                ]))
        let fact = try #require(room.last(ExamRoom.Import.Applied.self))
        #expect(fact.results.map { room.names.text($0) } == ["AT-1", "AT-3"])
        #expect(fact.omitted.map { room.names.text($0) } == ["AT-2"])
        #expect(fact.records == 4)
        let attempt = try #require(room.last(ExamRoom.Attempt.Imported.self))
        #expect(attempt.application.map { room.names.text($0) } == "IM-1")
        #expect(attempt.migration == nil && attempt.how == .timeUp)
        #expect(attempt.score == 1 && attempt.percent == Percent(hundredths: 3333))
        #expect(room.state.students[room.names.id("S-2")]?.completed == 1)
        // Once more: the ids are in use.
        #expect(
            try apply(document, #","onExisting":"skip""#, id: "IM-2")
                == .accepted(["import.applied"]))
        #expect(room.last(ExamRoom.Import.Applied.self)?.omitted.count == 3)
    }

    @Test("R35: impossible results, and one attempt twice, make the document invalid")
    func wrongResults() throws {
        let possible = SampleDocument.result
        for results in [
            possible.replacing(#""score":1"#, with: #""score":4"#),
            possible.replacing("T10:", with: "T08:"), possible + "," + possible,
        ] {
            #expect(
                try apply(SampleDocument.archive([SampleDocument.exam()], results: results))
                    == .rejected("document-invalid"), "\(results)")
        }
    }

    @Test("R35: an id that was ever used is refused, or skipped")
    func existing() throws {
        try room.accept("admin:A-1", "exam.create", "08:30", #"{"exam":"EX-1","title":"T"}"#)
        try room.accept("admin:A-1", "exam.delete", "08:31", #"{"exam":"EX-1"}"#)
        let document = SampleDocument.archive([SampleDocument.exam(), SampleDocument.exam("EX-2")])
        #expect(try apply(document) == .rejected("exam-exists"))
        #expect(try apply(document, #","onExisting":"refuse""#) == .rejected("exam-exists"))
        #expect(
            try apply(document, #","onExisting":"skip""#)
                == .accepted(["exam.imported", "import.applied"]))
        let fact = try #require(room.last(ExamRoom.Import.Applied.self))
        #expect(fact.exams.map { room.names.text($0) } == ["EX-2"])
        #expect(fact.skipped.map { room.names.text($0) } == ["EX-1"])
        #expect(
            try apply(document, #","onExisting":"skip""#, id: "IM-2")
                == .accepted(["import.applied"]))
        #expect(room.last(ExamRoom.Import.Applied.self)?.records == 0)
    }

    @Test("R35: a single exam may be given another id")
    func renamed() throws {
        try room.giveExam()
        #expect(try apply(SampleDocument.single()) == .rejected("exam-exists"))
        #expect(
            try apply(SampleDocument.single(), #","as":"EX-1""#) == .rejected("exam-exists"))
        #expect(
            try apply(SampleDocument.single(), #","as":"EX-2""#)
                == .accepted(["exam.imported", "import.applied"]))
        #expect(
            room.last(ExamRoom.Exam.Imported.self).map { room.names.text($0.exam) } == "EX-2")
        #expect(
            try apply(
                SampleDocument.archive([SampleDocument.exam("EX-3")]), #","as":"EX-4""#,
                id: "IM-2") == .rejected("document-invalid"))
    }

    @Test("import.apply is refused in the order of its row")
    func order() throws {
        #expect(try apply(SampleDocument.single(images: "")) == .rejected("document-invalid"))
        try room.giveExam()
        let tampered = SampleDocument.single().replacing("Geometry", with: "Algebra")
        #expect(try apply(tampered) == .rejected("digest-mismatch"))
        #expect(
            try apply(tampered.replacing("examroom.exam", with: "other"))
                == .rejected("format-unsupported"))
        #expect(
            try apply(#"{"format":"examroom.exam","version":1}"#) == .rejected("digest-mismatch"))
        // Invalid and there already: the form comes first.
        #expect(try apply(SampleDocument.single(images: "")) == .rejected("document-invalid"))
        #expect(try apply(SampleDocument.single(), #","as":"EX-2""#) != .rejected("exam-exists"))
        #expect(try apply(#"{"format":"other"}"#) == .rejected("already-exists"))
        #expect(
            try room.brief(
                "service:M-1", "import.apply", "09:00", #"{"import":"IM-2","document":{}}"#)
                == .rejected("forbidden"))
    }

    @Test(
        "R35: a format or version of another kind is not taken",
        arguments: [
            #"{"format":"examroom.archive","version":2}"#,
            #"{"format":"examroom.exam","version":1.0}"#,
            #"{"format":"examroom.exam","version":"1"}"#, #"{"version":1}"#, "{}",
            #"{"format":1,"version":1}"#,
        ])
    func formats(document: String) throws {
        #expect(try apply(document) == .rejected("format-unsupported"))
    }

    @Test(
        "R35: a document that breaks a rule or lacks a field is invalid",
        arguments: [
            SampleDocument.single(SampleDocument.exam(title: " ")),
            SampleDocument.single(SampleDocument.exam(duration: "0")),
            SampleDocument.single(SampleDocument.exam(duration: "45.5")),
            SampleDocument.single(SampleDocument.exam("EX 1")),
            SampleDocument.single(images: ""),
            SampleDocument.single(images: SampleDocument.image.replacing("512", with: "0")),
            SampleDocument.single(images: SampleDocument.image.replacing("webp", with: "gif")),
            SampleDocument.single(
                SampleDocument.exam().replacing(SampleDocument.hash, with: "AB"),
                images: SampleDocument.image.replacing(SampleDocument.hash, with: "AB")),
            SampleDocument.single(
                SampleDocument.exam(questions: [
                    SampleDocument.question("Q-1"), SampleDocument.question("Q-1"),
                ])),
            SampleDocument.single(
                SampleDocument.exam(questions: [
                    SampleDocument.question("Q-1", more: #","hint":"none""#)
                ])),
            SampleDocument.single(
                SampleDocument.exam(questions: [
                    SampleDocument.question("Q-1").replacing("true", with: "false")
                ])),
            SampleDocument.single(
                SampleDocument.exam().replacing(#""description":"","#, with: "")),
            SampleDocument.archive([SampleDocument.exam(), SampleDocument.exam()]),
            SampleDocument.archive(
                [SampleDocument.exam()],
                results: SampleDocument.result.replacing(#""passed":false"#, with: #""passed":0"#)),
            SampleDocument.signed(
                #"{"format":"examroom.archive","version":1,"exams":[],"images":[]}"#),
            SampleDocument.signed(
                #"{"format":"examroom.exam","version":1,"exam":\#(SampleDocument.exam()),"#
                    + #""images":[\#(SampleDocument.image)],"results":[]}"#),
        ])
    func invalid(document: String) throws {
        #expect(try apply(document) == .rejected("document-invalid"))
        #expect(room.facts.allSatisfy { !$0.type.name.hasPrefix("examroom.exam") })
    }

    @Test("a document that is no object, or an unknown choice, is malformed")
    func malformed() throws {
        for data in [
            #"{"import":"IM-1","document":[]}"#, #"{"import":"IM-1","document":"{}"}"#,
            #"{"import":"IM-1"}"#, #"{"import":"IM-1","document":{},"onExisting":"replace"}"#,
            #"{"import":"IM-1","document":{},"as":""}"#,
        ] {
            guard case .malformed = try room.brief("admin:A-1", "import.apply", "09:00", data)
            else {
                Issue.record("\(data) was taken")
                continue
            }
        }
    }
}
