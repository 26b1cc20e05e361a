internal import Glibc

/// The three descriptors that every process is given, or should be.
enum StandardStreams {
    static let input: Int32 = 0
    static let output: Int32 = 1
    static let notes: Int32 = 2

    /// Called first. A descriptor that came closed is filled, or the journal's own file would get
    /// its number and our output would land inside it; and a closed pipe becomes an error to handle.
    static func secure() {
        for descriptor in [input, output, notes] where fcntl(descriptor, F_GETFD) == -1 {
            // Opened for reading alone, so that writing results to it still fails.
            _ = unsafe open("/dev/null", descriptor == notes ? O_WRONLY : O_RDONLY)
        }
        _ = signal(SIGPIPE, SIG_IGN)
        // A file that may not grow any more is an error of the call that writes.
        _ = signal(SIGXFSZ, SIG_IGN)
        // A parent that starts us from a worker thread hands on that thread's blocked signals.
        var stops = sigset_t()
        for number in [SIGINT, SIGTERM] { _ = unsafe sigaddset(&stops, number) }
        _ = unsafe sigprocmask(SIG_UNBLOCK, &stops, nil)
    }

    /// Writes all of `bytes`; answers the C error code if that failed.
    static func send(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[sent...])
                return unsafe write(descriptor, rest.baseAddress, rest.count)
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {  // somebody made our terminal non-blocking
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&wanted, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// The code with which writing fails once the reader has gone.
    static var closedPipe: Int32 { EPIPE }

    /// Whether writing to `descriptor` would fail because nobody reads it any more.
    static func isBroken(_ descriptor: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&state, 1, 0) == 1 && state.revents & Int16(POLLERR) != 0
    }

    /// What the C library calls error `code`, in lower case, for the middle of a sentence.
    static func reason(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text).lowercased()
    }
}

/// Lines for people on standard error.
enum Notes {
    /// One line; whatever it quotes cannot break it or move the cursor.
    static func say(_ text: String) {
        _ = StandardStreams.send(
            Array((Printable.line(text) + "\n").utf8), to: StandardStreams.notes)
    }
}
