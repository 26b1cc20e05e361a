import HummingbirdCore
import Logging
import NIOCore

/// Runs tasks on an event loop.
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A connection whose requests are answered on its own event loop: what hangs on no other thread changes none (ADR 0050).
///
/// What takes long, reads and opens files goes to threads of its own (``BlockingWork``, the engine's readers).
struct OnItsLoop<Channels: ServerChildChannel>: ServerChildChannel {
    let channels: Channels

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Channels.Value> {
        channels.setup(channel: channel, logger: logger)
    }

    func handle(value: Channels.Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await channels.handle(value: value, logger: logger)
        }
    }
}
