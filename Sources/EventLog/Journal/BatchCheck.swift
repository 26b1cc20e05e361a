import Core

/// Whether a batch makes sense after a head: numbers, ranges and sizes. Nothing that passes can
/// make a record that a reader refuses.
struct BatchCheck {
    private let batch: Batch
    private let head: Head
    /// Symbols up to this one exist once the batch is appended.
    private let symbolCount: UInt64

    init(_ batch: Batch, _ head: Head) {
        self.batch = batch
        self.head = head
        symbolCount = UInt64(head.symbolCount) + UInt64(batch.newSymbols.count)
    }

    func run() throws(JournalError) {
        try checkHead()
        try checkTables()
        for command in batch.commands { try check(command) }
        for index in batch.events.indices { try checkEvent(index) }
    }

    private func conflict(
        _ conflict: JournalError.Conflict, _ what: String
    ) -> JournalError {
        JournalError(.conflict(conflict), what, advice: "read the journal again and decide anew")
    }

    private func checkHead() throws(JournalError) {
        if let expected = batch.expectedHead, expected != head.position {
            throw conflict(
                .head(actual: head.position),
                "the journal's head is at \(head.position.number), not \(expected.number)")
        }
        if let clock = batch.clock, clock < head.clock {
            throw conflict(.clock, "the journal's time is later than the batch's")
        }
        guard batch.term >= head.term else {
            throw JournalError(
                .conflict(.term), "the journal is of a later term than the batch",
                advice: "another program has taken over; read the journal again")
        }
        guard batch.events.count <= Limits.frameEvents else {
            throw .tooLarge("a batch of \(batch.events.count) events")
        }
        guard batch.commands.count <= Limits.frameCommands,
            batch.events.reduce(0, { $0 + $1.tags.count }) <= Limits.frameTags,
            batch.newSymbols.count <= Limits.frameSymbols,
            batch.newSlots.count <= Limits.frameSlots,
            Int(head.slotCount) + batch.newSlots.count <= Int(Limits.keySlots)
        else { throw .tooLarge("a batch") }
        guard head.position.number + UInt64(batch.events.count) + 1 < Limits.positions,
            head.ordinal < .max
        else { throw .tooLarge("the journal") }
    }

    private func checkTables() throws(JournalError) {
        if !batch.newSymbols.isEmpty {
            guard batch.firstNewSymbol == head.symbolCount + 1 else {
                throw conflict(.numbers, "others interned symbols in the meantime")
            }
            guard symbolCount <= UInt64(Limits.symbols) else { throw .tooLarge("the symbol table") }
            for symbol in batch.newSymbols where symbol.count > Limits.symbolBytes {
                throw .tooLarge("a text of \(symbol.count) bytes to intern")
            }
            guard Set(batch.newSymbols.map { ExactBytes($0) }).count == batch.newSymbols.count
            else {
                throw .invalid("a new symbol is twice in the batch")
            }
        }
        for (index, slot) in batch.newSlots.enumerated() {
            guard UInt64(slot.number) == UInt64(head.slotCount) + UInt64(index) + 1 else {
                throw conflict(.numbers, "others named slots of keys in the meantime")
            }
            guard slot.digest.count == NamedSlot.digestBytes else {
                throw .invalid("the digest of a key is not 16 bytes")
            }
            try check(slot.product, "a key's product", orNone: true)
            try check(slot.person, "a key's person", orNone: true)
        }
        guard Int(head.typeCount) + batch.newTypes.count <= Int(UInt16.max) else {
            throw .tooLarge("the table of types")
        }
        var names: Set<String> = []
        for (index, type) in batch.newTypes.enumerated() {
            guard Int(type.number) == Int(head.typeCount) + 1 + index else {
                throw conflict(.numbers, "others recorded types in the meantime")
            }
            guard type.name.utf8.count <= Limits.typeNameBytes,
                type.schema.utf8.count <= Limits.schemaBytes
            else { throw .tooLarge("type \(type.number)") }
            guard names.insert("\(type.version) \(type.name)").inserted else {
                throw .invalid("type \(type.name) is twice in the batch")
            }
        }
    }

    private func check(_ command: AcceptedCommand) throws(JournalError) {
        guard !command.id.isEmpty else { throw .invalid("a command without an id") }
        guard command.id.count <= Limits.commandIDBytes else {
            throw .tooLarge("a command id of \(command.id.count) bytes")
        }
        guard command.digest.count == Limits.digestBytes else {
            throw .invalid("a command's digest is not 8 bytes")
        }
        guard command.events.upperBound <= batch.events.count, command.events.lowerBound >= 0
        else { throw .invalid("a command's events are not in the batch") }
        try check(command.device, "a command's device", orNone: true)
    }

    private func checkEvent(_ index: Int) throws(JournalError) {
        let event = batch.events[index]
        guard event.type > 0, Int(event.type) <= Int(head.typeCount) + batch.newTypes.count else {
            throw .invalid("event \(index) has unknown type \(event.type)")
        }
        guard event.flags & ~EventRecord.knownFlags == 0 else {
            throw .invalid("event \(index) has unknown flags")
        }
        try check(event.stream, "a stream", orNone: false)
        try check(event.actor, "an actor", orNone: true)
        try check(event.device, "a device", orNone: true)
        try check(event.subject, "a subject", orNone: true)
        guard event.payload.lowerBound >= 0, event.payload.upperBound <= batch.payloads.count
        else { throw .invalid("event \(index) points outside the batch") }
        guard event.tags.count <= Limits.tagsPerEvent,
            event.payload.count <= Limits.payloadBytes
        else { throw .tooLarge("event \(index)") }
        for tag in event.tags { try check(tag, "a tag", orNone: false) }
        if let command = event.command, !batch.commands.indices.contains(command) {
            throw .invalid("event \(index) is of an unknown command")
        }
        guard event.cause.number <= head.position.number + UInt64(index) else {
            throw .invalid("event \(index) follows from a later one")
        }
    }

    @inline(__always)
    private func check(
        _ symbol: Symbol, _ what: StaticString, orNone: Bool
    ) throws(JournalError) {
        guard UInt64(symbol.number) <= symbolCount, orNone || !symbol.isNone else {
            throw .invalid("\(what) has unknown symbol \(symbol.number)")
        }
    }
}
