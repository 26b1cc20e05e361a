import Core
import Engine
import HTTPTypes
import Hummingbird

/// The events themselves: pages, lines, CloudEvents, and live (docs/service.md, Events).
extension Routes {
    private static let wishes: [Endpoint.Parameter] = [
        .init(name: "stream", form: .text, summary: "Of this stream, such as examroom/exam/EX-1."),
        .init(
            name: "type", form: .text,
            summary: "Of this type, or of all that begin so: examroom.exam.*"),
        .init(name: "tag", form: .text, summary: "With this tag, such as student:S-1."),
        .init(name: "by", form: .text, summary: "By this actor, such as admin:A-1."),
    ]

    var events: [Endpoint] {
        [
            Endpoint(
                method: .get, path: "/events",
                summary: "Events, in order: a page, all as lines, or live.",
                right: .read,
                query: Self.wishes + [
                    .init(
                        name: "from", form: .moment,
                        summary:
                            "The first that is wanted; live, with a position: this and all behind."),
                    .init(name: "to", form: .moment, summary: "The last that is wanted."),
                    .init(name: "reverse", form: .flag, summary: "The newest first."),
                    .init(
                        name: "limit", form: .number(0...1_000),
                        summary: "At most this many, of a page."),
                    .init(
                        name: "after", form: .position,
                        summary: "Behind this position alone: where a page ended."),
                    .init(
                        name: "before", form: .position,
                        summary: "Before this position alone: where a page of the newest ended."),
                ],
                answers: [200, 400, 403, 503],
                media: [
                    "application/json", "application/x-ndjson",
                    "application/cloudevents-batch+json",
                    "text/event-stream",
                ], run: list),
            Endpoint(
                method: .get, path: "/events/{position}", summary: "One event, whole.",
                right: .read,
                query: [
                    .init(
                        name: "proof", form: .flag,
                        summary: "With the way to the root of the tree over all events.")
                ],
                answers: [200, 304, 400, 403, 404, 503], run: one),
            Endpoint(
                method: .get, path: "/streams/{stream+}",
                summary: "The events of one thing, by revision.",
                right: .read,
                query: [
                    .init(
                        name: "limit", form: .number(1...1_000),
                        summary: "At most this many, the first ones; 100 if it is left out.")
                ],
                answers: [200, 304, 400, 403, 404, 503], run: stream),
        ]
    }

    private func wish(_ call: Call) -> EventWish {
        EventWish(
            stream: call.query["stream"], type: call.query["type"], tag: call.query["tag"],
            by: call.query["by"],
            products: call.identity.products)
    }

    /// What is wanted between two moments, behind or before where a page ended.
    private func span(_ call: Call) throws -> (EventWish, EventFilter) {
        var wish = wish(call)
        var filter = wish.filter
        filter.from = try call.query.moment("from")
        filter.to = try call.query.moment("to")
        filter.isReversed = try call.query.flag("reverse")
        filter.viewer = call.identity.viewer
        // The filter goes by one of the two at each end, and what happened later may stand before what happened earlier.
        if let after = try call.query.position("after") {
            var first = Position(min(after.number, UInt64(Int64.max) - 1) + 1)
            if case .position(let from)? = filter.from { first = max(first, from) }
            if case .instant(let since)? = filter.from { wish.since = since }
            filter.from = .position(first)
        }
        if let before = try call.query.position("before") {
            var last = Position(max(before.number, 1) - 1)
            if case .position(let to)? = filter.to { last = min(last, to) }
            if case .instant(let until)? = filter.to { wish.until = until }
            filter.to = .position(last)
        }
        return (wish, filter)
    }

    @Sendable private func list(_ call: Call) async throws -> Response {
        try call.query.checkNames(
            Self.wishes.map(\.name) + ["from", "to", "reverse", "limit", "after", "before"])
        if call.accepts("text/event-stream") { return try live(call, wish(call)) }
        let (wish, filter) = try span(call)
        if call.accepts("application/x-ndjson") { return try lines(call, wish, filter) }
        let limit = try call.query.number("limit", in: 0...1_000, default: 100)
        let engine = try call.journal.engine(for: call.identity)
        let head = try engine.head()
        var page: [Event] = []
        var hasMore = false
        if limit > 0 {
            page = try await scan(call, filter, wish, limit: limit)
            hasMore = page.count > limit
            if hasMore { page.removeLast() }
        }
        if call.accepts("application/cloudevents-batch+json") {
            let source = "\(call.journal.prefix)/events"
            let batch = try page.map { try CloudEvent.json(of: $0, source: source) }
            var response = Response(json: JSON.array(batch).canonical, position: head)
            response.headers[.contentType] = "application/cloudevents-batch+json"
            if hasMore {
                response.headers[.nextPage] = Self.next(call, behind: page.last, filter.isReversed)
            }
            return response
        }
        let body = Self.list(page, then: "\"position\":\(head)")
        var response = Response(json: body, position: head)
        if hasMore {
            response.headers[.nextPage] = Self.next(call, behind: page.last, filter.isReversed)
        }
        return response
    }

