internal import Engine

/// Events as they come, in a table whose columns settle after the first rows.
struct EventTable {
    private var table: Table
    private let isWide: Bool
    private var widths: [Int]?

    /// As many as are read before the widths are fixed: about two screens.
    private static let sample = 100

    /// Under so many columns there is no room for who, which revision and what.
    private static let wide = 90

    init(for output: Output) {
        isWide = output.width >= Self.wide
        let columns = [
            Table.Column(title: "position", isNumber: true),
            Table.Column(title: "at"),
            Table.Column(title: "type"),
            Table.Column(title: "stream"),
        ]
        let more = [
            Table.Column(title: "rev", isNumber: true),
            Table.Column(title: "by"),
            Table.Column(title: "data", canShrink: true),
        ]
        table = Table(isWide ? columns + more : columns)
    }

    mutating func add(_ event: Document, to output: Output) throws(EngineError) {
        let value = event.value
        let cells = [
            Table.Cell(value["position"].short, .heading),
            Table.Cell(value["at"].short),
            Table.Cell(value["type"].short, .good),
            Table.Cell(value["stream"].short),
        ]
        let more = [
            Table.Cell(value["revision"].short, .faint),
            Table.Cell(value["by"].short),
            Table.Cell(value["data"].short, .faint),
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
