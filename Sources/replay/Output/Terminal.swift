internal import Glibc

/// What stands behind a file descriptor, and what it can show.
enum Terminal {
    /// Whether a person is looking.
    static func isOne(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// Whether it understands escape sequences: colour, or going back to the start of a line.
    static func takesEscapes(_ descriptor: Int32) -> Bool {
        isOne(descriptor) && EnvironmentVariables["TERM"] != "dumb"
    }

    /// Columns of text that fit: as the terminal says, else `$COLUMNS`, else 80.
    static func width(_ descriptor: Int32) -> Int {
        max(20, size(descriptor).width)
    }

    /// The same, and rows: as the terminal says, else `$LINES`, else 24.
    static func size(_ descriptor: Int32) -> (width: Int, height: Int) {
        var size = winsize()
        let answer = unsafe withUnsafeMutablePointer(to: &size) {
            unsafe ioctl(descriptor, UInt(TIOCGWINSZ), $0)
        }
        func known(_ count: UInt16, _ variable: String, _ usual: Int) -> Int {
            if answer == 0, count > 0 { return Int(count) }
            return EnvironmentVariables[variable].flatMap { Int($0) } ?? usual
        }
        return (known(size.ws_col, "COLUMNS", 80), known(size.ws_row, "LINES", 24))
    }
}

/// What a piece of text means to the reader; the palette decides how that looks.
enum Tone: CaseIterable {
    case plain, heading, faint, good, bad, notice

    /// The terminal's number of it; empty for none.
    var code: String {
        switch self {
        case .plain: ""
        case .heading: "1"
        case .faint: "2"
        case .good: "32"
        case .bad: "31"
        case .notice: "33"
        }
    }
}

/// Gives tones their colour, or leaves text as it is.
struct Palette {
    let isColoured: Bool

    func paint(_ text: String, _ tone: Tone) -> String {
        guard isColoured, !text.isEmpty, tone != .plain else { return text }
        return "\(Self.escape)\(tone.code)m\(text)\(Self.escape)0m"
    }

    /// Behind it stand a tone's code and `m`; nothing else that is printed has it.
    static let escape = "\u{1B}["
}
