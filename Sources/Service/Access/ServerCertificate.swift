import NIOCore
import NIOSSL
import Synchronization

/// The service's own certificate, which can be read anew while it serves: each connection takes the newest.
final class ServerCertificate: Sendable {
    private let chainFile: String
    private let keyFile: String
    private let newest: Mutex<(chain: [NIOSSLCertificateSource], key: NIOSSLPrivateKeySource)>

    init(chain chainFile: String, key keyFile: String) throws {
        self.chainFile = chainFile
        self.keyFile = keyFile
        newest = Mutex(try Self.read(chainFile, keyFile))
    }

    private static func read(_ chainFile: String, _ keyFile: String) throws -> (
        chain: [NIOSSLCertificateSource], key: NIOSSLPrivateKeySource
    ) {
        let chain = try NIOSSLCertificate.fromPEMFile(chainFile).map {
            NIOSSLCertificateSource.certificate($0)
        }
        let key = NIOSSLPrivateKeySource.privateKey(
            try NIOSSLPrivateKey(file: keyFile, format: .pem))
        // A key of another certificate would be found out at the first connection only.
        _ = try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: chain, privateKey: key))
        return (chain, key)
    }

    func read() throws {
        let read = try Self.read(chainFile, keyFile)
        newest.withLock { $0 = read }
    }

    var configuration: TLSConfiguration {
        let first = newest.withLock { $0 }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: first.chain, privateKey: first.key)
        tls.minimumTLSVersion = .tlsv12
        tls.sslContextCallback = { _, promise in
            let newest = self.newest.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = newest.chain
            override.privateKey = newest.key
            promise.succeed(override)
        }
        return tls
    }
}
