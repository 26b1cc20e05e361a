package import Commands
package import Core
package import Engine
import Folding
import Glibc

/// A product's rules on a state in memory: given what happened, when a command comes, then what.
///
/// Commands are decided by what decides them in an engine, timers, refusals and ids with them; nothing is stored.
package final class RulesInMemory<Product: Rules>: ProductUnderTest {
    package let state: Product.State
    package var told = 0
    private let run: DryRun

    package init(empty: Void) throws {
        run = try DryRun(on: EmptyJournal.shared.get().engine, recordedAt: Instant(Scenario.clock))
        guard let state = run.state(Product.State.self) else {
            throw Refused(description: "no engine runs \(Product.product)")
        }
        self.state = state
    }

    package func submit(_ line: [UInt8]) throws -> Outcome { try run.submit(line) }

    package func show(
        _ model: String, key: String?, _ request: ShowRequest
    ) throws -> Document {
        guard request.asOf == nil, request.knownAt == nil else {
            throw Refused(description: "\(model): the past is not kept in memory")
        }
        return try run.show(model, key: key, request.arguments, now: request.now)
    }

    // MARK: What came of it

    package var names: Names { run.names }
    package var history: any History { run.history }
    /// The last position.
    package var head: UInt64 { run.head.number }

    /// Every event so far.
    package var facts: [EventEnvelope] {
        var found: [EventEnvelope] = []
        run.history.forEach(types: []) { event in
            found.append(event)
            return true
        }
        return found
    }

    /// The events of a type.
    package func all<P: Payload>(_ type: P.Type) -> [P] { facts.compactMap { $0.read(type) } }

    /// The last event of a type.
    package func last<P: Payload>(_ type: P.Type) -> P? { all(type).last }
}

/// The journal beneath all rules in memory: nothing is ever written to it.
private enum EmptyJournal {
    struct Ground: Sendable {
        let journal: TemporaryJournal
        let engine: EventEngine
    }

    static let shared: Result<Ground, any Error> = Result {
        let journal = try TemporaryJournal()
        atexit { EmptyJournal.remove() }
        return Ground(journal: journal, engine: try journal.open())
    }

    private static func remove() { try? shared.get().journal.remove() }
}
