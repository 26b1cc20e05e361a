import Configuration
import Foundation
import SystemPackage

/// How the service runs: from the environment (`SIJILL_HTTP_PORT`), else the file, else a default.
package struct ServiceConfiguration: Sendable {
    /// The journal that `/v1/…` is about.
    package var journal = "journal"
    /// A directory whose sub-directories are served as `/v1/journals/NAME/…`.
    package var journals: String?
    package var host = "127.0.0.1"
    /// 0: any that is free.
    package var port = 8180
    /// PEM files.
    package var certificate: String?
    package var privateKey: String?
    /// Whose certificates clients may have, a PEM file.
    package var clientAuthority: String?
    /// Whether a client without a certificate is turned away at once.
    package var clientsNeedCertificate = false
    /// The file of ``AccessPolicy``; without one everybody on this machine may do everything.
    package var access: String?
    package var readers = 0
    package var logLevel = "info"
    /// `json` or `text`.
    package var logForm = "json"
    /// The file of the private key that checkpoints of the default journal are signed with.
    package var logKey: String?
    /// The policy file of who cosigns them (C2SP tlog-policy).
    package var witnesses: String?
    /// How often what is new is signed; 0: only when somebody asks.
    package var checkpointSeconds = 0
    /// Whether anybody may read the default journal's log: `/log`.
    package var logIsPublic = false
    /// Where backup jobs write to, each backup in a directory of its own.
    package var backups: String?
    /// Where spans are sent to, a URL.
    package var traceEndpoint: String?
    /// The share of requests that are traced, where their senders say nothing of it.
    package var traceRatio = 1.0
    /// Where events may be posted to: addresses, parted by commas; nowhere if empty.
    package var webhooksAllowed = ""
    /// Whose certificates receivers have, a PEM file; those that the system trusts if nil.
    package var webhookAuthority: String?
    /// Whether people may look into the default journal at `/ui`.
    package var console = true
    /// Where browsers find the service, as people type it: for signing in by an issuer, and behind a proxy with TLS.
    package var consoleAddress: String?
    /// Whose accounts people sign in to the console with: one of the policy's issuers.
    package var consoleIssuer: String?
    /// What the issuer calls the console.
    package var consoleClient: String?
    /// A file of the secret that the issuer has given the console; none for a public client.
    package var consoleSecretFile: String?
    /// Databases of sinks that people ask after, parted by spaces.
    package var sinks = ""
    /// Who the other nodes are, where the journal's frames go to a log that several machines have.
    package var cluster = Cluster()
    /// Which of several nodes has which journal.
    package var placement = Placed()
    package var limits = Limits()

    package struct Limits: Sendable {
        package var commandBytes = 256 << 10
        package var batchBytes = 16 << 20
        package var connections = 4_096
        package var waitingReads = 1_024
        package var waitingScans = 256
        package var waitingLines = 8_192
        package var pastSeconds = 30
        package var idleSeconds = 30
        package var cacheBytes = 64 << 20
        package var drainSeconds = 20
        /// Journals beside the default one that are open at the same time, unless more are in use.
        package var openJournals = 32
        /// After so long without a request one of them is closed.
        package var journalIdleSeconds = 60
    }

    package init() {}

    /// One value that can be set.
    struct Setting {
        let key: String
        let summary: String
        let field: Field

        enum Field {
            case text(WritableKeyPath<ServiceConfiguration, String>)
            case path(WritableKeyPath<ServiceConfiguration, String?>)
            case number(WritableKeyPath<ServiceConfiguration, Int>, ClosedRange<Int>)
            case flag(WritableKeyPath<ServiceConfiguration, Bool>)
            /// From 0 to 1.
            case share(WritableKeyPath<ServiceConfiguration, Double>)
        }
    }

    static var settings: [Setting] { ownSettings + clusterSettings + placementSettings }

    private static var ownSettings: [Setting] {
        [
            Setting(key: "journal", summary: "the journal's directory", field: .text(\.journal)),
            Setting(
                key: "journals", summary: "a directory of further journals",
                field: .path(\.journals)),
            Setting(
                key: "backups", summary: "the directory of what backup jobs write",
                field: .path(\.backups)),
            Setting(key: "http.host", summary: "the address to listen on", field: .text(\.host)),
            Setting(
                key: "http.port", summary: "the port; 0 for any", field: .number(\.port, 0...65_535)
            ),
            Setting(
                key: "tls.certificate", summary: "PEM file of the certificate chain",
                field: .path(\.certificate)),
            Setting(
                key: "tls.key", summary: "PEM file of the private key", field: .path(\.privateKey)),
            Setting(
                key: "tls.clients", summary: "PEM file of who signs clients' certificates",
                field: .path(\.clientAuthority)),
            Setting(
                key: "tls.clientsRequired",
                summary: "whether a client without a certificate is turned away",
                field: .flag(\.clientsNeedCertificate)),
            Setting(key: "access.file", summary: "who may what", field: .path(\.access)),
            Setting(
                key: "engine.readers", summary: "questions at the same time; 0: by the processors",
                field: .number(\.readers, 0...64)),
            Setting(
                key: "log.level", summary: "trace, debug, info, notice, warning, error",
                field: .text(\.logLevel)),
            Setting(key: "log.form", summary: "json or text", field: .text(\.logForm)),
            Setting(
                key: "log.key", summary: "file of the key that checkpoints are signed with",
                field: .path(\.logKey)),
            Setting(
                key: "log.witnesses",
                summary: "policy file of who cosigns checkpoints, C2SP tlog-policy",
                field: .path(\.witnesses)),
            Setting(
                key: "log.everySeconds", summary: "how often new events are signed; 0: when asked",
                field: .number(\.checkpointSeconds, 0...86_400)),
            Setting(
                key: "log.public", summary: "whether anybody may read /log",
                field: .flag(\.logIsPublic)),
            Setting(
                key: "traces.endpoint", summary: "the URL that spans are sent to: OTLP over HTTP",
                field: .path(\.traceEndpoint)),
            Setting(
                key: "traces.ratio", summary: "the share of requests that are traced, 0 to 1",
                field: .share(\.traceRatio)),
            Setting(
                key: "webhooks.allow",
                summary: "where events may be posted to: addresses, parted by commas",
                field: .text(\.webhooksAllowed)),
            Setting(
                key: "webhooks.authority",
                summary: "PEM file of who signs receivers' certificates; else the system's",
                field: .path(\.webhookAuthority)),
            Setting(
                key: "console.enabled", summary: "whether there are pages for people: /ui",
                field: .flag(\.console)),
            Setting(
                key: "console.address", summary: "where browsers find the service, a URL",
                field: .path(\.consoleAddress)),
            Setting(
                key: "console.issuer", summary: "the issuer that people sign in by",
                field: .path(\.consoleIssuer)),
            Setting(
                key: "console.client", summary: "what that issuer calls the console",
                field: .path(\.consoleClient)),
            Setting(
                key: "console.secretFile", summary: "file of the secret it has from the issuer",
                field: .path(\.consoleSecretFile)),
            Setting(
                key: "sinks",
                summary: "databases of sinks to be asked where they stand, parted by spaces",
                field: .text(\.sinks)),
            Setting(
                key: "limits.commandBytes", summary: "a command, a line",
                field: .number(\.limits.commandBytes, 1_024...(64 << 20))),
            Setting(
                key: "limits.batchBytes", summary: "the lines of one request",
                field: .number(\.limits.batchBytes, 1_024...(1 << 40))),
            Setting(
                key: "limits.connections", summary: "connections at the same time",
                field: .number(\.limits.connections, 1...1_000_000)),
            Setting(
                key: "limits.waitingReads", summary: "questions that wait",
                field: .number(\.limits.waitingReads, 1...1_000_000)),
            Setting(
                key: "limits.waitingScans", summary: "pages of events that wait",
                field: .number(\.limits.waitingScans, 1...1_000_000)),
            Setting(
                key: "limits.waitingLines", summary: "commands that wait",
                field: .number(\.limits.waitingLines, 1...1_000_000)),
            Setting(
                key: "limits.pastSeconds", summary: "an answer about the past",
                field: .number(\.limits.pastSeconds, 1...3_600)),
            Setting(
                key: "limits.idleSeconds", summary: "a connection that says nothing",
                field: .number(\.limits.idleSeconds, 1...3_600)),
            Setting(
                key: "limits.cacheBytes", summary: "answers that are kept",
                field: .number(\.limits.cacheBytes, 0...(1 << 40))),
            Setting(
                key: "limits.openJournals",
                summary: "journals beside the default one that are open",
                field: .number(\.limits.openJournals, 1...400)),
            Setting(
                key: "limits.journalIdleSeconds", summary: "until one that nobody asks is closed",
                field: .number(\.limits.journalIdleSeconds, 1...86_400)),
            Setting(
                key: "limits.drainSeconds", summary: "the time that requests have to end",
                field: .number(\.limits.drainSeconds, 0...3_600)),
        ]
    }

    /// A value, and where it came from: for `check-config`.
    package struct Origin: Sendable {
        package let key: String
        package let value: String
        package let source: String
        package let summary: String
    }

    /// Reads the environment, and the file if one is named.
    package static func load(
        file: String?, environment: [String: String]
    ) async throws(ConfigurationError) -> (configuration: ServiceConfiguration, origins: [Origin]) {
        let variables = EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(
            with: "sijill")
        var sources: [(name: String, reader: ConfigReader)] = [
            ("environment", ConfigReader(provider: variables))
        ]
        if let file {
            do {
                let provider = try await FileProvider<JSONSnapshot>(filePath: FilePath(file))
                sources.append((file, ConfigReader(provider: provider)))
            } catch {
                throw ConfigurationError.unread(file, error)
            }
            try checkNames(file)
        }
        var configuration = ServiceConfiguration()
        var origins: [Origin] = []
        for setting in settings {
            let key = ConfigKey(stringLiteral: setting.key)
            let source = sources.first {
                $0.reader.string(forKey: key) != nil || $0.reader.int(forKey: key) != nil
                    || $0.reader.bool(forKey: key) != nil
                    || $0.reader.double(forKey: key) != nil
            }
            if let source { try configuration.set(setting, source.reader, key, source.name) }
            origins.append(
                Origin(
                    key: setting.key, value: configuration.text(of: setting),
                    source: source?.name ?? "default",
                    summary: setting.summary))
        }
        try configuration.check()
        return (configuration, origins)
    }

    private mutating func set(
        _ setting: Setting, _ reader: ConfigReader, _ key: ConfigKey, _ source: String
    ) throws(ConfigurationError) {
        switch setting.field {
        case .text(let field): self[keyPath: field] = reader.string(forKey: key) ?? ""
        case .path(let field): self[keyPath: field] = reader.string(forKey: key)
        case .flag(let field):
            guard let flag = reader.bool(forKey: key) else {
                throw ConfigurationError("\(setting.key) (\(source)): true or false is wanted")
            }
            self[keyPath: field] = flag
        case .share(let field):
            guard
                let share = reader.double(forKey: key) ?? reader.int(forKey: key).map(Double.init),
                (0...1).contains(share)
            else { throw ConfigurationError("\(setting.key) (\(source)): 0 to 1 is wanted") }
            self[keyPath: field] = share
        case .number(let field, let range):
            let number = reader.int(forKey: key) ?? reader.string(forKey: key).flatMap { Int($0) }
            guard let number, range.contains(number) else {
                throw ConfigurationError(
                    "\(setting.key) (\(source)): a whole number from \(range.lowerBound) to \(range.upperBound) is wanted"
                )
            }
            self[keyPath: field] = number
        }
    }

    private func text(of setting: Setting) -> String {
        switch setting.field {
        case .text(let field): self[keyPath: field]
        case .path(let field): self[keyPath: field] ?? ""
        case .flag(let field): "\(self[keyPath: field])"
        case .share(let field): "\(self[keyPath: field])"
        case .number(let field, _): "\(self[keyPath: field])"
        }
    }

    /// A member of the file that is no setting was misspelt.
    private static func checkNames(_ file: String) throws(ConfigurationError) {
        guard let data = try? Data(contentsOf: URL(filePath: file)),
            let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
        else { throw ConfigurationError("\(file): a JSON object is wanted") }
        func names(_ object: [String: Any], _ prefix: String) -> [String] {
            object.flatMap { name, value in
                (value as? [String: Any]).map { names($0, prefix + name + ".") } ?? [prefix + name]
            }
        }
        let known = Set(settings.map(\.key))
        if let name = names(object, "").sorted().first(where: { !known.contains($0) }) {
            throw ConfigurationError("\(file): there is no setting \(name); check-config lists all")
        }
    }

    private func check() throws(ConfigurationError) {
        if journal.isEmpty { throw ConfigurationError("journal: name its directory") }
        if (certificate == nil) != (privateKey == nil) {
            throw ConfigurationError("tls.certificate and tls.key belong together: give both")
        }
        if clientAuthority != nil, certificate == nil {
            throw ConfigurationError(
                "tls.clients: the service itself has no certificate; give tls.certificate and tls.key"
            )
        }
        if clientsNeedCertificate, clientAuthority == nil {
            throw ConfigurationError(
                "tls.clientsRequired: nobody's certificate could be checked; give tls.clients")
        }
        if access == nil, !isLocal {
            throw ConfigurationError(
                "http.host: \(host) can be reached from elsewhere, and access.file does not say who may what; give one, or listen on 127.0.0.1"
            )
        }
        if logKey == nil, witnesses != nil || checkpointSeconds > 0 {
            throw ConfigurationError(
                "log.key: it is missing; log.witnesses and log.everySeconds need a key to sign with"
            )
        }
        if let traceEndpoint, !Self.isAddress(traceEndpoint) {
            throw ConfigurationError(
                "traces.endpoint: a URL is wanted, such as http://127.0.0.1:4318/v1/traces")
        }
        if consoleIssuer != nil || consoleClient != nil || consoleSecretFile != nil,
            consoleIssuer == nil || consoleClient == nil || consoleAddress == nil
        {
            throw ConfigurationError(
                "console.issuer, console.client and console.address belong together: give all three"
            )
        }
        if let consoleAddress, !Self.isAddress(consoleAddress) {
            throw ConfigurationError(
                "console.address: a URL is wanted, such as https://journal.school.example")
        }
        _ = try webhookAllowList()
        try checkSinks()
        try cluster.check()
        try checkPlacement()
        if !["json", "text"].contains(logForm) {
            throw ConfigurationError("log.form: json or text is wanted")
        }
        if !["trace", "debug", "info", "notice", "warning", "error", "critical"].contains(logLevel)
        {
            throw ConfigurationError(
                "log.level: \(logLevel) is none of trace, debug, info, notice, warning, error, critical"
            )
        }
    }

    func webhookAllowList() throws(ConfigurationError) -> WebhookAllowList {
        guard let list = WebhookAllowList(webhooksAllowed) else {
            throw ConfigurationError(
                "webhooks.allow: URLs are wanted, parted by commas, such as https://hooks.example/sijill/"
            )
        }
        return list
    }

    private static func isAddress(_ text: String) -> Bool {
        let url = URL(string: text)
        return ["http", "https"].contains(url?.scheme) && url?.host()?.isEmpty == false
    }

    /// Whether the files of certificates, of the policy and of the placement can be read.
    package func checkFiles() async throws(ConfigurationError) {
        try checkCertificates()
        _ = try readPlacement()
        if let access { _ = try await AccessPolicy(file: access) }
    }

    /// Whether only this machine reaches the service.
    var isLocal: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }
}
