import Core
import Glibc

/// The one place where the engine reads a clock (contract, Commands in).
enum WallClock {
    static func now() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

/// Measures how long something takes, for observers and reports alone: nothing is decided by it.
struct Stopwatch {
    private let start = Stopwatch.reading()

    var elapsed: Duration { Self.reading() - start }

    private static func reading() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
