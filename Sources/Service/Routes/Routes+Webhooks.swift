import Core
import HTTPTypes
import Hummingbird

/// Subscriptions whose events are posted to somebody (docs/service/webhooks.md).
extension Routes {
    private static let webhook = one + "/webhook"

    var webhooks: [Endpoint] {
        [
            Endpoint(
                method: .put, path: Self.webhook,
                summary: "Posts the events of a subscription to a URL, signed.",
                right: .operate, body: ["application/json"],
                answers: [200, 201, 400, 403, 404, 413, 503], run: putWebhook),
            Endpoint(
                method: .get, path: Self.webhook,
                summary: "Where events are posted to, and which of them are not taken.",
                right: .operate, answers: [200, 404, 503], run: showWebhook),
            Endpoint(
                method: .delete, path: Self.webhook,
                summary: "Posts no more; consumers may take leases again.",
                right: .operate, answers: [204, 404, 503], run: deleteWebhook),
        ]
    }

    @Sendable private func putWebhook(_ call: Call) async throws -> Response {
        let name = try Self.name(call)
        let webhook = try Webhook(body: try await Self.body(call, "a webhook"))
        try journals.sender.check(webhook.url)
        let isNew = try await call.journal.subscriptions.store.change { state in
            let isNew = state[name]?.webhook == nil
            try state.set(name, webhook: webhook)
            return isNew
        }
        try call.journal.deliveries.update()
        return try Self.description(of: name, call, isNew ? .created : .ok)
    }

    @Sendable private func showWebhook(_ call: Call) async throws -> Response {
        try Self.description(of: try Self.name(call), call)
    }

    @Sendable private func deleteWebhook(_ call: Call) async throws -> Response {
        let name = try Self.name(call)
        try await call.journal.subscriptions.store.change { state in
            guard state[name]?.webhook != nil else { throw Problem.noWebhook(name) }
            try state.set(name, webhook: nil)
        }
        try call.journal.deliveries.update()
        return Response(status: .noContent)
    }

    private static func description(
        of name: String, _ call: Call, _ status: HTTPResponse.Status = .ok
    ) throws -> Response {
        guard let webhook = try call.journal.subscriptions.subscription(name).webhook,
            case .object(let members) = webhook.json
        else { throw Problem.noWebhook(name) }
        let waiting = try call.journal.deliveries.troubles(of: name).map { partition, trouble in
            JSON.object(of: [
                ("attempts", .integer(Int64(trouble.attempts))),
                ("next", .string("\(trouble.next)")), ("partition", .integer(Int64(partition))),
                ("position", .integer(Int64(trouble.position))),
                ("reason", .string(trouble.reason)),
            ])
        }
        return json(
            .object(of: members.map { ($0.name, $0.value) } + [("waiting", .array(waiting))]),
            status)
    }
}

extension Problem {
    fileprivate static func noWebhook(_ name: String) -> Problem {
        notFound("the webhook of \(name)")
    }
}
