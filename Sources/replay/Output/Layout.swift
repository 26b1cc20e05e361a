internal import Engine

/// Any document for a person's eyes: names beside values, lists of objects as tables, distributions
/// as bar charts. What is simple comes before what has parts.
struct Layout {
    let palette: Palette
    let width: Int

    private static let step = 2
    /// What a list of events can do without, least missed first.
    private static let dispensable = [
        "version", "cause", "tags", "recordedAt", "device", "command", "type",
    ]

    init(for output: Output) {
        palette = output.palette
        width = output.width
    }

    func lines(_ value: Document.Value, indent: Int = 0) -> [String] {
        switch value {
        case .object(let members): object(members, indent)
        case .array(let items): array(items, indent)
        default: [margin(indent) + painted(value)]
        }
    }

    private func object(
        _ members: [(name: String, value: Document.Value)], _ indent: Int
    ) -> [String] {
        guard !members.isEmpty else { return [margin(indent) + palette.paint("empty", .faint)] }
        if let table = records(members) { return indented(table, indent) }
        let simple = members.filter { isInline($0.value) }
        let names = simple.map { Printable.columns(of: Printable.line($0.name)) }.max() ?? 0
        var lines = simple.map { member in
            let name = Printable.line(member.name)
            let space = String(repeating: " ", count: names - Printable.columns(of: name))
            return margin(indent) + palette.paint(name, .heading) + space + "  "
                + painted(member.value)
        }
        for member in members where !isInline(member.value) {
            if !lines.isEmpty, indent == 0 { lines.append("") }
            lines.append(margin(indent) + palette.paint(Printable.line(member.name), .heading))
            lines += self.lines(member.value, indent: indent + Self.step)
        }
        return lines
    }

    private func array(_ items: [Document.Value], _ indent: Int) -> [String] {
        if items.isEmpty { return [margin(indent) + palette.paint("none", .faint)] }
        if let chart = BarChart(items) {
            return chart.lines(in: width - indent, palette).map { margin(indent) + $0 }
        }
        if let table = table(items) { return indented(table, indent) }
        return items.flatMap { lines($0, indent: indent) }
    }

    /// A list of objects: a column for each name, in the order in which names first occur.
    private func table(_ items: [Document.Value]) -> TextTable? {
        var names: [String] = []
        var rows: [[(name: String, value: Document.Value)]] = []
        for item in items {
            guard case .object(let members) = item else { return nil }
            for member in members where !names.contains(member.name) { names.append(member.name) }
            rows.append(members)
        }
        while let name = dispensable(of: names), isTooWide(table(names, rows)) {
            names.removeAll { $0 == name }
        }
        return table(names, rows)
    }

    /// The column that a narrow terminal misses least; `--json` has them all.
    private func dispensable(of names: [String]) -> String? {
        Self.dispensable.first { names.contains($0) }
    }

    private func isTooWide(_ table: TextTable) -> Bool {
        table.naturalWidth > width
    }

    /// An object whose members are alike: a table too, with the names in the first column.
    private func records(_ members: [(name: String, value: Document.Value)]) -> TextTable? {
        guard members.count > 1 else { return nil }
        var names: [String] = []
        var rows: [[(name: String, value: Document.Value)]] = []
        for member in members {
            guard case .object(let parts) = member.value, !parts.isEmpty,
                parts.allSatisfy({ isInline($0.value) }),
                names.isEmpty || [""] + parts.map(\.name) == names
            else { return nil }
            names = [""] + parts.map(\.name)
            rows.append([(name: "", value: .string(member.name))] + parts)
        }
        return table(names, rows)
    }

    private func table(
        _ names: [String], _ rows: [[(name: String, value: Document.Value)]]
    ) -> TextTable {
        let columns = names.map { name in
            let cells = rows.compactMap { row in row.first { $0.name == name }?.value }
            let isNumber = cells.contains { $0.isNumber } && cells.allSatisfy { $0.isNumberOrNull }
            return TextTable.Column(
                title: Printable.line(name), isNumber: isNumber, canShrink: !isNumber)
        }
        let cells = rows.map { row in
            names.map { name in
                let value = row.first { $0.name == name }?.value
                return TextTable.Cell(value?.short ?? "", value.map(tone) ?? .plain)
            }
        }
        return TextTable(columns, rows: cells)
    }

    private func indented(_ table: TextTable, _ indent: Int) -> [String] {
        table.lines(in: width - indent, palette).map { margin(indent) + $0 }
    }

    /// Whether it fits beside its name: one thing, or a list of things on what is left of a line.
    private func isInline(_ value: Document.Value) -> Bool {
        guard case .array(let items) = value else { return value.isScalar }
        return items.allSatisfy(\.isScalar) && value.short.utf8.count <= width / 2
    }

    private func painted(_ value: Document.Value) -> String {
        palette.paint(Printable.line(value.short), tone(value))
    }

    private func tone(_ value: Document.Value) -> Tone {
        switch value {
        case .null: .faint
        case .array(let items) where items.isEmpty: .faint
        default: .plain
        }
    }

    private func margin(_ indent: Int) -> String {
        String(repeating: " ", count: indent)
    }
}

extension Document.Value {
    fileprivate var isNumberOrNull: Bool {
        switch self {
        case .null, .number: true
        default: false
        }
    }
}

extension Output {
    /// A document as this output wants it: JSON for programs, a layout for people.
    func show(_ document: Document) throws(EngineError) {
        guard isLaidOut else { return try self.document(document.bytes) }
        try lines(Layout(for: self).lines(document.value))
    }
}
