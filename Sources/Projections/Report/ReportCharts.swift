import Core

/// The charts of a report as inline SVG. Places along an axis are percentages and letters have pixels,
/// so a chart fits any width and its words stay readable. Nothing is computed in floating point.
struct ReportCharts {
    private static let plotHeight = 160
    private static let axisHeight = 24

    /// A row of bars over time, with its numbers as a table.
    static func overTime(
        _ id: String, _ title: String, _ buckets: TimeBuckets, to html: inout HTMLWriter,
        value: (TimeBuckets.Bucket) -> Int
    ) {
        let values = buckets.buckets.map(value)
        let most = values.max() ?? 0
        let total = values.reduce(0, +)
        let scale = Scale(covering: most)
        html.element("figure") { html in
            html.element("figcaption", [("id", "\(id)-title")], title)
            html.element("div", [("class", "chart")]) { html in
                axis(scale, to: &html)
                html.open(
                    "svg",
                    [
                        ("class", "plot"), ("role", "img"),
                        ("aria-labelledby", "\(id)-title \(id)-text"),
                        ("height", "\(plotHeight + axisHeight)"), ("width", "100%"),
                    ])
                let highest = zip(buckets.buckets, values).first { $0.1 == most }?.0
                let peak = highest.map { ", at most \(most) (\(buckets.label($0)))" } ?? ""
                html.element("desc", [("id", "\(id)-text")], "\(total) in all\(peak).")
                lines(scale, to: &html)
                bars(buckets, values, scale, to: &html)
                labels(buckets, to: &html)
                html.literal("</svg>")
            }
            numbers(id, title, buckets, values, to: &html)
        }
    }

    private static func axis(_ scale: Scale, to html: inout HTMLWriter) {
        html.element(
            "svg",
            [
                ("class", "scale"), ("aria-hidden", "true"), ("width", "48"),
                ("height", "\(plotHeight + axisHeight)"),
            ]
        ) { html in
            for mark in scale.marks {
                html.element(
                    "text", [("x", "42"), ("y", "\(y(mark, scale) + 4)"), ("class", "end")],
                    Figures.grouped(mark))
            }
        }
    }

    private static func lines(_ scale: Scale, to html: inout HTMLWriter) {
        for mark in scale.marks {
            html.element(
                "line",
                [
                    ("x1", "0"), ("x2", "100%"), ("y1", "\(y(mark, scale))"),
                    ("y2", "\(y(mark, scale))"), ("class", mark == 0 ? "base" : "grid"),
                ], "")
        }
    }

    private static func bars(
        _ buckets: TimeBuckets, _ values: [Int], _ scale: Scale, to html: inout HTMLWriter
    ) {
        let count = values.count
        for (index, value) in values.enumerated() where value > 0 {
            let top = min(y(value, scale), y(0, scale) - 1)  // even a single event is seen
            html.element(
                "rect",
                [
                    ("x", percent(index * 20 + 3, of: count * 20)), ("y", "\(top)"),
                    ("width", percent(14, of: max(count, 8) * 20)),
                    ("height", "\(y(0, scale) - top)"),
                ]
            ) { html in
                html.element(
                    "title", [],
                    "\(buckets.label(buckets.buckets[index])): \(Figures.grouped(value))")
            }
        }
    }

    /// The first and the last one, and where there is room three between them.
    private static func labels(_ buckets: TimeBuckets, to html: inout HTMLWriter) {
        let count = buckets.buckets.count
        guard count > 0 else { return }
        let places = Set([0, count / 4, count / 2, count * 3 / 4, count - 1]).sorted()
        for place in count < 9 ? [0, count - 1].uniqued : places {
            let isEdge = place == 0 || place == count - 1
            let anchor = place == 0 ? "start" : place == count - 1 ? "end" : "middle"
            // The middle one stays on a narrow screen, its neighbours go.
            let isShown = isEdge || place == count / 2
            html.element(
                "text",
                [
                    (
                        "x",
                        place == 0
                            ? "0"
                            : anchor == "end" && count > 1
                                ? "100%" : percent(place * 2 + 1, of: count * 2)
                    ),
                    ("y", "\(plotHeight + 18)"),
                    ("class", isShown ? anchor : "\(anchor) wide"),
                ], buckets.label(buckets.buckets[place]))
        }
    }

