internal import Engine

/// How often, drawn: one bar for each range of a distribution, as `[{"count":3,"from":90,"to":100}]`.
struct BarChart {
    private struct Bar {
        let label: String
        let count: Double
        let digits: String
    }

    private let bars: [Bar]

    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let longest = 60

    /// Nil unless every item is a count of a range.
    init?(_ items: [Document.Value]) {
        var bars: [Bar] = []
        for item in items {
            guard case .object(let members) = item, members.count == 3,
                case .number(let digits) = item["count"], let count = Double(digits), count >= 0,
                item["from"].isScalar, item["to"].isScalar,
                Set(members.map(\.name)) == ["count", "from", "to"]
            else { return nil }
            let label = Printable.line("\(item["from"].short)–\(item["to"].short)")
            bars.append(Bar(label: label, count: count, digits: digits))
        }
        guard !bars.isEmpty else { return nil }
        self.bars = bars
    }

    func lines(in width: Int, _ palette: Palette) -> [String] {
        let labels = bars.map { Printable.columns(of: $0.label) }.max() ?? 0
        let digits = bars.map(\.digits.count).max() ?? 0
        let room = max(8, min(Self.longest, width - labels - digits - 4))
        let most = bars.map(\.count).max() ?? 0
        return bars.map { bar in
            let space = String(repeating: " ", count: labels - Printable.columns(of: bar.label))
            let before = String(repeating: " ", count: digits - bar.digits.count)
            let drawn = Self.bar(bar.count, of: most, in: room)
            let start = "\(space)\(bar.label)  \(before)\(bar.digits)"
            return drawn.isEmpty ? start : "\(start)  \(palette.paint(drawn, .good))"
        }
    }

    /// As long as its share; whatever is not nothing shows at least an eighth.
    private static func bar(_ count: Double, of most: Double, in room: Int) -> String {
        guard count > 0, most > 0 else { return "" }
        let parts = max(1, Int((count / most * Double(room * 8)).rounded()))
        return String(repeating: "█", count: parts / 8) + eighths[parts % 8]
    }
}
