import Core
import Engine
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// A request on its way through the service: who asks, which journal, and what was asked.
struct Call: Sendable {
    let request: Request
    let grant: Grant
    let journal: HostedJournal
    /// What stands for the names in the route's path, percent-decoded.
    let path: [String: String]
    let query: Query
    fileprivate let context: CallContext

    init(
        request: Request, grant: Grant, journal: HostedJournal, path: [String: String],
        query: Query, context: CallContext
    ) {
        self.request = request
        self.grant = grant
        self.journal = journal
        self.path = path
        self.query = query
        self.context = context
    }

    var logger: Logger { context.logger }
    /// Nil where no traces are wanted.
    var trace: RequestTrace? { context.trace }
    /// The connection, or the stream of it.
    var channel: any Channel { context.channel }

    /// How long who asks waits before they would rather come back; nil where they wait.
    var patience: Duration? { context.patience ?? Prefer.patience(request) }

    /// Who asks.
    var identity: Identity { grant.identity }

    /// What stands for a name of the route's path.
    func part(_ name: String) -> String { path[name] ?? "" }

    /// Whether the client names this media type, and would not rather have JSON.
    func accepts(_ type: String) -> Bool {
        guard let given = weight(of: type), given > 0 else { return false }
        let json =
            weight(of: "application/json") ?? weight(of: "application/*") ?? weight(of: "*/*") ?? 0
        return given >= json
    }

    /// What `Accept` gives a media range (RFC 9110, 12.5.1); nil where it does not name it.
    private func weight(of range: String) -> Double? {
        for item in (request.headers[.accept] ?? "").split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.trimmed.lowercased() }
            guard parts.first == range else { continue }
            return parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
                Double($0.dropFirst(2))
            } ?? 1
        }
        return nil
    }
}

/// What a request brings besides itself.
struct CallContext: Sendable {
    /// In the log, in problems and in the answer's head; that of the request's trace, if it has one.
    let id: String
    let channel: any Channel
    let trace: RequestTrace?
    /// How long a page waits for what is asked for it.
    var patience: Duration?
    /// In which the console asks.
    var session: SessionLife?
    /// The node that handed the request on: the connection is that node's, and what it says of the client is so.
    let handedOnBy: String?
    private let certificateField: String?
    private let base: Logger

    init(
        _ id: String, _ channel: any Channel, _ trace: RequestTrace?, _ logger: Logger,
        handedOnBy: String? = nil, certificate: String? = nil
    ) {
        self.id = id
        self.channel = channel
        self.trace = trace
        self.handedOnBy = handedOnBy
        certificateField = handedOnBy == nil ? nil : certificate
        base = logger
    }

    /// The certificate that the client has shown, here or to the node that handed the request on.
    func clientCertificate() async -> ClientCertificate? {
        guard handedOnBy == nil else {
            return certificateField.flatMap { ClientCertificate(field: $0) }
        }
        return await ClientCertificate.shown(on: channel)
    }

    var logger: Logger {
        var logger = base
        logger[metadataKey: "requestId"] = "\(id)"
        return logger
    }
}

/// The query of a request: each name once.
struct Query: Sendable {
    private(set) var values: [String: String] = [:]

    init(_ request: Request) throws {
        guard let query = request.uri.query else { return }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try parts[0].percentDecoded("the query")
            let value = try parts.count > 1 ? parts[1].percentDecoded("the query") : ""
            guard values.updateValue(value, forKey: name) == nil else {
                throw Problem.badRequest("the query names \"\(name)\" twice: give it once")
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Refuses names that the route does not know: one that is misspelt must not be passed over.
    func checkNames(_ known: [String]) throws {
        for name in values.keys.sorted() where !known.contains(name) {
            throw Problem.badRequest(
                "the query has no parameter \"\(name)\": use \(known.isEmpty ? "none" : known.joined(separator: ", "))"
            )
        }
    }

    func moment(_ name: String) throws -> Moment? {
        guard let text = values[name] else { return nil }
        guard let moment = Moment(text) else {
            throw Problem.badRequest(
                "\"\(name)\" is a position or an RFC 3339 instant with an offset: \(text)")
        }
        return moment
    }

    func instant(_ name: String) throws -> Instant? {
        guard let text = values[name] else { return nil }
        guard case .instant(let instant)? = Moment(text) else {
            throw Problem.badRequest("\"\(name)\" is an RFC 3339 instant with an offset: \(text)")
        }
        return instant
    }

    func position(_ name: String) throws -> Position? {
        guard let text = values[name] else { return nil }
        guard case .position(let position)? = Moment(text) else {
            throw Problem.badRequest("\"\(name)\" is a position, a whole number from 0: \(text)")
        }
        return position
    }

    func flag(_ name: String) throws -> Bool {
        switch values[name] {
        case nil, "false": false
        case "true", "": true
        case let text?: throw Problem.badRequest("\"\(name)\" is true or false: \(text)")
        }
    }

    func number(_ name: String, in range: ClosedRange<Int>, default standard: Int) throws -> Int {
        guard let text = values[name] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw Problem.badRequest(
                "\"\(name)\" is a whole number from \(range.lowerBound) to \(range.upperBound): \(text)"
            )
        }
        return number
    }
}
