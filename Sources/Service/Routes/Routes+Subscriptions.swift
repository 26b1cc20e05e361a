import Core
import Engine
import HTTPTypes
import Hummingbird

/// Subscriptions whose checkpoints the service keeps (docs/service/subscriptions.md).
extension Routes {
    static let one = "/subscriptions/{name}"
    private static let partition = "/subscriptions/{name}/partitions/{partition}"

    var subscriptions: [Endpoint] {
        [
            Endpoint(
                method: .get, path: "/subscriptions", summary: "All subscriptions of the journal.",
                right: .consume, answers: [200], run: listSubscriptions),
            Endpoint(
                method: .put, path: Self.one, summary: "Makes a subscription, or says it again.",
                right: .operate, body: ["application/json"],
                answers: [200, 201, 400, 409, 413, 503], run: putSubscription),
            Endpoint(
                method: .get, path: Self.one,
                summary: "A subscription, its checkpoints and its leases.",
                right: .consume, answers: [200, 404], run: showSubscription),
            Endpoint(
                method: .delete, path: Self.one,
                summary: "Takes a subscription away, and its checkpoints with it.",
                right: .operate, answers: [204, 404, 503], run: deleteSubscription),
            Endpoint(
                method: .post, path: Self.one + "/leases",
                summary: "A lease for a consumer: the partitions that fall to them.",
                right: .consume, body: ["application/json"],
                answers: [201, 400, 404, 409, 413, 503], run: takeLease),
            Endpoint(
                method: .put, path: Self.one + "/leases/{lease}",
                summary: "The lease for a while longer, with the partitions that it has now.",
                right: .consume, answers: [200, 400, 404, 409, 503], run: renewLease),
            Endpoint(
                method: .delete, path: Self.one + "/leases/{lease}", summary: "Gives a lease back.",
                right: .consume, answers: [204, 400, 404, 409, 503], run: giveLeaseBack),
            Endpoint(
                method: .get, path: Self.partition + "/events",
                summary: "The events that come next in a partition, in order.",
                right: .consume,
                query: [
                    .init(name: "max", form: .number(1...1_000), summary: "At most this many.")
                ],
                answers: [200, 204, 400, 404, 409, 503],
                media: ["application/json", "text/event-stream"], run: nextEvents),
            Endpoint(
                method: .put, path: Self.partition + "/checkpoint",
                summary: "All events of a partition up to a position are done.",
                right: .consume, body: ["application/json"],
                answers: [204, 400, 404, 409, 412, 413, 503], run: moveCheckpoint),
            Endpoint(
                method: .post, path: Self.partition + "/parked",
                summary: "Sets an event aside, and all behind it of its stream.",
                right: .consume, body: ["application/json"],
                answers: [200, 201, 400, 404, 409, 412, 413, 422, 503], run: park),
            Endpoint(
                method: .get, path: Self.partition + "/parked",
                summary: "The events that were set aside.",
                right: .consume, answers: [200, 400, 404], run: listParked),
            Endpoint(
                method: .post, path: Self.partition + "/parked/{position}/retry",
                summary: "Offers a parked event again, then those behind it of its stream.",
                right: .operate, answers: [202, 400, 404, 503], run: retryParked),
            Endpoint(
                method: .delete, path: Self.partition + "/parked/{position}",
                summary: "Passes over a parked event; those behind it of its stream are offered.",
                right: .operate, answers: [204, 400, 404, 503], run: dropParked),
        ]
    }

    // MARK: What a request says

    static func body(_ call: Call, _ what: String) async throws -> BodyObject {
        let bytes = try await call.request.wholeBody(atMost: 64 << 10, what)
        guard let json = try? JSON(parsing: bytes) else {
            throw Problem.badRequest("\(what) is a JSON object")
        }
        return try BodyObject(json, what)
    }

    /// The name of a subscription that the identity may have to do with.
    static func name(_ call: Call) throws -> String {
        try call.query.checkNames(["max"])
        let name = call.part("name")
        guard call.identity.roles.contains(.operator) || call.identity.isConsumer(of: name) else {
            throw Problem.notFound("the subscription \(name)")
        }
        return name
    }

    /// A subscription that the identity has to do with: what is about other products is not here
    /// for who consumes.
    static func known(_ call: Call) throws -> (String, Subscription) {
        let name = try name(call)
        let subscription = try call.journal.subscriptions.subscription(name)
        guard call.identity.knows(name, subscription) else {
            throw Problem.notFound("the subscription \(name)")
        }
        return (name, subscription)
    }

