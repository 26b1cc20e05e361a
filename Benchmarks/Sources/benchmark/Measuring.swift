import Glibc

/// Clocks and counters of this process.
enum Measure {
    /// Seconds that `body` takes.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try body()
        return inSeconds(clock.now - start)
    }

    static func inSeconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// The value that so many of a hundred do not exceed.
    static func percentile(_ percent: Int, of values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
    }

    /// Seconds that this thread spent outside the kernel.
    static func userSeconds() -> Double {
        var usage = rusage()
        // RUSAGE_THREAD, which Glibc shows to GNU programs only
        guard unsafe getrusage(1, &usage) == 0 else { return 0 }
        return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
    }

    /// Begins to watch for the greatest memory anew.
    static func resetPeak() {
        guard let file = unsafe fopen("/proc/self/clear_refs", "w") else { return }
        unsafe fputs("5", file)
        unsafe fclose(file)
    }

    /// MiB in memory at the most since `resetPeak`, mapped files included.
    static func peakMiB() -> Double { status("VmHWM:") }

    /// MiB of the process's own memory now: without mapped files.
    static func ownMiB() -> Double { status("RssAnon:") }

    private static func status(_ name: String) -> Double {
        guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, 256, file) != nil {
            let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            let digits = text.filter(\.isNumber)
            return (Double(digits) ?? 0) / 1024
        }
        return 0
    }

    /// Runs `body` on so many threads at once, each with its number, and waits for all.
    static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        var threads: [pthread_t] = []
        for number in 0..<count {
            let work = unsafe Unmanaged.passRetained(Work { body(number) }).toOpaque()
            var thread = pthread_t()
            let code = unsafe pthread_create(
                &thread, nil,
                { argument in
                    guard let argument = unsafe argument else { return nil }
                    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                    return nil
                }, work)
            if code == 0 { threads.append(thread) }
        }
        for thread in threads { pthread_join(thread, nil) }
    }

    private final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Median seconds of `fdatasync` after 4 KiB were overwritten in a file of this directory.
    static func flushSeconds(in directory: String, count: Int) -> Double {
        let path = directory + "/flush"
        let file = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { return 0 }
        defer {
            close(file)
            unsafe unlink(path)
        }
        let page = [UInt8](repeating: 7, count: 4096)
        for place in 0..<64 { _ = unsafe pwrite(file, page, page.count, place * 4096) }
        fsync(file)
        var times: [Double] = []
        for index in 0..<count {
            _ = unsafe pwrite(file, page, page.count, index % 64 * 4096)
            times.append(seconds { fdatasync(file) })
        }
        return median(times)
    }

    /// A line to the standard error.
    static func say(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = unsafe write(2, bytes, bytes.count)
    }

    static func fileBytes(_ path: String) -> Int {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else { return 0 }
        return Int(information.st_size)
    }
}
