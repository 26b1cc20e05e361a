import EventLog
import Core
import Folding

/// What one event type sets going: an object, so that an event takes it up with one reference.
final class Route {
    let product: String
    let version: UInt16
    /// Nil where no product looks at the type.
    let fold: Fold?
    /// Of a type that nobody knows, the first event is reported.
    var isWanted: Bool { fold != nil || version == 0 }
    /// Whether anybody looks into the personal part of its events.
    let opensPersonal: Bool

    init(product: String, version: UInt16, folders: [Folder]) {
        self.product = product
        self.version = version
        fold = Self.chain(folders)
        opensPersonal = folders.contains(where: \.opensPersonal)
    }

    /// One call for all of them, each with the payload from its beginning.
    private static func chain(_ folders: [Folder]) -> Fold? {
        guard let first = folders.first else { return nil }
        if folders.count == 1 { return first.fold }
        return { metadata, version, reader in
            let payload = reader
            return folders.allSatisfy { folder in
                reader = payload
                return folder.fold(metadata, version, &reader)
            }
        }
    }
}

/// Folds events one after the other: has at hand what each of them needs.
struct EventFolding {
    /// By type number.
    private let routes: [Route]
    private let opener: PartOpener
    private var metadata = EventMetadata.nowhere

    init(_ routes: [Route], _ opener: PartOpener) {
        self.routes = routes
        self.opener = opener
    }

    /// - Parameter opened: Its personal fields, where they were opened ahead.
    mutating func fold(_ event: EventRecord, _ body: [UInt8], _ opened: PersonalValues?) throws {
        let route = try route(of: event)
        guard let fold = route.fold else { return }
        var reader = BinaryReader(
            body, stored: event.payload, flags: event.flags, at: event.place, opener: opener,
            opened: opened)
        metadata.become(event, body, &reader)
        guard fold(metadata, route.version, &reader) else { throw Self.unreadable(event) }
    }

    /// Folds an event with another payload than its own.
    mutating func fold(
        _ event: EventRecord, _ body: [UInt8], _ changed: EventChanges.Changed
    ) throws {
        let route = try route(of: event)
        guard let fold = route.fold else { return }
        var reader = BinaryReader(changed.payload, personal: changed.personal, names: opener.names)
        metadata.become(event, body, &reader)
        guard fold(metadata, route.version, &reader) else { throw Self.unreadable(event) }
    }

    /// Lets go of the buffer of the last event, so that more of its block can be opened in place.
    mutating func release() { metadata.releaseCommand() }

    private func route(of event: EventRecord) throws -> Route {
        let type = Int(event.type)
        guard type < routes.count, routes[type].version > 0 else {
            throw EngineError(
                .badInput,
                "the event at position \(event.position.number) is of unknown type; run verify")
        }
        return routes[type]
    }

    private static func unreadable(_ event: EventRecord) -> EngineError {
        EngineError(
            .badInput,
            "the payload at position \(event.position.number) cannot be read; run verify")
    }
}