    /// The same for who works it off: an operator sees no events.
    static func consumed(_ call: Call) throws -> (String, Subscription) {
        let (name, subscription) = try known(call)
        guard call.identity.roles.contains(.consumer), call.identity.isConsumer(of: name) else {
            throw Problem.forbidden("events are for consumers of \(name)")
        }
        guard subscription.definition.isWithin(call.identity.products) else {
            throw Problem.forbidden("\(name) has events that are not for \(call.identity.name)")
        }
        return (name, subscription)
    }

    static func partition(_ call: Call, of subscription: Subscription) throws -> Int {
        guard let number = Int(call.part("partition")), number >= 0,
            number < subscription.partitions.count
        else {
            throw Problem.notFound("the partition \(call.part("partition"))")
        }
        return number
    }

    static func number(_ text: String?, _ what: String) throws -> UInt64 {
        guard let number = text.flatMap({ UInt64($0) }), number > 0, number <= Int64.max else {
            throw Problem.badRequest("\(what) is a whole number from 1")
        }
        return number
    }

    private static func lease(_ call: Call, _ body: inout BodyObject) throws -> UInt64 {
        if let number = try body.number("lease", in: 1...Int(Int64.max)) { return UInt64(number) }
        return try number(call.request.headers[.lease], "\"lease\"")
    }

    static func json(_ json: JSON, _ status: HTTPResponse.Status = .ok) -> Response {
        var response = Response(json: json.canonical)
        response.status = status
        response.headers[.cacheControl] = "no-store"
        return response
    }

    // MARK: Subscriptions

    private static func description(_ name: String, _ subscription: Subscription) -> JSON {
        guard case .object(let definition) = subscription.definition.json else { return .null }
        let now = ContinuousClock.now
        let checkpoints = subscription.partitions.map { JSON.integer(Int64($0.checkpoint)) }
        let leases = subscription.leases.filter { $0.deadline > now }.map(leaseJSON)
        let parked = subscription.partitions.reduce(0) { count, partition in
            count + partition.lanes.values.count { $0.status == .parked }
        }
        return .object(
            of: definition.map { ($0.name, $0.value) } + [
                ("name", .string(name)), ("checkpoints", .array(checkpoints)),
                ("leases", .array(leases)), ("parked", .integer(Int64(parked))),
                ("webhook", .bool(subscription.webhook != nil)),
            ])
    }

    @Sendable private func listSubscriptions(_ call: Call) async throws -> Response {
        try call.query.checkNames([])
        let all = try call.journal.subscriptions.store.now.subscriptions
        let mine = all.filter { call.identity.knows($0.key, $0.value) }
        let list = mine.sorted { $0.key < $1.key }.map { Self.description($0.key, $0.value) }
        return Self.json(.object(of: [("subscriptions", .array(list))]))
    }

    @Sendable private func showSubscription(_ call: Call) async throws -> Response {
        let (name, subscription) = try Self.known(call)
        return Self.json(Self.description(name, subscription))
    }

    @Sendable private func putSubscription(_ call: Call) async throws -> Response {
        let name = try Self.name(call)
        // "." and ".." a client takes out of a path before it asks (RFC 3986, 5.2.4).
        guard name.utf8.count <= 64, !name.isEmpty, name != ".", name != "..",
            name.utf8.allSatisfy({ byte in
                (48...57).contains(byte) || (97...122).contains(byte) || (65...90).contains(byte)
                    || "-_.".utf8.contains(byte)
            })
        else {
            throw Problem.badRequest(
                "a subscription's name has 1 to 64 letters, digits, \"-\", \"_\" and \".\", and is not \".\" or \"..\""
            )
        }
        let definition = try SubscriptionDefinition(
            body: try await Self.body(call, "a subscription"))
        let isNew = try await call.journal.subscriptions.store.change { state in
            guard var former = state[name] else {
                state.set(name, Subscription(definition))
                return true
            }
            if former.definition == definition { return false }
            if former.definition.agrees(with: definition) {
                former.definition = definition
                state.set(name, former)
                return false
            }
            guard former.webhook == nil else {
                throw Problem(
                    .conflict, "delivered", "\(name) has a webhook: take that away first")
            }
            guard former.isUntouched else {
                throw Problem(
                    .conflict, "subscription-differs",
                    "\(name) is there, says something else, and has checkpoints: delete it first, or take another name"
                )
            }
            state.set(name, Subscription(definition))
            return false
        }
        return Self.json(
            Self.description(name, try call.journal.subscriptions.subscription(name)),
            isNew ? .created : .ok)
    }

    @Sendable private func deleteSubscription(_ call: Call) async throws -> Response {
        let name = try Self.name(call)
        try await call.journal.subscriptions.store.change { state in
            guard state[name] != nil else { throw Problem.notFound("the subscription \(name)") }
            state.set(name, nil)
        }
        try call.journal.deliveries.update()
        return Response(status: .noContent)
    }

