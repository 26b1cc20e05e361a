/// What surrounds a fact: where and when it was recorded, by whom, on which device.
///
/// One reference: a fold hands it through many hands with every event, and copies nothing.
public struct EventMetadata: Sendable {
    private var storage: Storage

    private struct Content: Sendable {
        var position: Position
        var at: Instant
        var actor: Symbol
        var device: Symbol
        var stream: Symbol
        var subject: Symbol
        var cause: Position
        var command: CommandName
        var origin: Origin?
    }

    /// Mutated only while uniquely referenced.
    @safe
    private final class Storage: @unchecked Sendable {
        @exclusivity(unchecked) var stored: Content

        init(_ content: Content) {
            unsafe stored = content
        }

        var content: Content {
            @inline(__always) _read { yield unsafe stored }
            @inline(__always) _modify { yield unsafe &stored }
        }
    }

    public init(
        position: Position, at: Instant, actor: Symbol, device: Symbol, stream: Symbol,
        subject: Symbol, cause: Position, command: CommandName = .none, origin: Origin? = nil
    ) {
        storage = Storage(
            Content(
                position: position, at: at, actor: actor, device: device, stream: stream,
                subject: subject, cause: cause, command: command, origin: origin))
    }

    /// Becomes those of another event, in place unless somebody kept these.
    public mutating func become(
        position: Position, at: Instant, actor: Symbol, device: Symbol, stream: Symbol,
        subject: Symbol, cause: Position, command: CommandName, origin: Origin?
    ) {
        let content = Content(
            position: position, at: at, actor: actor, device: device, stream: stream,
            subject: subject, cause: cause, command: command, origin: origin)
        if isKnownUniquelyReferenced(&storage) {
            storage.content = content
        } else {
            storage = Storage(content)
        }
    }

    /// Lets go of the buffer that the command's id is read from, unless somebody kept these: a block that is held is copied
    /// when more of it is opened.
    public mutating func releaseCommand() {
        if isKnownUniquelyReferenced(&storage) { storage.content.command = .none }
    }

    /// The event's number in the journal, from 1.
    public var position: Position { storage.content.position }
    /// When it was recorded as having happened: for a merged event the instant of the merge.
    public var at: Instant { storage.content.at }
    /// Who acted: the symbol of `student:S-1`.
    public var actor: Symbol { storage.content.actor }
    /// The device that sent the command; none where it is not known.
    public var device: Symbol { storage.content.device }
    /// The symbol of its stream, `PRODUCT/NOUN/ID`.
    public var stream: Symbol { storage.content.stream }
    /// The person whose key the personal fields hang on.
    public var subject: Symbol { storage.content.subject }
    /// The event that a timer's event follows from; zero for a command's own.
    public var cause: Position { storage.content.cause }
    /// Writes the command's id as JSON: null for a timer's event.
    public func writeCommand(to json: inout JSONWriter) {
        storage.content.command.write(to: &json)
    }

    /// The id of the command that brought it; empty for a timer's event.
    public var command: CommandName { storage.content.command }
    /// Whether a command's event, and what its id is: without taking the name out, which would cost a
    /// reference with every event.
    public var hasCommand: Bool { !storage.content.command.isEmpty }

    /// Whether the command with this id brought it.
    public func isOfCommand(_ id: [UInt8]) -> Bool { storage.content.command.isSame(as: id) }

    /// Copies the command's id into a buffer, which keeps its capacity.
    public func copyCommand(to bytes: inout [UInt8]) { storage.content.command.copy(to: &bytes) }

    /// Of an event that a merge brought.
    public var origin: Origin? { storage.content.origin }
    /// Whether a merge brought it from another device.
    public var isMerged: Bool { storage.content.origin != nil }

    /// The instant at which it really happened, on whichever device (ExamRoom, Outside the engine).
    public var moment: Instant { isMerged ? origin?.at ?? at : at }

    /// The device on which it really happened; none where it is not known.
    public var writer: Symbol { isMerged ? origin?.device.symbol ?? device : device }

    /// The id of the command that it came of on the device where it happened; empty for a timer's.
    public var originalCommand: String { origin?.command ?? command.text }
}

/// The id of a command as it lies in a buffer: most folds never look at it, so no text is made of it.
public struct CommandName: Sendable {
    private let bytes: [UInt8]
    private let range: Range<Int>

    /// A range outside the buffer is no name.
    public init(_ bytes: [UInt8], _ range: Range<Int>) {
        let isInside = range.lowerBound >= 0 && range.upperBound <= bytes.count
        self.bytes = bytes
        self.range = isInside ? range : 0..<0
    }

    public init(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes, 0..<bytes.count)
    }

    /// Of a timer's event.
    public static let none = CommandName([], 0..<0)

    /// Whether there is no command.
    public var isEmpty: Bool { range.isEmpty }
    /// The id as text.
    public var text: String { String(decoding: bytes[range], as: UTF8.self) }

    fileprivate func write(to json: inout JSONWriter) {
        if range.isEmpty { json.null() } else { json.stringBytes(bytes.span.extracting(range)) }
    }

    /// Whether the ids are the same bytes.
    public func isSame(as other: CommandName) -> Bool {
        bytes[range].elementsEqual(other.bytes[other.range])
    }

    /// From the end on: ids that count up differ there first.
    public func isSame(as other: [UInt8]) -> Bool {
        guard range.count == other.count else { return false }
        var index = other.count
        while index > 0 {
            index -= 1
            if bytes[range.lowerBound + index] != other[index] { return false }
        }
        return true
    }

    /// Copies the name to where it outlives the buffer, without making room anew.
    public func copy(to bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(self.bytes.span.extracting(range))
    }
}
