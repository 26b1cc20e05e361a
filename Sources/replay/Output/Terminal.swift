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
        var size = winsize()
        let answer = unsafe withUnsafeMutablePointer(to: &size) {
            unsafe ioctl(descriptor, UInt(TIOCGWINSZ), $0)
        }
        if answer == 0, size.ws_col > 0 { return max(20, Int(size.ws_col)) }
        return EnvironmentVariables["COLUMNS"].flatMap { Int($0) }.map { max(20, $0) } ?? 80
    }
}

/// What a piece of text means to the reader; the palette decides how that looks.
enum Tone {
    case plain, heading, faint, good, bad, notice
}

/// Gives tones their colour, or leaves text as it is.
struct Palette {
    let isColoured: Bool

    func paint(_ text: String, _ tone: Tone) -> String {
        guard isColoured, !text.isEmpty else { return text }
        let code =
            switch tone {
            case .plain: ""
            case .heading: "1"
            case .faint: "2"
            case .good: "32"
            case .bad: "31"
            case .notice: "33"
            }
        return code.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
