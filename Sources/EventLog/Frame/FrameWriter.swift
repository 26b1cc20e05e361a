import Core

/// Writes a batch as the body of a frame.
enum FrameWriter {
    /// Appends the body: new symbols, new types, key slots, commands, events.
    static func writeBody(
        of batch: Batch, first: Position, revisions: [UInt32], to body: inout [UInt8]
    ) {
        body.appendVarint(batch.newSymbols.isEmpty ? 0 : batch.firstNewSymbol)
        body.appendVarint(batch.newSymbols.count)
        for symbol in batch.newSymbols { body.appendBlock(symbol) }
        body.appendVarint(batch.newTypes.count)
        for type in batch.newTypes { type.write(to: &body) }
        body.appendVarint(batch.newSlots.count)
        for slot in batch.newSlots {
            body.appendVarint(slot.number)
            body.appendVarint(slot.product.number)
            body.appendVarint(slot.person.number)
            body.append(contentsOf: slot.digest)
        }
        body.appendVarint(batch.commands.count)
        for command in batch.commands {
            body.appendBlock(command.id)
            body.append(contentsOf: command.digest)
            body.appendVarint(command.device.number)
            body.appendVarint(command.events.lowerBound)
            body.appendVarint(command.events.count)
            body.appendVarint(
                CommandFate.bits(isAccepted: command.isAccepted, isKeyed: command.isKeyed))
        }
        var at: Int64 = 0
        var position = first.number
        for index in batch.events.indices {
            let event = batch.events[index]
            body.appendVarint(UInt32(event.type))
            body.appendVarint(event.flags)
            body.appendVarint(event.stream.number)
            body.appendVarint(revisions[index])
            body.appendZigzag(event.at.milliseconds &- at)
            at = event.at.milliseconds
            body.appendVarint(event.actor.number)
            body.appendVarint(event.device.number)
            body.appendVarint(event.command.map { $0 + 1 } ?? 0)
            body.appendVarint(
                event.cause == .zero ? 0 : position &- event.cause.number)
            body.appendVarint(event.subject.number)
            body.appendVarint(event.tags.count)
            for tag in event.tags { body.appendVarint(tag.number) }
            body.appendVarint(event.payload.count)
            body.append(contentsOf: batch.payloads[event.payload])
            position += 1
        }
    }
}
