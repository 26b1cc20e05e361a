import Engine
import Core
import TestSupport
import Testing

/// Digests, rebuilds and snapshots cover the keys that a model lists: it must list them all.
@Suite struct `The keys of every model` {
    /// Models that answer for any key (contract, Read models), so that they can list known ones only.
    private static let answeringAny: Set<String> = [
        "examroom.sign-in", "examroom.sync", "examroom.changes",
    ]

    @Test(arguments: Scenarios.covered)
    func `are those that have a document, no more and no fewer`(scenario: Scenario) throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try scenario.run(on: engine)
        let ids = try Self.ids(in: engine)
        for model in try engine.models() where model.key != nil {
            let listed = try Documents.keys(of: model, engine).compactMap(\.self)
            #expect(Set(listed).count == listed.count, "\(model.name) lists a key twice")
            for key in listed {
                guard let sample = try engine.samples(of: model.name, key: key).first else {
                    continue
                }
                var request = ShowRequest()
                request.arguments = sample
                let document = try engine.show(model.name, key: key, request)
                #expect(document.text != "null", "\(model.name) lists \(key)")
            }
            // A model that cannot do without an argument is asked for what it lists alone.
            let needsArguments = try engine.samples(of: model.name, key: "").isEmpty
            if Self.answeringAny.contains(model.name) || model.name == "person.timeline"
                || needsArguments
            {
                continue
            }
            for id in ids.subtracting(listed) {
                let document = try engine.show(model.name, key: id)
                #expect(document.text == "null", "\(model.name) does not list \(id)")
            }
        }
    }

    /// Every id that any event speaks of: the parts of its stream and the texts of its data.
    private static func ids(in engine: EventEngine) throws -> Set<String> {
        var ids: Set<String> = ["nothing-of-the-kind"]
        for event in try engine.allEvents() {
            ids.formUnion(event.stream.split(separator: "/").map { String($0) })
            for member in event.data.members ?? [] {
                if let text = member.value.string, IdentifierForm.accepts(text) { ids.insert(text) }
            }
        }
        return ids
    }
}
