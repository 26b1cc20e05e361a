internal import Engine

/// Events as they come, in a table whose columns settle after the first rows.
struct EventTable {
    private var table: TextTable
    private let isWide: Bool
    private var widths: [Int]?

    /// As many as are read before the widths are fixed: about two screens.
    private static let sample = 100

    /// Below this many columns, actor, revision and summary do not fit.
    private static let wide = 90

    init(for output: Output) {
        isWide = output.width >= Self.wide
        let columns = [
            TextTable.Column(title: "position", isNumber: true),
            TextTable.Column(title: "at"),
            TextTable.Column(title: "type"),
            TextTable.Column(title: "stream"),
        ]
        let more = [
            TextTable.Column(title: "rev", isNumber: true),
            TextTable.Column(title: "by"),
            TextTable.Column(title: "data", canShrink: true),
        ]
        table = TextTable(isWide ? columns + more : columns)
    }

    mutating func add(_ event: Document, to output: Output) throws(EngineError) {
        let value = event.value
        let cells = [
            TextTable.Cell(value["position"].short, .heading),
            TextTable.Cell(value["at"].short),
            TextTable.Cell(value["type"].short, .good),
            TextTable.Cell(value["stream"].short),
        ]
        let more = [
            TextTable.Cell(value["revision"].short, .faint),
            TextTable.Cell(value["by"].short),
            TextTable.Cell(value["data"].short, .faint),
        ]
        table.rows.append(isWide ? cells + more : cells)
        if table.rows.count >= Self.sample { try flush(to: output) }
    }

    /// Prints the rows that wait.
    mutating func flush(to output: Output) throws(EngineError) {
        guard !table.rows.isEmpty else { return }
        let widths: [Int]
        if let settled = self.widths {
            widths = settled
        } else {
            widths = table.widths(in: output.width)
            try output.line(table.heading(widths, output.palette))
            self.widths = widths
        }
        for row in table.rows { try output.line(table.line(row, widths, output.palette)) }
        table.rows.removeAll(keepingCapacity: true)
    }
}
