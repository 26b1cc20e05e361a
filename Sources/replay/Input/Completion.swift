internal import Engine
import Products

/// Words that a shell offers where the journal knows them: that of the line or the default one.
///
/// A shell that completes has no place for an error, and no time: it is offered what a glance finds.
enum Completion {
    /// How many of the latest events are searched for streams and tags.
    private static let glance = 5000

    /// The names of the read models.
    @Sendable static func models(words: [String], _ index: Int, _ prefix: String) -> [String] {
        asking(words) { try $0.listedModels.map(\.name) }
    }

    /// The keys of the model that the line names.
    @Sendable static func keys(words: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let model = words.first(where: { $0.contains(".") && !$0.contains("/") }) else {
            return []
        }
        return asking(words) { try $0.keys(of: model) }
    }

    /// A question's words: the model, then its key.
    @Sendable static func question(words: [String], _ index: Int, _ prefix: String) -> [String] {
        let before = Array(words.prefix(index))
        let isModel = !before.contains { $0.contains(".") && !$0.contains("/") }
        return isModel ? models(words: words, index, prefix) : keys(words: before, index, prefix)
    }

    /// The event types that the journal has.
    @Sendable static func types(words: [String], _ index: Int, _ prefix: String) -> [String] {
        asking(words) { try $0.eventTypes() }
    }

    /// The streams of the latest events.
    @Sendable static func streams(words: [String], _ index: Int, _ prefix: String) -> [String] {
        latest(words) { [$0["stream"].string ?? ""] }
    }

    /// The tags of the latest events.
    @Sendable static func tags(words: [String], _ index: Int, _ prefix: String) -> [String] {
        latest(words) { ($0["tags"].items ?? []).compactMap(\.string) }
    }

    /// Who did the latest events.
    @Sendable static func actors(words: [String], _ index: Int, _ prefix: String) -> [String] {
        latest(words) { [$0["by"].string ?? ""] }
    }

    /// The names of the commands, whatever the journal.
    @Sendable static func commands(words: [String], _ index: Int, _ prefix: String) -> [String] {
        (try? [Product].all.commands().map(\.name)) ?? []
    }

    private static func latest(
        _ words: [String], _ texts: (Document.Value) -> [String]
    ) -> [String] {
        asking(words) { engine in
            var filter = EventFilter()
            filter.isReversed = true
            filter.limit = glance
            var found: Set<String> = []
            try engine.events(filter) { event in
                found.formUnion(texts(event.value))
                return true
            }
            return found.sorted()
        }
    }

    private static func asking(
        _ words: [String], _ question: (EventEngine) throws -> [String]
    ) -> [String] {
        let named = words.firstIndex(of: "--journal").map { words.index(after: $0) }
        let directory = named.flatMap { $0 < words.endIndex ? words[$0] : nil }
        let chosen = directory ?? EnvironmentVariables["SIJILL_JOURNAL"] ?? "./journal"
        do {
            return try question(
                EventEngine(at: chosen, options: EnvironmentVariables.readingOptions))
        } catch {
            return []
        }
    }
}
