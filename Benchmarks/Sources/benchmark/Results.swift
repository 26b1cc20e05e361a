/// What was measured, in the order of measuring.
struct Results {
    /// One line of the table: Sijill beside raw LMDB.
    struct Line {
        let name: String
        let unit: String
        let engine: Double?
        let raw: Double?
        /// Whether a greater number is better.
        var isRate = true
        var note = ""

        /// How many times as good as raw LMDB.
        var ratio: Double? {
            guard let engine, let raw, engine > 0, raw > 0 else { return nil }
            return isRate ? engine / raw : raw / engine
        }
    }

    private(set) var lines: [Line] = []

    mutating func add(_ line: Line) {
        lines.append(line)
        Measure.say(
            "\(line.name): \(Self.number(line.engine)) \(line.unit), raw \(Self.number(line.raw)) \(line.note)"
        )
    }

    var table: String {
        var rows = [["workload", "unit", "Sijill", "raw LMDB", "× raw", "note"]]
        rows += lines.map {
            [
                $0.name, $0.unit, Self.number($0.engine), Self.number($0.raw),
                $0.ratio.map { Self.number($0) } ?? "", $0.note,
            ]
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        func cells(_ row: [String]) -> String {
            let padded = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return (2...4).contains(column) ? space + row[column] : row[column] + space
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = widths.indices.map { column in
            String(repeating: "-", count: max(3, widths[column]) - 1)
                + ((2...4).contains(column) ? ":" : "-")
        }
        return
            ([cells(rows[0]), "| " + rule.joined(separator: " | ") + " |"]
            + rows.dropFirst().map(cells)).joined(separator: "\n")
    }

    var json: String {
        let entries = lines.map { line in
            var members = ["\"workload\":\"\(line.name)\"", "\"unit\":\"\(line.unit)\""]
            if let engine = line.engine { members.append("\"sijill\":\(engine)") }
            if let raw = line.raw { members.append("\"rawLMDB\":\(raw)") }
            if let ratio = line.ratio { members.append("\"timesRaw\":\(ratio)") }
            if !line.note.isEmpty { members.append("\"note\":\"\(line.note)\"") }
            return "{" + members.joined(separator: ",") + "}"
        }
        return "[\n" + entries.joined(separator: ",\n") + "\n]"
    }

    /// Three significant figures, thousands apart.
    static func number(_ value: Double?) -> String {
        guard let value else { return "" }
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
