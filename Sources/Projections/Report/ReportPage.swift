import Core

/// Lays an audit report out as one HTML page that needs nothing else: no script, no font, no picture.
package struct ReportPage: Sendable {
    private let report: AuditReport
    private let buckets: TimeBuckets

    package init(_ report: AuditReport) {
        self.report = report
        buckets = TimeBuckets(report.days)
    }

    package var bytes: [UInt8] {
        var html = HTMLWriter()
        html.literal("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        html.literal(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        // Were a text ever taken for markup, it could still neither run nor load anything.
        html.literal(
            "<meta http-equiv=\"Content-Security-Policy\" "
        )
        html.literal("content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
        html.element("title", [], "Audit report, \(period)")
        html.literal("\n<style>\n")
        html.literal(ReportStyle.css)
        html.literal("\n</style>\n</head>\n<body>\n")
        writeHeader(to: &html)
        html.literal("<main>\n")
        writeSummary(to: &html)
        writeActivity(to: &html)
        ReportTables.writeActors(report, to: &html)
        ReportTables.writeActs(
            "refusals", "Refusals", "Tries that were refused and recorded, newest first.",
            "No refusal was recorded in this period.", report.refusals, to: &html)
        ReportTables.writeActs(
            "erasures", "Erasures",
            "People whose personal data was destroyed, newest first. What was erased reads null "
                + "everywhere, in past events too; positions and proofs stay as they were.",
            "Nobody's personal data was erased in this period.", report.erasures, to: &html)
        ReportTables.writeActs(
            "administration", "Administrative acts",
            "Uses of power over people and rules: accounts, blocks, extra time, grades, results, "
                + "policies, data that left or came in. Newest first.",
            "There was no administrative act in this period.", report.administrative, to: &html)
        writeIntegrity(to: &html)
        html.literal("</main>\n")
        writeFooter(to: &html)
        html.literal("</body>\n</html>\n")
        return html.bytes
    }

    private var period: String {
        switch (report.from, report.to) {
        case (nil, nil): "the whole journal"
        case (let from?, nil): "from \(ReportText.instant(from))"
        case (nil, let to?): "up to \(ReportText.instant(to))"
        case (let from?, let to?): "\(ReportText.instant(from)) to \(ReportText.instant(to))"
        }
    }

    private static let sections: [(id: String, title: String)] = [
        ("summary", "Summary"), ("activity", "Activity"), ("actors", "Who did what"),
        ("refusals", "Refusals"), ("erasures", "Erasures"),
        ("administration", "Administrative acts"), ("integrity", "Integrity"),
    ]

    private func writeHeader(to html: inout HTMLWriter) {
        html.element("header") { html in
            html.element("h1", [], "Audit report")
            let position = Figures.grouped(Int(clamping: report.integrity.position.number))
            html.element(
                "p", [("class", "lead")],
                "Period: \(period), both ends included. As of position \(position).")
            html.element("nav", [("aria-label", "Sections")]) { html in
                html.element("ul") { html in
                    for (id, title) in Self.sections {
                        html.element("li") { html in
                            html.element("a", [("href", "#\(id)")], title)
                        }
                    }
                }
            }
        }
        html.newline()
    }

    private func writeSummary(to html: inout HTMLWriter) {
        ReportTables.section("summary", "Summary", to: &html) { html in
            html.element("dl", [("class", "facts")]) { html in
                fact("Events", report.events, to: &html)
                fact("People", report.people, to: &html)
                fact("Actors", report.actorCount, to: &html)
                fact("Streams", report.streams, to: &html)
                fact("Refusals", report.refusals.total, alarms: true, to: &html)
                fact("Erasures", report.erasures.total, to: &html)
                fact("Administrative acts", report.administrative.total, to: &html)
                for (name, instant) in [("First event", report.first), ("Last event", report.last)]
                {
                    html.element("div") { html in
                        html.element("dt", [], name)
                        html.element(
                            "dd", [("class", "small")], instant.map(ReportText.instant) ?? "none")
                    }
                }
                for product in report.products {
                    let isShared = product.name.isExactly(PayloadType(AccountErased.self).product)
                    fact(
                        isShared ? "Events of no product" : "Events of \(product.name)",
                        product.events, to: &html)
                }
            }
            html.element(
                "p", [("class", "note")],
                "People are those whom events are about. Actors are those who acted, the system "
                    + "and services among them. All instants are in UTC.")
        }
    }

    private func fact(
        _ name: String, _ number: Int, alarms: Bool = false, to html: inout HTMLWriter
    ) {
        html.element("div") { html in
            html.element("dt", [], name)
            html.element(
                "dd", alarms && number > 0 ? [("class", "alarm")] : [], Figures.grouped(number))
        }
    }

    private static let mostBars = 12

    private func writeActivity(to html: inout HTMLWriter) {
        ReportTables.section("activity", "Activity", to: &html) { html in
            guard report.events > 0 else {
                html.element("p", [], "Nothing happened in this period.")
                return
            }
            let unit = buckets.unit.rawValue
            ReportCharts.overTime("events", "Events a \(unit)", buckets, to: &html) { $0.events }
            if report.refusals.total > 0 {
                html.element("div", [("class", "alarming")]) { html in
                    ReportCharts.overTime("refused", "Refusals a \(unit)", buckets, to: &html) {
                        $0.refusals
                    }
                }
            }
            // Products have types with the same sentence.
            let isMixed = report.products.count > 1
            let rows = report.kinds.prefix(Self.mostBars).map {
                (
                    name: isMixed ? "\($0.type.sentence) (\($0.type.product))" : $0.type.sentence,
                    value: $0.events
                )
            }
            ReportCharts.ranking("types", "Events by type", rows, to: &html)
            let others = report.kinds.dropFirst(Self.mostBars)
            if !others.isEmpty {
                let count = Figures.grouped(others.reduce(0) { $0 + $1.events })
                html.element(
                    "p", [("class", "note")],
                    "\(others.count) other types have \(count) events together; the table has them all."
                )
            }
            ReportTables.writeKinds(report, to: &html)
        }
    }

    private func writeIntegrity(to html: inout HTMLWriter) {
        let statement = report.integrity
        ReportTables.section("integrity", "Integrity", to: &html) { html in
            html.element(
                "p", [],
                "Every commit of the journal carries a checksum that covers all commits before it. "
                    + "Whoever holds the journal can compare what stands here with it.")
            html.element("div", [("class", "seal")]) { html in
                html.element("dl") { html in
                    item("Journal", statement.journal, to: &html)
                    item(
                        "Position of the last event",
                        Figures.grouped(Int(clamping: statement.position.number)), to: &html)
                    item("Checksum of the last commit", statement.chain, to: &html)
                    if let root = statement.treeRoot { item("Root of the tree", root, to: &html) }
                    html.element("dt", [], "Checkpoint")
                    html.element("dd") { html in
                        if let checkpoint = statement.checkpoint {
                            html.element("pre", [("class", "code")], checkpoint)
                            html.text(
                                !statement.holds
                                    ? "THE JOURNAL DOES NOT HAVE THE ROOT THAT WAS SIGNED: run verify."
                                    : statement.isSigned
                                        ? "The journal has the root that was signed."
                                        : "The journal has the root that this names, AND NO KEY THAT IS KEPT BESIDE IT SIGNED THAT: run verify."
                            )
                        } else {
                            html.text("no checkpoint has been made")
                        }
                    }
                }
            }
            html.element("p", [("class", "note")]) { html in
                html.literal(
                    "To check the journal itself: <code>replay verify --journal DIR</code>.")
            }
        }
    }

    private func item(_ name: String, _ value: String, to html: inout HTMLWriter) {
        html.element("dt", [], name)
        html.element("dd", [("class", "code")], value)
    }

    private func writeFooter(to html: inout HTMLWriter) {
        html.element("footer") { html in
            html.text(
                "Made from the journal alone: the same journal and period give the same bytes. "
                    + "Personal fields are left out. This page has no script and loads nothing.")
        }
        html.newline()
    }
}
