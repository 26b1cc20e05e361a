internal import Engine
internal import Glibc

/// The terminal while keys are read one by one: a screen of its own, nothing echoed. Whatever ends the process, or stops it for
/// a while, gives the terminal back as it was.
final class RawTerminal {
    enum Event {
        case keys([PressedKey])
        /// The screen has another size, or others wrote on it.
        case changed
        /// Nobody is there any more.
        case closed
    }

    private var reader = KeyReader()
    /// Readable once a signal has come that is no end.
    private let notices: Int32
    private var isHeld = true

    /// Nothing follows an escape that somebody typed.
    private static let pause: Int32 = 50

    init() throws(EngineError) {
        var before = termios()
        var ends: [Int32] = [-1, -1]
        guard unsafe tcgetattr(StandardStreams.input, &before) == 0, unsafe pipe(&ends) == 0 else {
            throw EngineError(
                .inputOutput, "the terminal cannot be set up: \(StandardStreams.reason(errno))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        notices = ends[0]
        Held.prepare(before, notices: ends[1])
        Held.handleSignals()
        Held.take()
    }

    deinit { giveBack() }

    func giveBack() {
        guard isHeld else { return }
        isHeld = false
        Held.forgetSignals()
        Held.giveBack()
    }

    var size: Stepper.Size {
        let (width, height) = Terminal.size(StandardStreams.output)
        return Stepper.Size(width: width, height: height)
    }

    /// Fills the screen with lines that are no wider than it is.
    func draw(_ lines: [String]) throws(EngineError) {
        let text = "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
        guard let code = StandardStreams.send(Array(text.utf8), to: StandardStreams.output) else {
            return
        }
        throw EngineError(
            .inputOutput, "cannot write to the terminal: \(StandardStreams.reason(code))")
    }

    /// Waits for what comes next.
    func next() throws(EngineError) -> Event {
        while true {
            var states = [StandardStreams.input, notices].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = unsafe poll(&states, 2, reader.isWaiting ? Self.pause : -1)
            if count == 0 { return .keys(reader.rest()) }
            guard count > 0 else { continue }  // a signal; its notice is read next
            if states[1].revents != 0 {
                takeNotices()
                return .changed
            }
            var bytes = [UInt8](repeating: 0, count: 256)
            let got = unsafe read(StandardStreams.input, &bytes, bytes.count)
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            guard got > 0 else { return .closed }
            let keys = reader.keys(in: Array(bytes.prefix(got)))
            if !keys.isEmpty { return .keys(keys) }
        }
    }

    private func takeNotices() {
        var byte: UInt8 = 0
        while unsafe read(notices, &byte, 1) == 1 {}
        Held.handleStop()
    }
}

/// The one terminal, for signal handlers, which are given nothing else.
private enum Held {
    private static let onto = Array("\u{1B}[?1049h\u{1B}[?25l".utf8)
    private static let off = Array("\u{1B}[?25h\u{1B}[?1049l".utf8)
    private static let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    static func prepare(_ before: termios, notices: Int32) {
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        unsafe withUnsafeMutableBytes(of: &raw.c_cc) { codes in
            unsafe codes[Int(VMIN)] = 1
            unsafe codes[Int(VTIME)] = 0
        }
        unsafe heldBefore = copied([before])
        unsafe heldRaw = copied([raw])
        unsafe heldOnto = copied(onto)
        unsafe heldOff = copied(off)
        unsafe heldNotices = notices
    }

    /// For the rest of the process: a handler may be about to look at it.
    private static func copied<T>(_ values: [T]) -> UnsafeMutableBufferPointer<T> {
        let copy = UnsafeMutableBufferPointer<T>.allocate(capacity: values.count)
        _ = unsafe copy.initialize(from: values)
        return unsafe copy
    }

    /// As a signal handler may: no memory is asked for.
    static func take() {
        unsafe set(heldRaw, heldOnto)
    }

    static func giveBack() {
        unsafe set(heldBefore, heldOff)
    }

    private static func set(
        _ mode: UnsafeMutableBufferPointer<termios>?, _ text: UnsafeMutableBufferPointer<UInt8>?
    ) {
        if let mode = unsafe mode?.baseAddress {
            _ = unsafe tcsetattr(StandardStreams.input, TCSANOW, mode)
        }
        if let text = unsafe text {
            _ = unsafe write(StandardStreams.output, text.baseAddress, text.count)
        }
    }

    static func notify() {
        var byte: UInt8 = 0
        _ = unsafe write(heldNotices, &byte, 1)
    }

    // MARK: Signals

    static func handleSignals() {
        for number in ends {
            handle(number, SA_NODEFER | Int32(bitPattern: UInt32(SA_RESETHAND))) { number in
                Held.giveBack()
                raise(number)  // the usual end
            }
        }
        for number in [SIGCONT, SIGWINCH] {
            handle(number, SA_RESTART) { number in
                let saved = errno
                if number == SIGCONT { Held.take() }
                Held.notify()
                errno = saved
            }
        }
        handleStop()
    }

    /// Again behind each stop.
    static func handleStop() {
        handle(SIGTSTP, SA_NODEFER | Int32(bitPattern: UInt32(SA_RESETHAND))) { number in
            let saved = errno
            Held.giveBack()
            raise(number)  // stops here
            Held.take()
            Held.notify()
            errno = saved
        }
    }

    static func forgetSignals() {
        for number in ends + [SIGCONT, SIGWINCH, SIGTSTP] where !isIgnored(number) {
            _ = signal(number, SIG_DFL)
        }
    }

    private static func handle(
        _ number: Int32, _ flags: Int32, _ body: @convention(c) (Int32) -> Void
    ) {
        // One that is ignored stays ignored, as without us.
        guard !isIgnored(number) else { return }
        var action = sigaction()
        action.sa_flags = flags
        unsafe action.__sigaction_handler.sa_handler = body
        _ = unsafe sigaction(number, &action, nil)
        // Whoever started us may have blocked it.
        var one = sigset_t()
        _ = unsafe sigaddset(&one, number)
        _ = unsafe sigprocmask(SIG_UNBLOCK, &one, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0,
            let handler = unsafe action.__sigaction_handler.sa_handler
        else { return false }
        return unsafe unsafeBitCast(handler, to: Int.self) == 1  // SIG_IGN
    }
}

/// Set before any handler is installed, and never again.
nonisolated(unsafe) private var heldBefore: UnsafeMutableBufferPointer<termios>?
nonisolated(unsafe) private var heldRaw: UnsafeMutableBufferPointer<termios>?
nonisolated(unsafe) private var heldOnto: UnsafeMutableBufferPointer<UInt8>?
nonisolated(unsafe) private var heldOff: UnsafeMutableBufferPointer<UInt8>?
nonisolated(unsafe) private var heldNotices: Int32 = -1
