internal import Engine

/// How far long work has come, on one line of standard error that is wiped out at the end.
/// Nothing at all unless standard error is a terminal.
final class ProgressBar {
    private let isShown: Bool
    private let width: Int
    private let start = ContinuousClock.now
    private var drawn: ContinuousClock.Instant?
    private var isOnScreen = false

    /// A person sees no difference between ten drawings a second and more.
    private static let pause = Duration.milliseconds(100)

    init() {
        isShown = Terminal.takesEscapes(StandardStreams.notes)
        width = isShown ? Terminal.width(StandardStreams.notes) : 0
    }

    deinit {
        clear()
    }

    func update(_ progress: Progress) {
        update(progress.done, of: progress.total, progress.what)
    }

    /// `total` is zero when nobody knows it.
    func update(_ done: UInt64, of total: UInt64, _ what: String) {
        guard isShown else { return }
        let now = ContinuousClock.now
        if let drawn, now - drawn < Self.pause { return }
        drawn = now
        let rate = UInt64(Double(done) / max(0.001, (now - start).seconds))
        let text = Printable.line(what)
        let figures = " \(Figures.grouped(done)) (\(Figures.grouped(rate))/s)"
        var line = text + figures
        if total > 0 {
            let share = min(1, Double(done) / Double(total))
            let percent = "\(Int(share * 100))%"
            let room = max(4, min(30, width - Printable.columns(of: line) - 8))
            let full = Int(share * Double(room))
            let bar =
                String(repeating: "█", count: full) + String(repeating: "░", count: room - full)
            line = "\(text) \(bar) \(percent)\(figures)"
        }
        send("\r\u{1B}[K" + Printable.shortened(line, to: width - 1))
        isOnScreen = true
    }

    /// Makes room for other lines; the next update draws it again.
    func clear() {
        guard isOnScreen else { return }
        send("\r\u{1B}[K")
        isOnScreen = false
        drawn = nil
    }

    private func send(_ text: String) {
        _ = StandardStreams.send(Array(text.utf8), to: StandardStreams.notes)
    }
}

/// Numbers as people read them; never in JSON.
enum Figures {
    /// `1,234,567`
    static func grouped(_ number: some BinaryInteger) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// `2 events`, `1 event`
    static func counted(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// `0.125`: seconds with milliseconds.
    static func seconds(_ seconds: Double) -> String {
        let milliseconds = Int((max(0, seconds) * 1000).rounded())
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return "\(milliseconds / 1000).\(fraction)"
    }
}

extension Duration {
    var seconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }
}
