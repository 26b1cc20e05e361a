/// Rows of short texts under headings, aligned, and narrowed until they fit.
struct TextTable {
    struct Column {
        let title: String
        /// Numbers stand to the right.
        var isNumber = false
        /// Whether this column gives way first when the terminal is narrow.
        var canShrink = false
    }

    /// Printable text with its meaning. Whatever comes from a journal passes through `init`.
    struct Cell {
        let text: String
        let tone: Tone

        init(_ text: String, _ tone: Tone = .plain) {
            self.text = Printable.line(text)
            self.tone = tone
        }
    }

    let columns: [Column]
    var rows: [[Cell]] = []

    private static let gap = "  "
    private static let narrowest = 6

    init(_ columns: [Column], rows: [[Cell]] = []) {
        self.columns = columns
        self.rows = rows
    }

    /// All lines: the headings, then the rows.
    func lines(in width: Int, _ palette: Palette) -> [String] {
        let widths = widths(in: width)
        return [heading(widths, palette)] + rows.map { line($0, widths, palette) }
    }

    /// What all columns take when nothing is shortened.
    var naturalWidth: Int {
        total(naturalWidths)
    }

    private func total(_ widths: [Int]) -> Int {
        widths.reduce(Self.gap.count * (columns.count - 1), +)
    }

    private var naturalWidths: [Int] {
        var widths = columns.map { Printable.columns(of: $0.title) }
        for row in rows {
            for (index, cell) in row.enumerated() where index < widths.count {
                widths[index] = max(widths[index], Printable.columns(of: cell.text))
            }
        }
        return widths
    }

    /// The width of each column for the rows so far.
    func widths(in width: Int) -> [Int] {
        var widths = naturalWidths
        var surplus = total(widths) - width
        for isWilling in [true, false] {  // those that can shrink first, then all
            while surplus > 0 {
                let candidates = widths.indices.filter {
                    widths[$0] > Self.narrowest && (columns[$0].canShrink || !isWilling)
                }
                guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
                let next = candidates.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
                let step = min(surplus, max(1, widths[widest] - max(next, Self.narrowest)))
                widths[widest] -= step
                surplus -= step
            }
        }
        return widths
    }

    func heading(_ widths: [Int], _ palette: Palette) -> String {
        line(columns.map { Cell($0.title, .heading) }, widths, palette)
    }

    func line(_ cells: [Cell], _ widths: [Int], _ palette: Palette) -> String {
        var line = ""
        for (index, column) in columns.enumerated() {
            let cell = index < cells.count ? cells[index] : Cell("")
            let text = Printable.shortened(cell.text, to: widths[index])
            let room = max(0, widths[index] - Printable.columns(of: text))
            let space = String(repeating: " ", count: room)
            let painted = palette.paint(text, cell.tone)
            let isLast = index == columns.count - 1
            line += column.isNumber ? space + painted : painted + (isLast ? "" : space)
            if !isLast { line += Self.gap }
        }
        return line
    }
}
