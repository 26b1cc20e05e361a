package import Core

/// What one commit appends: the events of all commands that were waiting.
///
/// Payloads lie in one buffer that all events of the batch share, so that building a batch allocates nothing for one.
package struct Batch: Sendable {
    /// If set, the append fails unless the journal's head is here.
    package var expectedHead: Position?
    package var conditions: [AppendCondition] = []
    /// When the journal learned of it, as the caller's clock says.
    package var recordedAt: Instant
    /// How far time has come with this batch; nil leaves the journal's clock as it is.
    package var clock: JournalClock?
    /// Number of the first of `newSymbols`: the head's symbol count + 1.
    package var firstNewSymbol: UInt32
    package var newSymbols: [[UInt8]] = []
    /// Types that the journal does not hold yet, numbered on from the head's type count.
    package var newTypes: [TypeRecord] = []
    /// Slots of `keys` that nothing was sealed with before, numbered on from the head's slot count.
    package var newSlots: [NamedSlot] = []
    /// At least the head's.
    package var term: UInt32 = 0
    /// Of what is sealed in it; fresh, but where an import takes in what was sealed before.
    package var salt = SealingSalt.random()
    package var commands: [AcceptedCommand] = []
    /// Without what the append gives them: position, revision, and what their frame says.
    package var events: [EventRecord] = []
    /// Payloads of all events; `EventRecord.payload` points in here.
    package var payloads: [UInt8] = []

    package init(recordedAt: Instant, firstNewSymbol: UInt32) {
        self.recordedAt = recordedAt
        self.firstNewSymbol = firstNewSymbol
    }

    /// Adds an event, copying its payload into the shared buffer.
    package mutating func add(_ event: EventRecord, payload: [UInt8]) {
        var event = event
        event.payload = payloads.count..<payloads.count + payload.count
        payloads += payload
        events.append(event)
    }
}

/// What must hold inside the write transaction for a batch to be appended.
package enum AppendCondition: Hashable, Sendable {
    /// The stream has exactly this many events.
    case revision(stream: Symbol, count: UInt32)
    /// No event of one of these types (empty: any type) that bears all of these tags (empty: any
    /// tags) stands after this position.
    case noEvents(types: [UInt16], tags: [Symbol], after: Position)
}

/// What a frame says of a slot of the file `keys`: whose key it holds, and which.
package struct NamedSlot: Hashable, Sendable {
    package static let digestBytes = 16

    package var number: UInt32
    /// The product's name, and the person as events name them; none for the journal's own secret.
    package var product: Symbol
    package var person: Symbol
    /// The first 16 bytes of SHA-256 over the key; zeros for a key that was not there.
    package var digest: [UInt8]

    static func digest(of key: [UInt8]) -> [UInt8] {
        Array(SHA256Digest.of(key).prefix(digestBytes))
    }

    package init(number: UInt32, product: Symbol, person: Symbol, digest: [UInt8]) {
        self.number = number
        self.product = product
        self.person = person
        self.digest = digest
    }
}

/// A command that events come of. One that was accepted is remembered, so that the same id is
/// answered and not done twice; one that was refused only names the event that tells of it.
package struct AcceptedCommand: Hashable, Sendable {
    /// The caller's idempotency key, 1 to 512 bytes.
    package var id: [UInt8]
    /// 8 bytes that tell this command from another one under the same id.
    package var digest: [UInt8]
    /// The digest is a MAC, which ends with the keys that it is made with.
    package var isKeyed = true
    /// The device that sent it, or none.
    package var device: Symbol
    /// Its events, as a range of the batch's events; may be empty.
    package var events: Range<Int>
    /// Whether its id is used from here on.
    package var isAccepted = true

    package init(id: [UInt8], digest: [UInt8], device: Symbol = .none, events: Range<Int>) {
        self.id = id
        self.digest = digest
        self.device = device
        self.events = events
    }
}
