import ArgumentParser
import CMalloc
import Foundation
import Logging
import Metrics
import Service

/// The service's command line.
@main
struct Sijilld: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sijilld", abstract: "Serves journals over HTTP.",
        discussion: """
            Values come from the environment (SIJILL_HTTP_PORT), else from the file, else from a default.

              sijilld --journal exams
              SIJILL_HTTP_PORT=8443 sijilld --config /etc/sijill/sijilld.json
              sijilld check-config --config /etc/sijill/sijilld.json
            """, subcommands: [Serve.self, CheckConfig.self, ClusterCommand.self, Health.self],
        defaultSubcommand: Serve.self)

    /// Replaces the parser's own `main`, so that an error is one line and has its exit code.
    static func main() async {
        // A file that may not grow any more is an error of the call that writes.
        _ = signal(SIGXFSZ, SIG_IGN)
        do {
            var command = try await asyncParseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            Failure.exit(for: error)
        }
    }
}

struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A JSON file of settings.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The directory of the journal, whatever the settings say.", valueName: "dir"),
        completion: .directory)
    var journal: String?

    func load() async throws -> (
        configuration: ServiceConfiguration, origins: [ServiceConfiguration.Origin]
    ) {
        var environment = ProcessInfo.processInfo.environment
        if let journal { environment["SIJILL_JOURNAL"] = journal }
        return try await ServiceConfiguration.load(file: config, environment: environment)
    }

    /// See ``ServiceConfiguration/unknownVariables(in:)``.
    var unknownVariables: [String] {
        ServiceConfiguration.unknownVariables(in: ProcessInfo.processInfo.environment)
    }
}

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve until SIGTERM (the default).")

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        // LMDB has lists of 2 MiB for each journal, nearly all untouched. Where glibc raises the threshold by itself, the
        // next journal's lists are taken from the heap, and cost all of their memory (docs/capacity.md).
        _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
        let (configuration, _) = try await options.load()
        let level = Logger.Level(rawValue: configuration.logLevel) ?? .info
        let isText = configuration.logForm == "text"
        LoggingSystem.bootstrap { label in
            if isText {
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = level
                return handler
            }
            return JSONLogHandler(label: label, level: level)
        }
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let logger = Logger(label: "sijilld")
        let unknown = options.unknownVariables
        do {
            try configuration.checkCertificates()
            try await SijillService(configuration, logger: logger, metrics: registry).run {
                address in
                logger.notice("serving", metadata: ["address": "\(address)"])
                for name in unknown {
                    logger.warning(
                        "a variable names no setting; see check-config",
                        metadata: ["variable": "\(name)"])
                }
            }
        } catch {
            throw StartFailure(error, configuration)
        }
    }
}

struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config", abstract: "Print every setting, and where it comes from.")

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let (configuration, origins) = try await options.load()
        for origin in origins {
            print("\(origin.key) = \(origin.value)  (\(origin.source); \(origin.summary))")
        }
        for name in options.unknownVariables { print("\(name) names no setting  (environment)") }
        try await configuration.checkFiles()
    }
}

struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask the service that the settings describe how it is.",
        discussion: """
            Ends with 0 if it is ready for requests, with 1 and a line that says why if it is not.

              sijilld health --config /etc/sijill/exams.json
            """)

    @Flag(help: "Whether its process answers at all, also where it is not ready.")
    var live = false

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let (configuration, _) = try await options.load()
        let check = await HealthCheck(configuration, live ? "/health/live" : "/health/ready")
        if let complaint = check.complaint {
            Failure.say(complaint)
            throw ExitCode(1)
        }
    }
}
