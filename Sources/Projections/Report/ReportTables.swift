import Core

/// The sections and tables of a report.
enum ReportTables {
    static func section(
        _ id: String, _ title: String, to html: inout HTMLWriter,
        _ body: (inout HTMLWriter) -> Void
    ) {
        html.element("section", [("aria-labelledby", "\(id)")]) { html in
            html.element("h2", [("id", id)], title)
            html.newline()
            body(&html)
        }
        html.newline()
    }

    /// A table in a box that scrolls by itself where the screen is too narrow.
    private static func table(
        _ label: String, _ columns: [(title: String, isNumber: Bool)], stacks: Bool = false,
        to html: inout HTMLWriter, rows: (inout HTMLWriter) -> Void
    ) {
        html.element(
            "div",
            [("class", "scroll"), ("role", "region"), ("aria-label", label), ("tabindex", "0")]
        ) { html in
            html.element("table", stacks ? [("class", "stacks")] : []) { html in
                html.element("caption", [("class", "unseen")], label)
                html.element("thead") { html in
                    html.element("tr") { html in
                        for (title, isNumber) in columns {
                            html.element(
                                "th", [("scope", "col")] + (isNumber ? [("class", "number")] : []),
                                title)
                        }
                    }
                }
                html.element("tbody", [], rows)
            }
        }
        html.newline()
    }

    private static func number(_ value: Int, to html: inout HTMLWriter) {
        html.element("td", [("class", "number")], Figures.grouped(value))
    }

    static func writeKinds(_ report: AuditReport, to html: inout HTMLWriter) {
        table(
            "Events by type",
            [("Type", false), ("Events", true), ("First", false), ("Last", false)],
            to: &html
        ) { html in
            for kind in report.kinds {
                html.element("tr") { html in
                    html.element("th", [("scope", "row"), ("class", "what")]) { html in
                        html.text(kind.type.sentence)
                        html.element("small", [("class", "code")], kind.type.name)
                    }
                    number(kind.events, to: &html)
                    html.element("td", [("class", "when")], ReportText.instant(kind.first))
                    html.element("td", [("class", "when")], ReportText.instant(kind.last))
                }
                html.newline()
            }
        }
    }

    static func writeActors(_ report: AuditReport, to html: inout HTMLWriter) {
        section("actors", "Who did what", to: &html) { html in
            guard !report.actors.isEmpty else {
                html.element("p", [], "Nobody did anything in this period.")
                return
            }
            let rest = report.actorCount - report.actors.count
            let shown =
                rest > 0
                ? "The \(report.actors.count) most active of \(Figures.grouped(report.actorCount)) actors."
                : "Everyone who acted, the most active first."
            html.element("p", [("class", "note")], shown)
            table(
                "Actors",
                [
                    ("Actor", false), ("What they did", false), ("Events", true),
                    ("Refusals", true), ("Administrative", true),
                ], to: &html
            ) { html in
                for actor in report.actors { write(actor, to: &html) }
            }
        }
    }

    private static func write(_ actor: AuditReport.ActorRow, to html: inout HTMLWriter) {
        html.element("tr") { html in
            html.element("th", [("scope", "row"), ("class", "actor")]) { $0.recorded(actor.name) }
            html.element("td", [("class", "what")]) { html in
                html.element("ul", [("class", "kinds")]) { html in
                    for (sentence, events) in actor.kinds {
                        let words = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
                        html.element("li", [], "\(words)\u{A0}×\u{A0}\(Figures.grouped(events))")
                    }
                }
                let rest = actor.kindCount - actor.kinds.count
                if rest > 0 {
                    html.element("small", [], "and \(rest) other \(rest == 1 ? "type" : "types")")
                }
            }
            number(actor.events, to: &html)
            number(actor.refusals, to: &html)
            number(actor.administrative, to: &html)
        }
        html.newline()
    }

    static func writeActs(
        _ id: String, _ title: String, _ lead: String, _ none: String, _ acts: AuditReport.Acts,
        to html: inout HTMLWriter
    ) {
        section(id, title, to: &html) { html in
            guard acts.total > 0 else {
                html.element("p", [], none)
                return
            }
            html.element("p", [], lead)
            let rest = acts.total - acts.shown.count
            if rest > 0 {
                html.element(
                    "p", [("class", "note")],
                    "The newest \(Figures.grouped(acts.shown.count)) of \(Figures.grouped(acts.total)); "
                        + "a shorter period shows those before.")
            }
            table(
                title, [("When", false), ("Who", false), ("What", false)], stacks: true, to: &html
            ) { html in
                for act in acts.shown { write(act, to: &html) }
            }
        }
    }

    private static func write(_ act: AuditReport.Act, to html: inout HTMLWriter) {
        html.element("tr") { html in
            html.element("td", [("class", "when")]) { html in
                html.text(ReportText.instant(act.at))
                html.element(
                    "small", [], "position \(Figures.grouped(Int(clamping: act.position.number)))")
            }
            html.element("td", [("class", "actor")]) { html in
                html.recorded(act.actor)
                if !act.device.isEmpty {
                    html.element("small") { html in
                        html.text("on ")
                        html.recorded(act.device)
                    }
                }
            }
            html.element("td", [("class", "what")]) { html in
                html.text(act.sentence)
                html.element("small", [("class", "code")]) { $0.recorded(act.stream) }
                if !act.data.isEmpty {
                    html.element("dl", [("class", "data")]) { html in
                        for (name, value) in act.data {
                            html.element("dt") { $0.recorded(name) }
                            html.element("dd") { $0.recorded(value) }
                        }
                    }
                }
            }
        }
        html.newline()
    }
}

/// Words of a report.
enum ReportText {
    /// `2026-02-01 09:00:00`: in UTC, as the page says once.
    static func instant(_ instant: Instant) -> String {
        let text = "\(instant)"
        guard text.utf8.count >= 20 else { return text }
        return String(text.prefix(10)) + " " + text.dropFirst(11).dropLast()
    }
}
