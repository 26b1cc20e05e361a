internal import Engine

/// Any document for a person's eyes: names beside values, lists of objects as tables where these fit and as blocks where
/// they do not, distributions as bar charts. What is simple comes before what has parts; nothing is cut.
struct Layout {
    let palette: Palette
    let width: Int
    /// The names of members in the order in which the page lists them; others come after them.
    var order: [String] = []

    private static let step = 2
    /// What a list of events can do without, least missed first.
    private static let dispensable = [
        "version", "cause", "tags", "recordedAt", "device", "command", "type",
    ]

    private typealias Members = [(name: String, value: Document.Value)]

    func lines(_ value: Document.Value, indent: Int = 0) -> [String] {
        switch value {
        case .object(let members): object(arranged(members), indent)
        case .array(let items): array(items, indent)
        default: [margin(indent) + painted(value)]
        }
    }

    /// As the page lists them; the sort is stable, so that others stay as they are.
    private func arranged(_ members: Members) -> Members {
        members.enumerated().sorted { left, right in
            let ranks = (rank(left.element.name), rank(right.element.name))
            return ranks.0 != ranks.1 ? ranks.0 < ranks.1 : left.offset < right.offset
        }.map(\.element)
    }

    private func rank(_ name: String) -> Int { order.firstIndex(of: name) ?? order.count }

    private func object(_ members: Members, _ indent: Int) -> [String] {
        guard !members.isEmpty else { return [margin(indent) + palette.paint("empty", .faint)] }
        if let table = records(members), fits(table, indent) { return indented(table, indent) }
        let simple = members.filter { isInline($0.value) }
        let names = simple.map { Printable.columns(of: Printable.line($0.name)) }.max() ?? 0
        var lines = simple.flatMap { line($0.name, $0.value, names, indent) }
        for member in members where !isInline(member.value) {
            if !lines.isEmpty, indent == 0 { lines.append("") }
            lines.append(margin(indent) + palette.paint(Printable.line(member.name), .heading))
            lines += self.lines(member.value, indent: indent + Self.step)
        }
        return lines
    }

    /// A name and its value, side by side where both fit, else the value below.
    private func line(
        _ name: String, _ value: Document.Value, _ names: Int, _ indent: Int
    ) -> [String] {
        let text = Printable.line(name)
        let heading = margin(indent) + palette.paint(text, .heading)
        guard indent + names + 2 + Printable.columns(of: Printable.line(value.short)) > width else {
            return [heading + margin(names - Printable.columns(of: text) + 2) + painted(value)]
        }
        return [heading, margin(indent + Self.step) + painted(value)]
    }

    private func array(_ items: [Document.Value], _ indent: Int) -> [String] {
        if items.isEmpty { return [margin(indent) + palette.paint("none", .faint)] }
        if let chart = BarChart(items) {
            return chart.lines(in: width - indent, palette).map { margin(indent) + $0 }
        }
        if let table = table(items, indent) { return indented(table, indent) }
        return items.flatMap { block($0, indent) }
    }

    /// One of several things, each behind a dash.
    private func block(_ item: Document.Value, _ indent: Int) -> [String] {
        let lines = lines(item, indent: indent + Self.step)
        guard let first = lines.first else { return [] }
        let dash = margin(indent) + palette.paint("-", .faint) + margin(Self.step - 1)
        return [dash + first.dropFirst(indent + Self.step)] + lines.dropFirst()
    }

    /// A list of objects of simple members, if it fits: a column for each name. Of a list of events, without what it can
    /// do without.
    private func table(_ items: [Document.Value], _ indent: Int) -> TextTable? {
        var names: [String] = []
        var rows: [Members] = []
        for item in items {
            guard case .object(let members) = item, members.allSatisfy({ isInline($0.value) })
            else { return nil }
            for member in arranged(members) where !names.contains(member.name) {
                names.append(member.name)
            }
            rows.append(members)
        }
        while !fits(table(names, rows), indent) {
            guard names.contains("position"), let name = dispensable(of: names) else { return nil }
            names.removeAll { $0 == name }
        }
        return table(names, rows)
    }

    /// The column that a narrow terminal misses least; `--json` has them all.
    private func dispensable(of names: [String]) -> String? {
        Self.dispensable.first { names.contains($0) }
    }

    private func fits(_ table: TextTable, _ indent: Int) -> Bool {
        table.naturalWidth <= width - indent
    }

    /// An object whose members are alike: a table too, with the names in the first column.
    private func records(_ members: Members) -> TextTable? {
        guard members.count > 1 else { return nil }
        var names: [String] = []
        var rows: [Members] = []
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

    private func table(_ names: [String], _ rows: [Members]) -> TextTable {
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
        var layout = Layout(palette: palette, width: width)
        layout.order = document.memberOrder
        try lines(layout.lines(document.value))
    }
}
