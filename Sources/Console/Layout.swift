import Core

/// What every page has round what it is about.
extension Visit {
    /// A whole page.
    ///
    /// - Parameters:
    ///   - section: which entry of the menu it belongs to.
    ///   - scripts: names of modules that add to it; the page is whole without them.
    ///   - isLoadedAgain: whether a browser without scripts asks for it again soon.
    func layout(
        _ title: String, section: String = "", scripts: [String] = [], status: Int = 200,
        isLoadedAgain: Bool = false,
        @MarkupBuilder _ content: () -> Markup
    ) -> PageAnswer {
        let inner = content()
        let root = element(
            "html",
            ["lang": language.rawValue, "dir": language.isRightToLeft ? "rtl" : "ltr"]
        ) {
            element("head") {
                element("meta", ["charset": "utf-8"])
                element(
                    "meta",
                    ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                element("meta", ["name": "color-scheme", "content": "light dark"])
                if isLoadedAgain {
                    element("noscript") {
                        element("meta", ["http-equiv": "refresh", "content": "1"])
                    }
                }
                element("title") { "\(title) · Sijill" }
                element("link", ["rel": "stylesheet", "href": Assets.address("console.css")])
                element(
                    "link",
                    ["rel": "icon", "type": "image/svg+xml", "href": Assets.address("icon.svg")])
                for script in scripts {
                    element("script", ["type": "module", "src": Assets.address(script)])
                }
            }
            element("body") {
                link("#main", ["class": "skip"]) { say("Skip to content", "انتقل إلى المحتوى") }
                header(section)
                element("main", ["id": "main", "tabindex": "-1"]) {
                    element("h1") { title }
                    inner
                }
            }
        }
        var answer = PageAnswer()
        answer.status = status
        answer.body = Array(Console.document(root).html.utf8)
        return answer
    }

    private func header(_ section: String) -> Markup {
        let entries: [(String, Phrase, [String])] = [
            ("overview", .overview, []), ("events", .events, ["events"]),
            ("people", .people, ["people"]),
            ("examroom", Phrase("ExamRoom", "ExamRoom"), ["examroom"]),
            ("quranflow", Phrase("QuranFlow", "QuranFlow"), ["quranflow"]),
            ("learnable", Phrase("Learnable", "Learnable"), ["learnable"]),
            ("tafawoq", Phrase("Tafawoq", "تفوّق"), ["tafawoq"]),
            ("models", .models, ["models"]), ("audit", .audit, ["audit"]),
            ("operations", .operations, ["operations"]),
        ]
        return element("header") {
            link(url([]), ["class": "brand"]) { say("Sijill", "سِجِلّ") }
            if let journal = request.journal {
                link(url(["journals"]), ["title": say("Other journals", "سجلات أخرى")]) {
                    code(journal)
                }
            }
            element("nav", ["aria-label": say("Sections", "الأقسام")]) {
                element("ul") {
                    for (name, phrase, path) in entries {
                        element("li") {
                            link(url(path), ["aria-current": name == section ? "page" : nil]) {
                                say(phrase)
                            }
                        }
                    }
                }
            }
            element("div", ["class": "me"]) {
                link(
                    inOtherLanguage,
                    [
                        "lang": language == .arabic ? "en" : "ar",
                        "hreflang": language == .arabic ? "en" : "ar",
                    ]
                ) { language == .arabic ? "English" : "العربية" }
                if let name = request.signedInAs {
                    element("form", ["method": "post", "action": url(["logout"])]) {
                        formToken
                        element("button", ["class": "plain"]) { "\(say(.signOut)): \(name)" }
                    }
                }
            }
        }
    }

    /// What every form that changes something must send back.
    var formToken: Markup {
        element("input", ["type": "hidden", "name": "form-token", "value": request.formToken])
    }

    // MARK: Parts

    /// A part of a page with a heading.
    func section(
        _ title: String, _ attributes: Attributes = [:], @MarkupBuilder _ content: () -> Markup
    ) -> Markup {
        element("section", attributes) {
            element("h2") { title }
            content()
        }
    }

    /// Something technical inside a sentence of either direction.
    func code(_ text: String) -> Markup { element("bdi") { element("code") { text } } }

    /// A word that a document has for a state of things: in the language where it is known, else as it is.
    func state(_ word: String) -> Markup {
        if language == .arabic, let arabic = StateWord.inArabic(word) { return Markup(arabic) }
        return code(word)
    }

    /// So many of so many, in this order in either direction.
    func fraction(_ part: String, _ whole: String) -> Markup {
        element("bdi", ["dir": "ltr"]) { "\(part) / \(whole)" }
    }

    /// An instant as the journal has it, in UTC.
    func time(_ text: String?) -> Markup {
        guard let text else { return Markup("—") }
        var shown = text
        if text.utf8.count >= 16, let split = text.firstIndex(of: "T") {
            shown = text[..<split] + " " + text[text.index(after: split)...].prefix(8)
            if shown.hasSuffix(":00") { shown.removeLast(3) }
            while shown.hasSuffix("Z") || shown.hasSuffix(".") { shown.removeLast() }
        }
        return element("time", ["datetime": text, "dir": "ltr"]) { shown }
    }

    /// Numbers and words beside their names.
    func facts(_ rows: [(String, Markup)]) -> Markup {
        element("dl", ["class": "facts"]) {
            for (name, value) in rows {
                element("div") {
                    element("dt") { name }
                    element("dd") { value }
                }
            }
        }
    }

    /// A table; the first column names the row.
    func table(_ caption: String, _ columns: [String], numeric: Set<Int> = [], _ rows: [[Markup]])
        -> Markup
    {
        element(
            "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption]
        ) {
            element("table") {
                element("caption") { caption }
                element("thead") {
                    element("tr") {
                        for (index, column) in columns.enumerated() {
                            element(
                                "th",
                                ["scope": "col", "class": numeric.contains(index) ? "number" : nil]
                            ) { column }
                        }
                    }
                }
                element("tbody") {
                    for row in rows {
                        element("tr") {
                            for (index, cell) in row.enumerated() {
                                self.cell(cell, isName: index == 0, numeric.contains(index))
                            }
                        }
                    }
                    if rows.isEmpty {
                        element("tr") {
                            element("td", ["colspan": "\(columns.count)"]) { say(.nothing) }
                        }
                    }
                }
            }
        }
    }

    private func cell(_ content: Markup, isName: Bool, _ isNumber: Bool) -> Markup {
        let kind = isNumber ? "number" : nil
        return isName
            ? element("th", ["scope": "row", "class": kind]) { content }
            : element("td", ["class": kind]) { content }
    }

    /// Links to the pages of something that has pages.
    func pager(_ json: JSON, _ address: (String) -> String) -> Markup? {
        guard let page = json["page"]?.wholeNumber, let pages = json["pages"]?.wholeNumber,
            pages > 1
        else { return nil }
        return element("nav", ["class": "pager", "aria-label": say("Pages", "الصفحات")]) {
            if page > 1 { link(address("\(page - 1)"), ["rel": "prev"]) { say(.previous) } }
            element("span") { say("Page \(page) of \(pages)", "الصفحة \(page) من \(pages)") }
            if page < pages { link(address("\(page + 1)"), ["rel": "next"]) { say(.next) } }
            for number in Self.milestones(pages) where number != page {
                link(
                    address("\(number)"),
                    ["aria-label": say("Page \(number)", "الصفحة \(number)")]
                ) { "\(number)" }
            }
        }
    }

    /// Pages that are offered besides the next ones: all where they are few, else some from the first to the last, so that a
    /// place in a sorted list is found in a few steps.
    static func milestones(_ pages: Int64) -> [Int64] {
        guard pages > 3 else { return [] }
        let most: Int64 = 20
        guard pages > most else { return Array(1...pages) }
        return (0..<most).map { 1 + $0 * (pages - 1) / (most - 1) }
    }

    /// A field of a form with its label.
    func field(
        _ label: String, _ name: StaticString, _ value: String?, type: String = "text",
        hint: String? = nil
    ) -> Markup {
        element("label") {
            element("span") { label }
            element(
                "input",
                [
                    "name": "\(name)", "type": type, "value": value ?? "", "placeholder": hint,
                    "dir": "auto", "autocomplete": "off",
                ])
        }
    }

    func choice(
        _ label: String, _ name: StaticString, _ value: String?, _ options: [(String, String)]
    ) -> Markup {
        element("label") {
            element("span") { label }
            element("select", ["name": "\(name)"]) {
                for (option, shown) in options {
                    element("option", ["value": option, "selected": option == value ? "" : nil]) {
                        shown
                    }
                }
            }
        }
    }
}

extension JSON {
    /// As it is shown in a cell.
    var shown: String {
        switch self {
        case .null: "—"
        case .string(let text): text.isEmpty ? "\"\"" : text
        default: description
        }
    }

    /// A member as it is shown in a cell.
    func shown(_ name: String) -> String { self[name]?.shown ?? "—" }

    /// A number to the hundredths, for the length of a bar; 0 for what is none.
    var hundredths: Int {
        guard case .number = self else { return 0 }
        let parts = description.split(separator: ".", maxSplits: 1)
        // A bar's length is multiplied further: what is larger than any chart has no length.
        guard let whole = parts.first.flatMap({ Int($0) }), whole.magnitude < 10_000_000_000_000
        else { return 0 }
        let fraction = parts.count > 1 ? String((parts[1] + "00").prefix(2)) : "00"
        return whole * 100 + (description.hasPrefix("-") ? -1 : 1) * (Int(fraction) ?? 0)
    }
}
