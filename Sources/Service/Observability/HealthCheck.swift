import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Asks a running service how it is, as its settings say where it listens: for containers and scripts.
package struct HealthCheck: Sendable {
    /// Nil where it is well; else why not, in a line.
    package let complaint: String?

    /// - Parameter path: `/health/ready` or `/health/live`.
    package init(_ configuration: ServiceConfiguration, _ path: String) async {
        let scheme = configuration.certificate == nil ? "http" : "https"
        let everywhere = ["0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"]
        let host = everywhere[configuration.host] ?? configuration.host
        let url = "\(scheme)://\(host):\(configuration.port)\(path)"
        var settings = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(3), read: .seconds(5)))
        // It asks this machine about itself: its certificate bears the name that others know it by.
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        settings.tlsConfiguration = tls
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        do {
            let response = try await client.execute(
                HTTPClientRequest(url: url), timeout: .seconds(8))
            let status = response.status.code
            let body = try await response.body.collect(upTo: 64 << 10)
            complaint =
                status == 200
                ? nil : "\(url) answers \(status): \(String(buffer: body).prefix(200))"
        } catch {
            complaint = "\(url) does not answer: \(Self.reason(error))"
        }
        try? await client.shutdown()
    }

    /// The reason alone: what NIO says beside it is for who looks into NIO.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: StartFailure.reason(error.errnoCode)
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason($0.error) } ?? "there is no such host"
        default: "\(error)"
        }
    }
}
