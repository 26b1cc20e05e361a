import NIOCore
import NIOHTTPTypes
import Synchronization

/// Tells who works for a client when nothing more comes from it: mostly it has gone, and an answer would reach nobody.
///
/// To read the connection for that, as live streams do, would end it with the answer.
final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    fileprivate let departure = Departure()

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { departure.tell() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        departure.tell()
        context.fireChannelInactive()
    }
}

/// Whether a client has gone, and who wants to know when it does.
final class Departure: Sendable {
    private struct State {
        var isOver = false
        var last = 0
        var watchers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// That of the client at the other end; one that is never told where nothing looks after the channel.
    static func of(_ channel: any Channel) async -> Departure {
        let found = channel.eventLoop.submit { () -> Departure in
            let operations = channel.pipeline.syncOperations
            if let handler = try? operations.handler(type: DepartureHandler.self) {
                return handler.departure
            }
            let departure = Departure()
            // The handlers go with the connection.
            if !channel.isActive { departure.tell() }
            return departure
        }
        return (try? await found.get()) ?? Departure()
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Calls `body` once the client has gone, or at once where it has; nil then, else what to forget it by.
    func watch(_ body: @escaping @Sendable () -> Void) -> Int? {
        let ticket = state.withLock { state -> Int? in
            if state.isOver { return nil }
            state.last += 1
            state.watchers[state.last] = body
            return state.last
        }
        if ticket == nil { body() }
        return ticket
    }

    func forget(_ ticket: Int?) {
        guard let ticket else { return }
        state.withLock { $0.watchers[ticket] = nil }
    }

    fileprivate func tell() {
        let watchers = state.withLock { state -> [@Sendable () -> Void] in
            state.isOver = true
            defer { state.watchers = [:] }
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher() }
    }
}
