import Engine
import Core
import Projections
import TestSupport
import Testing

/// The audit views are filters over all events, whatever index they ask.
@Suite struct `The audit views` {
    private static let seeds = UInt64(2200)..<2216

    @Test("hold of a person what a filter over all events holds", arguments: seeds)
    func person(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal.after(commands)
            let engine = try journal.open()
            let events = try engine.allEvents()
            for id in Self.people(in: events) {
                let expected = events.filter { Self.isAbout(id, $0) }
                let shown = try JSON(
                    parsing: engine.show("audit.subject", key: "examroom/\(id)").bytes)
                let entries = (shown["entries"]?.array ?? []).map(Self.withoutSummary)
                if let difference = difference(expected.map(\.text), entries) {
                    return "audit.subject of \(id), \(difference)"
                }
                let timeline = try Self.positions(engine, "person.timeline", key: "examroom/\(id)")
                if timeline != expected.reversed().map(\.position) { return "timeline of \(id)" }
            }
            return nil
        }
    }

    @Test("list the refusals that were recorded", arguments: seeds)
    func rejections(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal.after(commands)
            let engine = try journal.open()
            let expected = try engine.allEvents().filter {
                $0.type == "examroom.violation.recorded"
            }
            let shown = try Self.positions(engine, "audit.rejections")
            return shown == expected.reversed().map(\.position) ? nil : "shown: \(shown)"
        }
    }

    @Test("log what passes the filters", arguments: seeds)
    func log(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal.after(commands)
            let engine = try journal.open()
            let events = try engine.allEvents()
            guard let some = events.dropFirst(events.count / 2).first else { return nil }
            let by = some.json["by"]?.string ?? ""
            for (name, value, isWanted) in [
                ("by", by, { (event: PastFact) in event.json["by"]?.string == by }),
                ("stream", some.stream, { $0.stream == some.stream }),
                ("type", some.type, { $0.type == some.type }),
                ("product", "account", { $0.type == "account.erased" }),
                ("from", "\(some.at)", { $0.at >= some.at }), ("page", "all", { _ in true }),
            ] {
                let shown = try Self.positions(engine, "audit.log", [name: value])
                let expected = events.filter(isWanted).reversed().map(\.position)
                if shown != expected { return "\(name)=\(value): \(shown), not \(expected)" }
            }
            var filter = EventFilter()
            filter.by = by
            var listed: [Int64] = []
            try engine.events(filter) { event in
                listed.append(PastFact(event).position)
                return true
            }
            let expected = events.filter { $0.json["by"]?.string == by }.map(\.position)
            return listed == expected ? nil : "events --by \(by): \(listed)"
        }
    }

    @Test("find a text in values, not in their names", arguments: seeds)
    func text(seed: UInt64) {
        expectLaw(seed: seed) { commands in
            let journal = try TemporaryJournal.after(commands)
            let engine = try journal.open()
            let events = try engine.allEvents()
            let exams = Set(events.map { $0.text("exam") }.filter { !$0.isEmpty }).sorted()
            guard let exam = exams.first else { return nil }
            for text in [exam, exam.lowercased(), "digest", "\"", "\n"] {
                let shown = try Set(Self.positions(engine, "audit.log", ["text": text]))
                for event in events {
                    let isThere = event.data.texts.contains {
                        SearchText(text).isPart(of: $0)
                    }
                    // Values that are personal are shown here and not searched there.
                    if shown.contains(event.position), !isThere {
                        return "\(text.debugDescription) at \(event.position): \(event.text)"
                    }
                    if event.text("exam") == exam, text.lowercased() == exam.lowercased(),
                        !shown.contains(event.position)
                    {
                        return "no \(text.debugDescription) at \(event.position)"
                    }
                }
            }
            return nil
        }
    }

    // MARK: The same, written once more

    private static func people(in events: [PastFact]) -> [String] {
        var ids: Set<String> = ["nobody"]
        for event in events {
            for tag in (event.json["tags"]?.array ?? []).compactMap(\.string) {
                let parts = tag.split(separator: ":", maxSplits: 1)
                if parts.count == 2, ["student", "account"].contains(parts[0]) {
                    ids.insert(String(parts[1]))
                }
            }
            if let by = event.json["by"]?.string, let colon = by.firstIndex(of: ":") {
                ids.insert(String(by[by.index(after: colon)...]))
            }
        }
        return ids.sorted()
    }

    private static func isAbout(_ id: String, _ event: PastFact) -> Bool {
        let labels = ["account", "admin", "coach", "student"].map { "\($0):\(id)" }
        let tags = (event.json["tags"]?.array ?? []).compactMap(\.string)
        if !Set(labels).isDisjoint(with: tags) { return true }
        if labels.contains(event.json["by"]?.string ?? "") { return true }
        switch event.type {
        case "examroom.conflict.detected":
            let writers = (event.data["contenders"]?.array ?? []).compactMap { $0["by"]?.string }
            let record = event.text("record").split(separator: "/")
            return writers.contains { $0.hasSuffix(":\(id)") }
                || record.count > 2 && ["account", "seat"].contains(record[1])
                    && record.last == Substring(id)
        case "examroom.export.made": return event.data["filters"]?["user"]?.string == id
        case "examroom.item.imported":
            return event.text("kind") == "account" && event.text("thing") == id
        default: return false
        }
    }

    private static func withoutSummary(_ entry: JSON) -> String {
        JSON.object(
            of: (entry.members ?? []).filter { $0.name != "summary" }.map {
                ($0.name, $0.value)
            }
        ).description
    }

    private static func positions(
        _ engine: EventEngine, _ model: String, key: String? = nil,
        _ arguments: [String: String] = [:]
    ) throws -> [Int64] {
        var request = ShowRequest()
        request.arguments = ["page": "all"].merging(arguments) { $1 }
        let shown = try JSON(parsing: engine.show(model, key: key, request).bytes)
        return (shown["entries"]?.array ?? []).compactMap { $0["position"]?.wholeNumber }
    }
}
