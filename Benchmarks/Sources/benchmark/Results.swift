/// What was measured, in the order of measuring.
struct Results {
    /// One line of the table.
    struct Line {
        let name: String
        let value: Double
        let unit: String
        let note: String
    }

    private(set) var lines: [Line] = []

    mutating func add(_ name: String, _ value: Double, _ unit: String, _ note: String = "") {
        lines.append(Line(name: name, value: value, unit: unit, note: note))
        Measure.say("\(name): \(Self.number(value)) \(unit) \(note)")
    }

    var table: String {
        var rows = [["workload", "unit", "Sijill", "note"]]
        rows += lines.map { [$0.name, $0.unit, Self.number($0.value), $0.note] }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        func cells(_ row: [String]) -> String {
            let padded = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 2 ? space + row[column] : row[column] + space
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = widths.indices.map { column in
            String(repeating: "-", count: max(3, widths[column]) - 1) + (column == 2 ? ":" : "-")
        }
        return
            ([cells(rows[0]), "| " + rule.joined(separator: " | ") + " |"]
            + rows.dropFirst().map(cells)).joined(separator: "\n")
    }

    var json: String {
        let entries = lines.map { line in
            let note = line.note.isEmpty ? "" : ",\"note\":\"\(line.note)\""
            return
                "{\"workload\":\"\(line.name)\",\"unit\":\"\(line.unit)\",\"sijill\":\(line.value)\(note)}"
        }
        return "[\n" + entries.joined(separator: ",\n") + "\n]"
    }

    /// Three significant figures, thousands apart.
    static func number(_ value: Double) -> String {
        if value == 0 { return "0" }
        if value < 100 {
            let places = value < 1 ? 3 : value < 10 ? 2 : 1
            var scale = 1.0
            for _ in 0..<places { scale *= 10 }
            let text = "\((value * scale).rounded() / scale)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        var step = 1.0
        while value / step >= 1000 { step *= 10 }
        var digits = String(Int((value / step).rounded() * step))
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits = String(digits.dropLast(3))
        }
        return ([digits] + groups).joined(separator: ",")
    }
}