    // MARK: Leases

    private static func leaseJSON(_ lease: Lease) -> JSON {
        let left = ContinuousClock.now.duration(to: lease.deadline).components
        let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
        let end = Instant(milliseconds: Instant.now.milliseconds + milliseconds)
        return .object(of: [
            ("lease", .integer(Int64(lease.number))), ("consumer", .string(lease.consumer)),
            ("partitions", .array(lease.partitions.map { .integer(Int64($0)) })),
            ("expiresAt", .string("\(end)")),
        ])
    }

    @Sendable private func takeLease(_ call: Call) async throws -> Response {
        let (name, _) = try Self.consumed(call)
        var body = try await Self.body(call, "a lease")
        guard let consumer = try body.text("consumer", atMost: 128) else {
            throw Problem.badRequest("\"consumer\" is missing: a text of 1 to 128 bytes")
        }
        try body.end()
        let lease = try await call.journal.subscriptions.lease(name, to: consumer)
        return Self.json(Self.leaseJSON(lease), .created)
    }

    @Sendable private func renewLease(_ call: Call) async throws -> Response {
        let (name, _) = try Self.consumed(call)
        let number = try Self.number(call.part("lease"), "a lease")
        return Self.json(
            Self.leaseJSON(try await call.journal.subscriptions.renew(name, number)))
    }

    @Sendable private func giveLeaseBack(_ call: Call) async throws -> Response {
        let (name, _) = try Self.consumed(call)
        try await call.journal.subscriptions.giveBack(
            name, try Self.number(call.part("lease"), "a lease"))
        return Response(status: .noContent)
    }

    @Sendable private func moveCheckpoint(_ call: Call) async throws -> Response {
        let (name, subscription) = try Self.consumed(call)
        let partition = try Self.partition(call, of: subscription)
        var body = try await Self.body(call, "a checkpoint")
        let position = try body.position("position")
        let lease = try Self.lease(call, &body)
        try body.end()
        try await call.journal.subscriptions.move(
            name, partition, to: position, by: .lease(lease))
        return Response(status: .noContent)
    }

    // MARK: Parked

    @Sendable private func park(_ call: Call) async throws -> Response {
        let (name, subscription) = try Self.consumed(call)
        let partition = try Self.partition(call, of: subscription)
        var body = try await Self.body(call, "a parked event")
        let position = try body.position("position")
        let reason = try body.text("reason") ?? ""
        let lease = try Self.lease(call, &body)
        try body.end()
        let isNew = try await call.journal.subscriptions.park(
            name, partition, position, reason, by: .lease(lease))
        return Self.json(
            .object(of: [("position", .integer(Int64(position)))]), isNew ? .created : .ok)
    }

    @Sendable private func listParked(_ call: Call) async throws -> Response {
        let (_, subscription) = try Self.known(call)
        let state = try subscription.state(of: try Self.partition(call, of: subscription))
        let lanes = state.lanes.values.filter { $0.status != .done }.sorted { $0.next < $1.next }
        let parked = lanes.map { lane in
            JSON.object(of: [
                ("position", .integer(Int64(lane.next))), ("stream", .string(lane.stream)),
                ("reason", .string(lane.reason)), ("times", .integer(Int64(lane.times))),
                ("status", .string(lane.status.rawValue)),
            ])
        }
        return Self.json(.object(of: [("parked", .array(parked))]))
    }

    @Sendable private func retryParked(_ call: Call) async throws -> Response {
        let name = try Self.name(call)
        let subscription = try call.journal.subscriptions.subscription(name)
        try await call.journal.subscriptions.retry(
            name, try Self.partition(call, of: subscription),
            try Self.number(call.part("position"), "a position"))
        return Self.json(.object(of: [("status", .string("retrying"))]), .accepted)
    }

    @Sendable private func dropParked(_ call: Call) async throws -> Response {
        let name = try Self.name(call)
        let subscription = try call.journal.subscriptions.subscription(name)
        try await call.journal.subscriptions.drop(
            name, try Self.partition(call, of: subscription),
            try Self.number(call.part("position"), "a position"))
        return Response(status: .noContent)
    }
}

extension Identity {
    /// Whether they may work off the subscription, as its name goes.
    fileprivate func isConsumer(of name: String) -> Bool {
        subscriptions.map { $0.contains(name) } ?? true
    }

    /// Whether a subscription is shown to them: all to operators, who see no event; else those that
    /// they may work off.
    fileprivate func knows(_ name: String, _ subscription: Subscription) -> Bool {
        roles.contains(.operator)
            || (isConsumer(of: name) && subscription.definition.isWithin(products))
    }
}
