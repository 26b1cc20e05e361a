import Glibc
import NIOCore

/// Accepts nothing for a moment where a connection cannot be accepted, mostly because too many files are open.
///
/// NIO's own `AcceptBackoffHandler` puts off the next read. One that failed is still under way, and so the same
/// connection is tried again at once, and again, on a whole processor.
final class AcceptPause: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel

    private static let pause = TimeAmount.milliseconds(200)

    private var isPaused = false

    /// Has a server that listens on the channel do so.
    static func add(to channel: any Channel) async {
        // A server that was stopped meanwhile needs none.
        try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(AcceptPause(), position: .first)
        }.get()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let lacking = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
        if let error = error as? IOError, lacking.contains(error.errnoCode), !isPaused {
            isPaused = true
            let channel = context.channel
            Self.read(false, channel)
            let this = NIOLoopBound(self, eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: Self.pause) {
                this.value.isPaused = false
                Self.read(true, channel)
            }
        }
        context.fireErrorCaught(error)
    }

    /// Reading a channel that listens is accepting.
    private static func read(_ isOn: Bool, _ channel: any Channel) {
        try? channel.syncOptions?.setOption(ChannelOptions.autoRead, value: isOn)
    }
}