    private static func numbers(
        _ id: String, _ title: String, _ buckets: TimeBuckets, _ values: [Int],
        to html: inout HTMLWriter
    ) {
        html.element("details") { html in
            html.element("summary", [], "The numbers as a table")
            html.element("table") { html in
                html.element("caption", [("class", "unseen")], title)
                html.literal("<thead><tr>")
                html.element("th", [("scope", "col")], buckets.unit.rawValue)
                html.element("th", [("scope", "col"), ("class", "number")], "events")
                html.literal("</tr></thead><tbody>")
                for (bucket, value) in zip(buckets.buckets, values) where value > 0 {
                    html.element("tr") { html in
                        html.element("th", [("scope", "row")], buckets.label(bucket))
                        html.element("td", [("class", "number")], Figures.grouped(value))
                    }
                }
                html.literal("</tbody>")
            }
        }
    }

    /// Bars lying on their side, each under its name; the table that follows it has the numbers.
    static func ranking(
        _ id: String, _ title: String, _ rows: [(name: String, value: Int)],
        to html: inout HTMLWriter
    ) {
        let most = max(1, rows.map(\.value).max() ?? 1)
        let height = 40
        html.element("figure") { html in
            html.element("figcaption", [("id", "\(id)-title")], title)
            html.open(
                "svg",
                [
                    ("class", "plot"), ("role", "img"),
                    ("aria-labelledby", "\(id)-title \(id)-text"), ("width", "100%"),
                    ("height", "\(rows.count * height)"),
                ])
            html.element(
                "desc", [("id", "\(id)-text")],
                rows.map { "\($0.name) \(Figures.grouped($0.value))" }.joined(separator: " "))
            for (index, row) in rows.enumerated() {
                let top = index * height
                html.element(
                    "text", [("x", "0"), ("y", "\(top + 15)"), ("class", "name")], row.name)
                html.element(
                    "text", [("x", "100%"), ("y", "\(top + 15)"), ("class", "end")],
                    Figures.grouped(row.value))
                html.element(
                    "rect",
                    [
                        ("x", "0"), ("y", "\(top + 22)"), ("height", "8"), ("width", "100%"),
                        ("class", "track"),
                    ], "")
                html.element(
                    "rect",
                    [
                        ("x", "0"), ("y", "\(top + 22)"), ("height", "8"),
                        ("width", percent(max(1, row.value * 1000 / most), of: 1000)),
                    ], "")
            }
            html.literal("</svg>")
        }
    }

    private static func y(_ value: Int, _ scale: Scale) -> Int {
        plotHeight - value * (plotHeight - 10) / max(1, scale.top)
    }

    /// With two decimals, rounded down.
    private static func percent(_ part: Int, of whole: Int) -> String {
        let hundredths = part * 10_000 / max(1, whole)
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
    }
}

/// Marks at round numbers from zero to where every bar fits.
private struct Scale {
    let marks: [Int]
    var top: Int { marks.last ?? 1 }

    init(covering most: Int) {
        var step = 1
        var factors = [2, 5, 10][...]
        var power = 1
        while step * 4 < most {
            if factors.isEmpty {
                factors = [2, 5, 10]
                power *= 10
            }
            step = power * (factors.popFirst() ?? 10)
        }
        let count = max(1, (most + step - 1) / step)
        marks = (0...count).map { $0 * step }
    }
}

/// Numbers as people read them.
enum Figures {
    /// With thin spaces between groups of three digits.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "\u{202F}" }
            text.append(digit)
        }
        return text
    }
}

extension [Int] {
    fileprivate var uniqued: [Int] { Set(self).sorted() }
}
