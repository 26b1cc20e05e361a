import Core
import Foundation
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// What a client's certificate says of who has it. That it is whose it says, TLS has seen to.
struct ClientCertificate: Sendable {
    /// As RFC 4514 writes it, such as `CN=hall-7,O=School`.
    let subject: String
    /// `URI:…`, `DNS:…`, `email:…`.
    let names: Set<String>
    private let ends: Instant
    private let bytes: [UInt8]

    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard let certificate = try? Certificate(derEncoded: bytes) else { return nil }
        subject = certificate.subject.description
        ends = Instant(
            milliseconds: Int64(certificate.notValidAfter.timeIntervalSince1970 * 1_000))
        var names: Set<String> = []
        for name in (try? certificate.extensions.subjectAlternativeNames) ?? .init() {
            switch name {
            case .uniformResourceIdentifier(let text): names.insert("URI:\(text)")
            case .dnsName(let text): names.insert("DNS:\(text.lowercased())")
            case .rfc822Name(let text): names.insert("email:\(text)")
            default: break
            }
        }
        self.names = names
    }

    /// The one that the connection of a request has shown, if any.
    static func shown(on channel: any Channel) async -> ClientCertificate? {
        // A stream of HTTP/2 has none of its own: its connection does.
        for channel in [channel, channel.parent].compactMap({ $0 }) {
            let shown = try? await channel.nioSSL_peerCertificate().get()
            if let bytes = try? shown?.toDERBytes(),
                let certificate = ClientCertificate(bytes), !certificate.isOver
            {
                return certificate
            }
        }
        return nil
    }

    /// As RFC 9440 hands it on.
    var field: String { ":\(Data(bytes).base64EncodedString()):" }

    /// One that another node has seen.
    init?(field: String) {
        guard field.count > 2, field.hasPrefix(":"), field.hasSuffix(":"),
            let data = Data(base64Encoded: String(field.dropFirst().dropLast()))
        else { return nil }
        self.init(Array(data))
        if isOver { return nil }
    }

    /// A connection may outlive its certificate.
    private var isOver: Bool { Instant.now > ends }
}

/// Who a client's certificate stands for.
struct CertificateRule: Sendable {
    let identity: Identity
    private let subject: String?
    private let name: String?

    init(_ object: inout PolicyObject, _ identity: Identity) throws(ConfigurationError) {
        subject = try object.text("subject")
        name = try object.text("san").map {
            $0.hasPrefix("DNS:") ? "DNS:" + $0.dropFirst(4).lowercased() : $0
        }
        self.identity = identity
        if (subject == nil) == (name == nil) {
            throw ConfigurationError(
                "\(object.path): \"subject\" or \"san\" is wanted, such as CN=hall-7,O=School or URI:spiffe://school/hall-7"
            )
        }
        if let name, !["URI:", "DNS:", "email:"].contains(where: { name.hasPrefix($0) }) {
            throw ConfigurationError("\(object.path).san: it begins with URI:, DNS: or email:")
        }
    }

    func fits(_ certificate: ClientCertificate) -> Bool {
        if let subject { return subject == certificate.subject }
        return name.map { certificate.names.contains($0) } ?? false
    }
}
