import Core
import Testing

@testable import EventLog

@Suite struct `The index of what is not sealed` {
    /// That of an event, sealed by another program meanwhile; what it knows of the stream's end.
    private func end(afterFailure fails: Bool) throws -> StreamHead?? {
        let stream = Symbol(number: 1)
        var batch = Batch(recordedAt: .epoch, firstNewSymbol: 1)
        batch.newSymbols = [Array("s".utf8)]
        batch.add(
            EventRecord(type: 1, stream: stream, at: .epoch, actor: .none), payload: [])
        var head = Head.empty
        head.position = Position(1)
        head.frameCount = 1
        let former = Tail(Sealed(), after: nil)
        former.add(batch, FrameKey(first: Position(1), ordinal: 0), revisions: [0], head: head)
        if fails { former.invalidate() }
        var sealed = Sealed()
        (sealed.position, sealed.frameCount) = (Position(1), 1)
        return Tail(sealed, after: former).sealedHead(stream)
    }

    @Test func `hands on how streams end, but for events that never became durable`() throws {
        #expect(try end(afterFailure: false)??.count == 1)
        #expect(try end(afterFailure: true) == nil)
    }
}
