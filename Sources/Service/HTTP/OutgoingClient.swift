import AsyncHTTPClient
import Synchronization

/// A client for requests to others, made for the first of them. Whoever has it shuts it down.
final class OutgoingClient: Sendable {
    private enum State {
        case unused
        case open(HTTPClient)
        case shutDown
    }

    private let settings: HTTPClient.Configuration
    private let state = Mutex(State.unused)

    init(_ settings: HTTPClient.Configuration) { self.settings = settings }

    /// After ``shutdown()`` none is made any more, which nobody would shut down.
    func open() throws -> HTTPClient {
        try state.withLock { state in
            switch state {
            case .unused:
                let made = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
                state = .open(made)
                return made
            case .open(let client): return client
            case .shutDown: throw HTTPClientError.alreadyShutdown
            }
        }
    }

    /// Ends what is under way.
    func shutdown() async {
        let client = state.withLock { state -> HTTPClient? in
            defer { state = .shutDown }
            guard case .open(let client) = state else { return nil }
            return client
        }
        try? await client?.shutdown()
    }
}
