internal import Engine

/// One line of a screen: pieces of printable text, each with its meaning.
struct ScreenLine {
    struct Piece {
        let text: String
        let tone: Tone
    }

    private(set) var pieces: [Piece]

    init(_ pieces: [Piece] = []) { self.pieces = pieces }

    init(_ text: String, _ tone: Tone = .plain) { pieces = [Piece(text: text, tone: tone)] }

    /// Of a line that a palette has painted.
    init(painted: String) {
        var pieces: [Piece] = []
        for (index, part) in painted.split(
            separator: Palette.escape, omittingEmptySubsequences: false
        ).enumerated() {
            guard index > 0 else {
                if !part.isEmpty { pieces.append(Piece(text: String(part), tone: .plain)) }
                continue
            }
            let code = part.prefix { $0 != "m" }
            let text = part.dropFirst(code.count + 1)
            guard !text.isEmpty else { continue }
            pieces.append(
                Piece(text: String(text), tone: Tone.allCases.first { $0.code == code } ?? .plain))
        }
        self.pieces = pieces
    }

    var text: String { pieces.map(\.text).joined() }
    var width: Int { pieces.reduce(0) { $0 + Printable.columns(of: $1.text) } }

    static func + (left: ScreenLine, right: ScreenLine) -> ScreenLine {
        ScreenLine(left.pieces + right.pieces)
    }

    /// The same in another tone, where it has none of its own.
    func toned(_ tone: Tone) -> ScreenLine {
        ScreenLine(pieces.map { Piece(text: $0.text, tone: $0.tone == .plain ? tone : $0.tone) })
    }

    /// Lines of so many columns that say all of it, broken behind a space where there is one in the second half.
    func wrapped(to width: Int) -> [ScreenLine] {
        guard width > 0, self.width > width else { return [self] }
        let signs = pieces.flatMap { piece in
            piece.text.map {
                (text: $0, tone: piece.tone, columns: Printable.columns(of: String($0)))
            }
        }
        var lines: [ScreenLine] = []
        var start = 0
        while start < signs.count {
            var end = start
            var used = 0
            while end < signs.count, used + signs[end].columns <= width || end == start {
                used += signs[end].columns
                end += 1
            }
            if end < signs.count,
                let space = signs[start..<end].lastIndex(where: { $0.text == " " }),
                space - start >= (end - start) / 2
            {
                end = space + 1
            }
            lines.append(
                ScreenLine(
                    signs[start..<end].map { Piece(text: String($0.text), tone: $0.tone) }))
            start = end
        }
        return lines
    }

    /// Exactly so many columns: shortened, or filled up with spaces.
    func fitted(to width: Int) -> ScreenLine {
        let own = self.width
        if own <= width {
            return self + ScreenLine(String(repeating: " ", count: width - own))
        }
        var pieces: [Piece] = []
        var left = width
        for piece in self.pieces where left > 0 {
            let columns = Printable.columns(of: piece.text)
            // Where more follows, the sign that something is missing needs its column.
            let text = columns < left ? piece.text : Printable.shortened(piece.text + "…", to: left)
            pieces.append(Piece(text: text, tone: piece.tone))
            left -= Printable.columns(of: text)
        }
        return ScreenLine(pieces + [Piece(text: String(repeating: " ", count: left), tone: .plain)])
    }

    func painted(_ palette: Palette) -> String {
        var text = ""
        var rest = pieces[...]
        while let first = rest.first {
            let alike = rest.prefix { $0.tone == first.tone }
            text += palette.paint(alike.map(\.text).joined(), first.tone)
            rest = rest.dropFirst(alike.count)
        }
        return text
    }
}