    /// An object of the events and further members, whose names come behind.
    private static func list(_ events: [Event], then members: String) -> [UInt8] {
        var bytes = Array("{\"events\":[".utf8)
        for (index, event) in events.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += event.document.bytes
        }
        return bytes + Array("],\(members)}".utf8)
    }

    /// `Link: <…>; rel="next"` (RFC 8288): by position, so that what is appended meanwhile moves nothing.
    private static func next(_ call: Call, behind last: Event?, _ isReversed: Bool) -> String? {
        guard let last else { return nil }
        var values = call.query.values
        values[isReversed ? "before" : "after"] = "\(last.position)"
        return link(to: call.request.uri.path, values)
    }

    private static func link(to path: String, _ values: [String: String]) -> String {
        let query = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.percentEncoded)" }
        return "<\(path)?\(query.joined(separator: "&"))>; rel=\"next\""
    }

    /// Lines are written by so much, or one of them.
    private static let linesBytes = 64 << 10

    /// All of them, a line each, as they are read.
    private func lines(_ call: Call, _ wish: EventWish, _ filter: EventFilter) throws -> Response {
        // Counted here, not by the engine: it counts events, too, that are not for who asks.
        let most = try call.query.number("limit", in: 0...Int.max, default: .max)
        var filter = filter
        if most == 0 { filter.limit = 0 }
        let engine = try call.journal.engine(for: call.identity)
        let sequence = try engine.events(filter, sliceBytes: Self.linesBytes)
        var headers = HTTPFields()
        headers[.contentType] = "application/x-ndjson"
        headers[.cacheControl] = "no-store"
        headers[.position] = "\(try engine.head())"
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                var buffer = ByteBuffer()
                var left = most
                for try await event in sequence where wish.admits(event) {
                    let line = event.document.bytes
                    let length = buffer.readableBytes + line.count + 1
                    if buffer.readableBytes > 0, length > Self.linesBytes {
                        try call.grant.check()
                        try await writer.write(buffer)
                        buffer = ByteBuffer()
                    }
                    buffer.writeBytes(line)
                    buffer.writeInteger(UInt8(ascii: "\n"))
                    left -= 1
                    if left == 0 { break }
                }
                if buffer.readableBytes > 0 { try await writer.write(buffer) }
                try await writer.finish(nil)
            })
    }

    @Sendable private func one(_ call: Call) async throws -> Response {
        try call.query.checkNames(["proof"])
        let what = "the event \(call.part("position"))"
        guard case .position(let position)? = Moment(call.part("position")), position > .zero else {
            throw Problem.badRequest("\(what): a position is a whole number from 1")
        }
        let engine = try call.journal.engine(for: call.identity)
        let viewer = call.identity.viewer
        let withProof = try call.query.flag("proof")
        let wish = wish(call)
        @Sendable func make(on thread: BlockingWork, within deadline: Duration) async throws
            -> Answer
        {
            let event = try await thread.run(within: deadline) {
                try engine.event(at: position, withProof: withProof, as: viewer)
            }
            guard let event, wish.admits(try event.event) else { throw Problem.notFound(what) }
            return Answer(event.bytes, at: position)
        }
        // Events that the tree lacks are hashed for a proof.
        let answer =
            withProof
            ? try await promptly(call) { _ in
                try await make(on: call.journal.proving, within: Self.longDeadline)
            } : try await make(on: call.journal.looks, within: pastDeadline)
        let tag = answer.tag
        if tag.isNamed(by: call.request.headers[.ifNoneMatch]) {
            return Self.notModified(tag, position)
        }
        var response = answer.response
        response.headers[.position] = "\(position)"
        response.headers[.eTag] = tag.text
        return response
    }

    @Sendable private func stream(_ call: Call) async throws -> Response {
        try call.query.checkNames(["limit"])
        let limit = try call.query.number("limit", in: 1...1_000, default: 100)
        var filter = EventFilter()
        filter.stream = call.part("stream")
        filter.viewer = call.identity.viewer
        let wish = EventWish(products: call.identity.products)
        var found = try await scan(call, filter, wish, limit: limit)
        let hasMore = found.count > limit
        if hasMore { found.removeLast() }
        guard let last = found.last else {
            throw Problem.notFound("the stream \(call.part("stream"))")
        }
        let name = JSON.string(call.part("stream")).description
        let body = Self.list(found, then: "\"revision\":\(last.revision),\"stream\":\(name)")
        // A page that was full says with its tag, too, that there is more by now.
        let tag = EntityTag(of: hasMore ? body + [UInt8(ascii: "+")] : body)
        let isKnown = tag.isNamed(by: call.request.headers[.ifNoneMatch])
        var response =
            isKnown
            ? Self.notModified(tag, last.position) : Response(json: body, position: last.position)
        response.headers[.eTag] = tag.text
        if hasMore {
            // Pages of a stream go on as those of all events, which go by position.
            let prefix = call.journal.prefix
            var values = call.query.values
            values["stream"] = call.part("stream")
            values["from"] = "\(last.position.number + 1)"
            response.headers[.nextPage] = Self.link(to: prefix + "/events", values)
        }
        return response
    }

    // MARK: Live

    /// All events behind a position, then those to come: gapless and in order.
    private func live(_ call: Call, _ wish: EventWish) throws -> Response {
        for name in ["to", "reverse", "limit", "after", "before"] where call.query[name] != nil {
            throw Problem.badRequest(
                "a live stream goes on from \"from\", without end or other order: leave out \"\(name)\""
            )
        }
        let engine = try call.journal.engine(for: call.identity)
        let head = try engine.head()
        let start = try Self.start(call, head)
        // What a viewer sees hangs on the present: each of their events is looked at for them.
        let viewer = call.identity.viewer
        let ring = viewer == nil && !call.identity.isKeptFromPersonal ? call.journal.live : nil
        let waking = call.journal.live
        return Self.eventStream(of: call, waking) { stream, listener in
            var filter = wish.filter
            filter.viewer = viewer
            var pages = JournalBatches(engine, filter, wish)
            var seen = start
            var told = start
            while !call.grant.isOver {
                let batch: EventRing.Batch
                if let newest = ring?.batch(after: seen, wish) {
                    pages.drop()
                    batch = newest
                } else {
                    batch = try await pages.next(after: seen)
                }
                if batch.count > 0 {
                    try await stream.write(batch.frames)
                    told = batch.through
                }
                seen = batch.through
                if batch.isCut { continue }
                var wake = EventRing.Wake.over
                if let ring {
                    let end = await ring.push(to: call.channel, listener, after: seen, wish)
                    (wake, seen, told) = (end.wake, end.seen, max(told, end.told))
                } else {
                    wake = await waking.wait(after: seen, listener)
                }
                switch wake {
                case .news: continue
                case .over: return
                // This waits until the connection takes something again.
                case .full: try await stream.beat()
                case .tick:
                    // A cursor moves on, too, where nothing is wanted.
                    if seen > told {
                        try await stream.send(
                            "position", id: seen, Array("{\"position\":\(seen)}".utf8))
                        told = seen
                    } else {
                        try await stream.beat()
                    }
                }
            }
        }
    }

    /// Behind which position a live stream begins.
    private static func start(_ call: Call, _ head: Position) throws -> Position {
        var start = head
        if let last = call.request.headers[.lastEventID], !last.isEmpty {
            guard case .position(let position)? = Moment(last) else {
                throw Problem.badRequest(
                    "Last-Event-ID is the position of the last event that came: \(last)")
            }
            start = position
        } else if let from = try call.query.position("from") {
            start = Position(max(from.number, 1) - 1)
        }
        guard start <= head else {
            throw Problem.badRequest(
                "position \(start) is behind the end of the journal, \(head): this is another journal than the one it came from"
            )
        }
        return start
    }
}

extension Document {
    /// The event that it is.
    fileprivate var event: Event {
        get throws {
            guard let event = Event(self) else {
                throw EngineError(.inputOutput, "an event cannot be read")
            }
            return event
        }
    }
}

extension String {
    /// For a value in a query (RFC 3986, 2.3).
    var percentEncoded: String {
        var text = ""
        for byte in utf8 {
            let isUnreserved =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "-._~/:".utf8.contains(byte)
            text +=
                isUnreserved
                ? String(UnicodeScalar(byte))
                : "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
        }
        return text
    }
}
