import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells a client that waits with its body to send it (RFC 9110, section 10.1.1): curl waits a second otherwise.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Requests that came and are not answered; only the last of them may wait with its body.
    private var unanswered = 0
    private var isWaiting = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            unanswered += 1
            isWaiting = request.headerFields[.expect]?.lowercased() == "100-continue"
            tellIfDue(context)
        case .body, .end: isWaiting = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard case .end = unwrapOutboundIn(data) else { return }
        unanswered -= 1
        tellIfDue(context)
    }

    /// Not into the answer to a request before it.
    private func tellIfDue(_ context: ChannelHandlerContext) {
        guard isWaiting, unanswered == 1 else { return }
        isWaiting = false
        let response = HTTPResponse(status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(response)), promise: nil)
    }
}
