import Core
import Engine
import HTTPTypes
import Hummingbird
import NIOCore

/// The next events of a partition: a page at a time, or live.
extension Routes {
    /// How often is looked whether who waits still may.
    private static let look = Duration.seconds(1)

    @Sendable func nextEvents(_ call: Call) async throws -> Response {
        let (name, subscription) = try Self.consumed(call)
        let partition = try Self.partition(call, of: subscription)
        let most = try call.query.number("max", in: 1...1_000, default: 100)
        let holder = Subscriptions.Holder.lease(
            try Self.number(call.request.headers[.lease], "Sijill-Lease"))
        let kept = try call.journal.subscriptions
        let engine = try call.journal.engine(for: call.identity.asConsumer)
        if call.accepts("text/event-stream") {
            return try await follow(call, kept, name, partition, atMost: most, holder, from: engine)
        }
        // Nobody waits so long that the lease is over.
        let longest = subscription.leaseTime * 2 / 3
        let end = ContinuousClock.now + min(Prefer.wait(call.request) ?? .zero, longest)
        while true {
            try call.grant.check()
            try await kept.check(name, partition, holder)
            let head = try call.journal.engine.head()
            let offer = try await call.journal.reads.admit {
                try await kept.next(name, partition, atMost: most, from: engine)
            }
            if !offer.events.isEmpty {
                return Self.response(to: offer, head)
            }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero, !drain.isDraining else {
                var response = Response(status: .noContent)
                response.headers[.position] = "\(head)"
                return response
            }
            if offer.isAtHead {
                await kept.wait(name, partition, behind: offer, within: min(left, Self.look))
            }
        }
    }

    /// The same, live: events as they come to be among the next `most`. The following ones come when these are done.
    private func follow(
        _ call: Call, _ kept: Subscriptions, _ name: String, _ partition: Int, atMost most: Int,
        _ holder: Subscriptions.Holder, from engine: EventEngine
    ) async throws -> Response {
        // What is wrong is said before the stream begins.
        try await kept.check(name, partition, holder)
        return Self.eventStream(of: call, call.journal.ring) { stream, listener in
            var sent: Set<Position> = []
            var written = ContinuousClock.now
            while !call.grant.isOver, !listener.isOver {
                do {
                    try kept.checkHeld(name, partition, holder)
                } catch let problem as Problem {
                    // A stream does not renew the lease: who hangs must lose it.
                    let body = JSON.object(of: [("code", .string(problem.code))]).canonical
                    try await stream.send("lost", id: try engine.head(), body)
                    return
                }
                let offer = try await call.journal.reads.admit {
                    try await kept.next(name, partition, atMost: most, from: engine)
                }
                var frames = ByteBuffer()
                for event in offer.events where !sent.contains(event.position) {
                    EventStream.append(
                        offer.isRetry ? "retry" : "event", id: event.position,
                        event.document.bytes, to: &frames)
                }
                sent = Set(offer.events.map(\.position))
                if frames.readableBytes > 0 {
                    try await stream.write(frames)
                    written = .now
                }
                if offer.events.isEmpty, !offer.isAtHead { continue }
                var next = offer
                // A full window waits for what is done of it.
                if offer.isRetry || offer.events.count == most { next.through = .max }
                for _ in 0..<5 {
                    let before = ContinuousClock.now
                    await kept.wait(
                        name, partition, behind: next, within: Self.look, orWholly: true)
                    if kept.bell.isOver { return }
                    // Something happened, or they may not any more.
                    let isWoken = before.duration(to: .now) < Self.look
                    if isWoken || call.grant.isOver || listener.isOver { break }
                }
                if written.duration(to: .now) >= .seconds(5) {
                    try await stream.beat()
                    written = .now
                }
            }
        }
    }

    private static func response(to offer: Offer, _ head: Position) -> Response {
        var bytes = Array("{\"checkpoint\":\(offer.checkpoint),\"events\":[".utf8)
        for (index, event) in offer.events.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += event.document.bytes
        }
        var response = Response(
            json: bytes + Array("],\"retry\":\(offer.isRetry)}".utf8), position: head)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
