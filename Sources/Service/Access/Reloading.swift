import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the policy, the service's certificate and the placement of journals anew on SIGHUP; what is bad is refused, and what was there stays.
struct Reloading: Service {
    let configuration: ServiceConfiguration
    let authenticator: Authenticator
    let journals: HostedJournals
    let certificate: ServerCertificate?
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) {
                await reloadPolicy()
                reloadCertificate()
                await reloadPlacement()
            }
        }
        authenticator.rest()
    }

    private func reloadPolicy() async {
        guard let file = configuration.access else { return }
        do throws(ConfigurationError) {
            let policy = try await AccessPolicy(file: file)
            authenticator.adopt(policy)
            logger.notice(
                "the policy is read anew",
                metadata: [
                    "identities": "\(policy.tokens.count)", "issuers": "\(policy.issuers.count)",
                    "certificates": "\(policy.certificates.count)",
                ])
        } catch {
            logger.error(
                "the policy is refused, the former one stays",
                metadata: ["error": "\(error.message)"])
        }
    }

    private func reloadPlacement() async {
        guard configuration.placement.file != nil else { return }
        do {
            try await journals.replace()
            logger.notice("the placement of journals is read anew")
        } catch {
            let why = (error as? ConfigurationError)?.message ?? "\(error)"
            logger.error(
                "the placement of journals is refused, the former one stays",
                metadata: ["error": "\(why)"])
        }
    }

    private func reloadCertificate() {
        guard let certificate else { return }
        do {
            try certificate.read()
            logger.notice("the certificate is read anew")
        } catch {
            logger.error(
                "the certificate is refused, the former one stays", metadata: ["error": "\(error)"])
        }
    }
}
