import Core
import Dispatch
import Engine
import Sink
import Synchronization

/// The sinks that the service is told of: other programs keep them, and their databases say where they stand (docs/sink.md).
final class HostedSinks: Sendable {
    private let sinks: [AskedSink]

    init(_ addresses: [String], _ engine: EventEngine) {
        sinks = addresses.map { AskedSink($0, engine) }
    }

    /// What each database said, in the order of the setting; one that has not answered within `patience` says so.
    func documents(within patience: Duration) async throws -> [JSON] {
        let end = ContinuousClock.now + patience
        for sink in sinks { sink.ask() }
        while sinks.contains(where: \.isUnknown), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        return sinks.map(\.document)
    }
}

/// One database. It is asked on a thread of its own, one question at a time: it may be away for long.
private final class AskedSink: Sendable {
    private struct State {
        var isAsking = false
        var answer: Result<SinkStanding, EngineError>?
        var answered = ContinuousClock.now
    }

    private let target: String
    private let schema: String?
    private let engine: EventEngine
    private let thread = DispatchQueue(label: "sijill.sink")
    private let state = Mutex(State())

    /// An answer is as good as a new one for so long: somebody who looks again at once asks nobody.
    private static let freshness = Duration.seconds(2)
    /// In place of words of libpq's that have a user or a password in them.
    private static let unquoted = "it was not reached, or refuses; replay sink status says why"

    init(_ address: String, _ engine: EventEngine) {
        (target, schema) = ServiceConfiguration.sinkTarget(address)
        self.engine = engine
    }

    /// Whether it has not answered yet, so that there is something to wait for.
    var isUnknown: Bool {
        state.withLock { $0.isAsking && $0.answer == nil }
    }

    func ask() {
        let isNeeded = state.withLock { state in
            if state.isAsking { return false }
            if state.answer != nil, state.answered.duration(to: .now) < Self.freshness {
                return false
            }
            state.isAsking = true
            return true
        }
        guard isNeeded else { return }
        thread.async { [self] in
            var options = Sink.Options(target: target)
            if let schema { options.schema = schema }
            options.hidesAddress = true
            let answer: Result<SinkStanding, EngineError>
            do throws(EngineError) {
                answer = .success(try Sink(engine, options).standing())
            } catch {
                answer = .failure(error)
            }
            state.withLock { state in
                state.isAsking = false
                state.answer = answer
                state.answered = .now
            }
        }
    }

    var document: JSON {
        let (answer, age) = state.withLock { ($0.answer, $0.answered.duration(to: .now)) }
        var shown = SinkAddress.shown(target)
        var standing: SinkStanding?
        var trouble: String?
        switch answer {
        case nil: trouble = "it has not answered yet"
        case .failure(let error):
            // Of an address that nobody can read, any part may be a password in the wrong place.
            if error == Sink.unreadableAddress { shown = SinkAddress.hidden }
            trouble =
                SinkAddress.isQuoted(target, in: error.message) ? Self.unquoted : error.message
        case .success(let found):
            standing = found
            if !found.isOfThisJournal { trouble = "its tables are of another journal" }
        }
        func names(_ list: [String]?) -> JSON {
            list.map { .array($0.map { .string($0) }) } ?? .null
        }
        var shownSchema: JSON = .null
        if let schema, shown != SinkAddress.hidden, !SinkAddress.hasPassword(target) {
            shownSchema = .string(schema)
        }
        var members: [(String, JSON)] = [
            ("address", .string(shown)),
            ("schema", shownSchema),
            ("secondsAgo", answer == nil ? .null : .integer(age.components.seconds)),
        ]
        let known = standing.flatMap { $0.isOfThisJournal ? $0 : nil }
        members += [
            ("building", names(known?.building)),
            ("lag", known.map { .integer(Int64($0.lag)) } ?? .null),
            ("models", names(known?.models)),
            ("personal", known.map { .bool($0.isPersonal) } ?? .null),
            ("position", known.map { .integer(Int64($0.position)) } ?? .null),
            ("trouble", trouble.map { .string($0) } ?? .null),
        ]
        return .object(of: members)
    }
}

extension ServiceConfiguration {
    /// The databases of the setting `sinks`.
    var sinkAddresses: [String] { sinks.split(separator: " ").map(String.init) }

    /// An address and the schema behind its `#`.
    static func sinkTarget(_ address: String) -> (target: String, schema: String?) {
        guard !address.hasPrefix("sqlite:"), let mark = address.lastIndex(of: "#") else {
            return (address, nil)
        }
        // Anything else, such as an `@`, says that this `#` stands in a password.
        let schema = address[address.index(after: mark)...]
        guard !schema.isEmpty, schema.utf8.allSatisfy({ SinkAddress.isWord($0) }) else {
            return (address, nil)
        }
        return (String(address[..<mark]), String(schema))
    }

    func checkSinks() throws(ConfigurationError) {
        for address in sinkAddresses {
            let (target, _) = Self.sinkTarget(address)
            let isDatabase = ["postgres://", "postgresql://", "sqlite:"].contains {
                target.hasPrefix($0) && target.utf8.count > $0.utf8.count
            }
            guard isDatabase else {
                throw ConfigurationError(
                    "sinks: \(SinkAddress.shown(target)) is no database; write postgres://…#SCHEMA or sqlite:FILE, parted by spaces"
                )
            }
        }
    }
}
