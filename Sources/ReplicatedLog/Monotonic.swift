import Glibc

/// Deadlines hang on no clock that somebody sets.
enum Monotonic {
    static func milliseconds() -> Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    static func pause(milliseconds: Int) {
        var time = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
        _ = unsafe nanosleep(&time, nil)
    }
}
