package import Commands
import Core
package import Engine

/// A product on an engine with a journal of its own: for what is stored, read again, or asked of the past.
package final class EngineOnDisk<Product: Rules>: ProductUnderTest {
    package let journal: TemporaryJournal
    package let engine: EventEngine
    package var told = 0

    package init(empty: Void) throws {
        journal = try TemporaryJournal()
        engine = try journal.open()
    }

    package func submit(_ line: [UInt8]) throws -> Outcome {
        try engine.submit([line], clock: Scenario.clock)[0]
    }

    package func show(
        _ model: String, key: String?, _ request: ShowRequest
    ) throws -> Document {
        try engine.show(model, key: key, request)
    }
}
