import AsyncHTTPClient
import Core
import Engine
import Metrics
import NIOCore
import NIOHTTP1
import NIOSSL

/// Posts an event and tells what came of it.
final class WebhookSender: Sendable {
    enum Outcome: Sendable {
        case taken
        /// The receiver wants nothing any more (Standard Webhooks: 410).
        case gone
        /// It has the event and will not take it.
        case refused(String)
        /// Nobody is there, or not now; perhaps after a while.
        case unavailable(String, after: Duration?)

        fileprivate var label: String {
            switch self {
            case .taken: "delivered"
            case .gone: "gone"
            case .refused: "refused"
            case .unavailable: "unavailable"
            }
        }
    }

    private static let longestDelay = 3_600

    private let allowed: WebhookAllowList
    private let client: OutgoingClient

    init(_ configuration: ServiceConfiguration) throws(ConfigurationError) {
        allowed = try configuration.webhookAllowList()
        var settings = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        // As many partitions as a subscription has may post at the same time.
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        if let authority = configuration.webhookAuthority {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authority)
            settings.tlsConfiguration = tls
        }
        client = OutgoingClient(settings)
    }

    func check(_ url: String) throws {
        if allowed.isEmpty {
            throw Problem.forbidden(
                "this service posts to nobody: its setting webhooks.allow says whom it may post to")
        }
        guard allowed.admits(url) else {
            throw Problem.forbidden("the setting webhooks.allow does not admit this \"url\"")
        }
    }

    func send(
        _ event: Event, id: String, source: String, to webhook: Webhook,
        _ labels: [(String, String)]
    ) async -> Outcome {
        let outcome = await post(event, id, source, webhook)
        Counter(
            label: "sijill_webhook_deliveries", dimensions: labels + [("outcome", outcome.label)]
        ).increment()
        return outcome
    }

    private func post(
        _ event: Event, _ id: String, _ source: String, _ webhook: Webhook
    ) async -> Outcome {
        guard allowed.admits(webhook.url) else {
            return .unavailable("the setting webhooks.allow does not admit it any more", after: nil)
        }
        do {
            let body = try CloudEvent.json(of: event, source: source).canonical
            let timestamp = "\(Instant.now.milliseconds / 1_000)"
            let signatures = webhook.secrets.map { $0.signature(of: id, timestamp, body) }
            var request = HTTPClientRequest(url: webhook.url)
            request.method = .POST
            request.headers = [
                "Content-Type": "application/cloudevents+json", "User-Agent": "sijilld",
                "webhook-id": id, "webhook-timestamp": timestamp,
                "webhook-signature": signatures.joined(separator: " "),
            ]
            request.body = .bytes(ByteBuffer(bytes: body))
            let response = try await client.open().execute(
                request, timeout: .seconds(Int64(webhook.timeoutSeconds)))
            await Self.pass(over: response.body)
            return Self.outcome(response)
        } catch {
            return .unavailable(Self.reason(error), after: nil)
        }
    }

    /// What it says does not count; where it says little, and soon, the connection can be used again.
    private static func pass(over body: HTTPClientResponse.Body) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await body.collect(upTo: 64 << 10) }
            group.addTask { try? await Task.sleep(for: .seconds(1)) }
            await group.next()
            group.cancelAll()
        }
    }

    private static func outcome(_ response: HTTPClientResponse) -> Outcome {
        let reason = "it answered \(response.status.code)"
        switch response.status.code {
        case 200..<300: return .taken
        case 410: return .gone
        // Who asks to wait, who stands between, and who does not know us yet: the event has nothing to do with it.
        case 401, 403, 408, 429, 502, 503, 504:
            let seconds = response.headers.first(name: "Retry-After").flatMap { Int($0) }
            // Nobody who is overrun wants the next one at once.
            let delay = seconds.flatMap { $0 > 0 ? Duration.seconds(min($0, longestDelay)) : nil }
            return .unavailable(reason, after: delay)
        default: return .refused(reason)
        }
    }

    /// In few words, without the address: it may have a secret in it.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError
        where [.connectTimeout, .deadlineExceeded, .readTimeout].contains(error):
            "it did not answer in time"
        case is NIOSSLError, is NIOSSLExtraError: "its certificate is not trusted, or TLS failed"
        case is HTTPClientError: "the connection failed"
        default: "it cannot be reached"
        }
    }

    func shutdown() async { await client.shutdown() }
}
