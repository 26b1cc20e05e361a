import Engine
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The listeners of one event loop who have everything so far: what comes is written to them there, one behind the other,
/// without a task for each (docs/service.md, Live).
///
/// Members come, go and are written to on the loop alone, so that nothing is written to one who has gone.
final class EventFan: Sendable {
    /// How a listener stands when they are let go of.
    struct End: Sendable {
        let wake: EventRing.Wake
        /// They have everything up to here.
        let seen: Position
        /// The last event that was written.
        let told: Position
    }

    final class Member: Sendable {
        fileprivate let channel: any Channel
        fileprivate let wish: EventWish
        fileprivate let place: Mutex<(seen: Position, told: Position)>
        private let continuation: CheckedContinuation<End, Never>

        init(
            _ channel: any Channel, _ wish: EventWish, after position: Position,
            _ continuation: CheckedContinuation<End, Never>
        ) {
            self.channel = channel
            self.wish = wish
            self.continuation = continuation
            place = Mutex((position, .zero))
        }

        fileprivate func end(_ wake: EventRing.Wake) {
            let (seen, told) = place.withLock { $0 }
            continuation.resume(returning: End(wake: wake, seen: seen, told: told))
        }
    }

    private let loop: any EventLoop
    private let members = Mutex<[ObjectIdentifier: Member]>([:])

    init(_ loop: any EventLoop) { self.loop = loop }

    func join(_ member: Member, _ listener: EventRing.Listener, of ring: EventRing) {
        loop.execute {
            if ring.isOver(listener) { return member.end(.over) }
            self.members.withLock { $0[ObjectIdentifier(listener)] = member }
            // What has come since they looked.
            self.write(to: [ObjectIdentifier(listener): member], from: ring)
        }
    }

    func leave(_ listener: EventRing.Listener) {
        loop.execute {
            self.members.withLock { $0.removeValue(forKey: ObjectIdentifier(listener)) }?.end(.over)
        }
    }

    /// Lets go of all.
    func wake(_ wake: EventRing.Wake) {
        loop.execute {
            let all = self.members.withLock { members in
                defer { members = [:] }
                return members
            }
            for member in all.values { member.end(wake) }
        }
    }

    /// Writes what is new to all.
    func spread(_ ring: EventRing) {
        loop.execute { self.write(to: self.members.withLock { $0 }, from: ring) }
    }

    private func write(to members: [ObjectIdentifier: Member], from ring: EventRing) {
        // Most are at the same place and want the same.
        var last: (seen: Position, wish: EventWish, batch: EventRing.Batch?)?
        for (id, member) in members {
            let seen = member.place.withLock { $0.seen }
            if last?.seen != seen || last?.wish != member.wish {
                last = (seen, member.wish, ring.batch(after: seen, member.wish))
            }
            guard let batch = last?.batch else {
                release(id, .news)
                continue
            }
            guard batch.through > seen else { continue }
            if batch.count > 0 {
                let part = HTTPResponsePart.body(batch.frames)
                member.channel.pipeline.syncOperations.writeAndFlush(NIOAny(part), promise: nil)
            }
            member.place.withLock { place in
                place.seen = batch.through
                if batch.count > 0 { place.told = batch.through }
            }
            if !member.channel.isWritable {
                release(id, .full)
            } else if batch.isCut {
                release(id, .news)
            }
        }
    }

    private func release(_ id: ObjectIdentifier, _ wake: EventRing.Wake) {
        members.withLock { $0.removeValue(forKey: id) }?.end(wake)
    }
}
