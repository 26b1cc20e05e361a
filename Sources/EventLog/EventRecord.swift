package import Core

/// An event as the journal holds it: its envelope decoded, its payload still bytes.
///
/// Of one that is read, ranges point into the body buffer that comes with the record; both are reused for the next
/// event, so what is to be kept must be copied out. Of one that is to be appended, `payload` points into its batch.
package struct EventRecord: Hashable, Sendable {
    package var position = Position.zero
    /// When it happened.
    package var at = Instant(milliseconds: 0)
    /// When the journal learned of it.
    package var recordedAt = Instant(milliseconds: 0)
    /// Of its frame.
    package var term: UInt32 = 0
    package var salt = SealingSalt.zero
    package var type: UInt16 = 0
    package var stream = Symbol.none
    /// Place in its stream, from 0.
    package var revision: UInt32 = 0
    package var actor = Symbol.none
    package var device = Symbol.none
    /// Index of the command in its frame (in a sealed one, in its block; in a batch), or nil for an event that no
    /// command brought.
    package var command: Int?
    /// Where in the body the command's id stands; empty if there is no command.
    package var commandID = 0..<0
    /// Position of the event that this one follows from, or zero.
    package var cause = Position.zero
    /// The person whose key seals the personal fields, or none.
    package var subject = Symbol.none
    package var tags: [Symbol] = []
    /// Where in the body the payload stands.
    package var payload = 0..<0
    /// The form of the payload; bits of `EventRecord.knownFlags`.
    package var flags: UInt64 = 0

    /// Flags of later versions are refused: what they mean cannot be guessed.
    package static let knownFlags: UInt64 = 7

    /// Under what the list of actors has the event: most events are found by a tag of the same text, and
    /// need no second entry.
    var listedActor: Symbol? { actor.isNone || tags.contains(actor) ? nil : actor }

    package init() {}

    /// An event that is to be appended.
    package init(
        type: UInt16, stream: Symbol, at: Instant, actor: Symbol, device: Symbol = .none,
        command: Int? = nil, cause: Position = .zero, subject: Symbol = .none,
        flags: UInt64 = 0, tags: [Symbol] = [], payload: Range<Int> = 0..<0
    ) {
        self.type = type
        self.stream = stream
        self.at = at
        self.actor = actor
        self.device = device
        self.command = command
        self.cause = cause
        self.subject = subject
        self.flags = flags
        self.tags = tags
        self.payload = payload
    }
}

/// An accepted command as the journal remembers it.
package struct AcceptedEntry: Hashable, Sendable {
    /// 8 bytes.
    package var digest: [UInt8]
    package var isKeyed: Bool
    package var device: Symbol
    /// Position of its first event; of the next event to come if it had none.
    package var first: Position
    package var count: UInt32
}

/// The end of a stream, or of the list of events of a type or with a tag.
package struct StreamHead: Hashable, Sendable {
    /// Events so far; the next one's revision.
    package var count: UInt32
    package var lastPosition: Position
    /// When the last event happened.
    package var lastAt: Instant

    package init(count: UInt32, lastPosition: Position, lastAt: Instant) {
        self.count = count
        self.lastPosition = lastPosition
        self.lastAt = lastAt
    }
}

/// What a frame says of itself, without its events.
package struct FrameRecord: Hashable, Sendable {
    /// Position of its first event, or of the next one to come.
    package var first = Position.zero
    /// Tells frames with the same first position apart: all but the last are without events.
    package var ordinal: UInt32 = 0
    package var eventCount: UInt32 = 0
    package var recordedAt = Instant(milliseconds: 0)
    package var clock = JournalClock.beginning
    package var term: UInt32 = 0
    /// The first 8 bytes of the frame's checksum, which covers all frames before it.
    package var mark: UInt64 = 0
}

/// How much room a stored record of `frames` takes: one frame, or a sealed block of them.
package struct StoredSize: Hashable, Sendable {
    package var isBlock: Bool
    package var first: Position
    package var eventCount: Int
    package var storedBytes: Int
    /// Bytes of what is compressed, before it was.
    package var bodyBytes: Int
}

/// Which events a posting list holds.
package enum PostingKind: UInt8, CaseIterable, Sendable {
    case stream = 1
    case type = 2
    case tag = 3
    /// Of an actor: the events that bear no tag of the same text, which would find them already.
    case actor = 6
}

/// All that one frame holds, for copying a journal.
package struct FrameContent: Hashable, Sendable {
    /// Position of its first event, or of the next one to come.
    package var first: Position
    package var recordedAt: Instant
    package var commands: [FrameCommand] = []
    package var events: [EventRecord] = []
}

/// A command as its frame records it.
package struct FrameCommand: Hashable, Sendable {
    package var id: [UInt8]
    /// 8 bytes.
    package var digest: [UInt8]
    package var isKeyed: Bool
    package var device: Symbol
    /// As indices of the frame's events.
    package var events: Range<Int>
    package var isAccepted: Bool
}

extension EventRecord {
    /// What its personal fields are sealed with.
    package var place: SealingContext {
        SealingContext(
            position: position, recordedAt: recordedAt, type: type, term: term, salt: salt,
            isFormer: flags & PersonalPart.formerFlag != 0)
    }
}
