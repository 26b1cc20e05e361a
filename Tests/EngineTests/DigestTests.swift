import Engine
import Core
import TestSupport
import Testing

@Suite struct `A read model's digest` {
    /// The exports stand in the other order of their keys, with changes between them.
    private static func journal() throws -> TemporaryJournal {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        let scenario = try Scenario(file: "Examples/examroom/06-export-and-import.jsonl")
        #expect(try scenario.run(on: engine) == [])
        let exports = ["XP-9", "XP-5", "XP-0"].enumerated().flatMap { index, id in
            [
                #"{"id":"x-\#(index)","command":"examroom.export.make","at":"2027-01-0\#(index + 1)T08:00:00Z","#
                    + #""by":"admin:A-1","data":{"export":"\#(id)","format":"json","scope":"all"}}"#,
                #"{"id":"y-\#(index)","command":"examroom.exam.create","at":"2027-01-0\#(index + 1)T09:00:00Z","#
                    + #""by":"admin:A-1","data":{"exam":"N-\#(index)","title":"N\#(index)","durationMinutes":30}}"#,
            ]
        }
        for outcome in try engine.submit(exports.map { Array($0.utf8) }, clock: fixedClock) {
            #expect(outcome.status == .accepted, "\(outcome.document.text)")
        }
        return journal
    }

    @Test func `is over a line for each document, as sha256sum prints it`() throws {
        let journal = try Self.journal()
        let engine = try journal.open()
        let models = try engine.models()
        let report = try engine.rebuild()
        #expect(report.entries.first { $0.model == "examroom.export" }?.keys == 4)
        for entry in report.entries {
            let model = try #require(models.first { $0.name == entry.model })
            // Each device's list of changes would be most of the journal: of those the first page.
            let isWhole = model.arguments.contains("page") && model.name != "examroom.changes"
            var lines: [(name: String, line: String)] = []
            func add(_ key: String?, _ sample: [String: String]) throws {
                var request = ShowRequest()
                request.arguments = sample
                if isWhole { request.arguments["page"] = "all" }
                let document = try engine.show(model.name, key: key, request)
                // Without the tree's root, which hangs on random keys.
                let text = Documents.withoutRoot(document.text) + "\n"
                let told = sample.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
                let name = (key ?? "") + told.joined()
                lines.append((name, "\(SHA256Digest.hex(of: Array(text.utf8)))  \(name)\n"))
            }
            if model.key == nil {
                try add(nil, [:])
            } else {
                // A digest does not look for people (replay.md, `rebuild`).
                let ofPeople = ["audit.subject", "person.timeline"].contains(model.name)
                for key in ofPeople ? [] : try engine.keys(of: model.name) {
                    for sample in try engine.samples(of: model.name, key: key) {
                        try add(key, sample)
                    }
                }
            }
            lines.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            let all = Array(lines.map(\.line).joined().utf8)
            #expect(SHA256Digest.hex(of: all) == entry.digest, "\(model.name)")
        }
    }

    @Test func `is the same of what is stored and of a fresh fold`() throws {
        let journal = try Self.journal()
        let engine = try journal.open()
        _ = try engine.rebuild()
        #expect(try engine.rebuild(isCheck: true).differences == [])
        #expect(try engine.verify().findings == [])
    }
}
