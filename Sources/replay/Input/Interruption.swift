internal import Glibc

/// Ctrl-C and SIGTERM as something to notice between two batches, instead of an end in the middle.
///
/// The handler writes the signal's number into a pipe, which may be waited for beside the input. A
/// second signal ends the process at once: the journal stands that, and nobody is ever locked in.
struct Interruption {
    /// Readable once a signal has come.
    let descriptor: Int32

    /// Nil when the system gives us no pipe; then signals keep their usual meaning.
    init?() {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        descriptor = ends[0]
        unsafe signalPipe = ends[1]
        var action = sigaction()
        action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
        unsafe action.__sigaction_handler.sa_handler = { number in
            let saved = errno  // the code that was interrupted may be about to look at it
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(unsafe signalPipe, &byte, 1)
            errno = saved
        }
        for number in [SIGINT, SIGTERM] {
            var before = sigaction()
            // One that is ignored stays ignored: `nohup`, a shell's background job.
            guard unsafe sigaction(number, nil, &before) == 0,
                !isIgnored(before)
            else { continue }
            _ = unsafe sigaction(number, &action, nil)
        }
    }

    /// The signal that came, if one did.
    func signal() -> Int32? {
        var byte: UInt8 = 0
        return unsafe read(descriptor, &byte, 1) == 1 ? Int32(byte) : nil
    }

    /// The same, after waiting so long for one at most.
    func signal(within milliseconds: Int) -> Int32? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&waiting, 1, Int32(clamping: milliseconds))
        return signal()
    }

    private func isIgnored(_ action: sigaction) -> Bool {
        guard let handler = unsafe action.__sigaction_handler.sa_handler else { return false }
        return unsafe unsafeBitCast(handler, to: Int.self) == 1  // SIG_IGN
    }
}

/// The one piece of global state, since a signal handler is given nothing else. Set before any
/// handler is installed, and never again.
nonisolated(unsafe) private var signalPipe: Int32 = -1
