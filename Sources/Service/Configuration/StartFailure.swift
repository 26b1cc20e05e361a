import Engine
import Foundation
import Glibc
import NIOCore
import NIOSSL

/// Why the service does not serve, in a line, with the exit code that `replay` has for it.
package struct StartFailure: Error, CustomStringConvertible, Sendable {
    package let description: String
    package let exitCode: Int32

    /// `error`: what serving with these settings ended with.
    package init(_ error: any Error, _ configuration: ServiceConfiguration) {
        switch error {
        case let error as EngineError:
            description = error.message
            exitCode = error.kind.exitCode
        case let error as ConfigurationError:
            description = error.message
            exitCode = ConfigurationError.exitCode
        case let error as IOError where "\(error)".hasPrefix("bind("):
            description =
                "cannot listen on \(configuration.places): "
                + "\(Self.reason(error.errnoCode)); end what has it, or set another address or port"
            exitCode = EngineError.Kind.inputOutput.exitCode
        case is SocketAddressError.UnknownHost:
            description =
                "cannot listen on \(configuration.places): there is no such host; see http.host"
            exitCode = EngineError.Kind.inputOutput.exitCode
        default:
            description = "\(error)"
            exitCode = 1
        }
    }

    /// What the system says of an error's number.
    static func reason(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text).lowercased()
    }
}

extension EngineError.Kind {
    /// What `replay` ends with, too (the contract's replay.md; sysexits).
    package var exitCode: Int32 {
        switch self {
        case .checkFailed: 1
        case .wrongUse: 64
        case .badInput: 65
        case .noJournal: 66
        case .cannotCreate: 73
        case .inputOutput, .closed: 74
        case .busy: 75
        case .refused: 77
        }
    }
}

extension ConfigurationError {
    /// Wrong use.
    package static let exitCode = EngineError.Kind.wrongUse.exitCode

    /// Of a file of settings that was not read, for `error`.
    static func unread(_ file: String, _ error: any Error) -> ConfigurationError {
        guard unsafe Glibc.access(file, R_OK) == 0 else {
            return ConfigurationError(
                "\(file) cannot be read: \(StartFailure.reason(errno)); name a JSON file of settings"
            )
        }
        let detail = (error as NSError).userInfo["NSDebugDescription"] as? String
        return ConfigurationError("\(file) cannot be read as JSON: \(detail ?? "\(error)")")
    }
}

extension ServiceConfiguration {
    /// Where it listens, `host:port`.
    fileprivate var places: String {
        let nodes = cluster.listen.isEmpty ? cluster.address : cluster.listen
        return "\(host):\(port)" + (cluster.isOn ? " or \(nodes)" : "")
    }

    /// Whether the files of certificates and of their keys are what they are to be: who reads them when it serves names
    /// no file.
    package func checkCertificates() throws(ConfigurationError) {
        for (key, path) in [
            ("tls.certificate", certificate), ("cluster.certificate", cluster.certificate),
        ] {
            try Self.checkFile(key, path, "certificates") {
                _ = try NIOSSLCertificate.fromPEMFile($0)
            }
        }
        for (key, path) in [("tls.key", privateKey), ("cluster.key", cluster.privateKey)] {
            try Self.checkFile(key, path, "a private key") {
                _ = try NIOSSLPrivateKey(file: $0, format: .pem)
            }
        }
        for (key, path) in [
            ("tls.clients", clientAuthority), ("cluster.authority", cluster.authority),
        ] {
            try Self.checkFile(key, path, "certificates") { _ in }
        }
    }

    private static func checkFile(
        _ key: String, _ path: String?, _ what: String, _ read: (String) throws -> Void
    ) throws(ConfigurationError) {
        guard let path else { return }
        guard unsafe Glibc.access(path, R_OK) == 0 else {
            throw ConfigurationError(
                "\(key): \(path) cannot be read: \(StartFailure.reason(errno)); name a PEM file of \(what)"
            )
        }
        do {
            try read(path)
        } catch {
            throw ConfigurationError("\(key): \(path) is no PEM file of \(what) (\(error))")
        }
    }
}
