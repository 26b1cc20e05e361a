import Core

extension Visit {
    private static let filters = ["type", "stream", "tag", "by"]
    private static let pageSize = 50

    /// Events, the newest first, or from an instant on; every filter is a link.
    ///
    /// - Parameter stream: of one thing alone, by revision.
    func eventsPage(stream: String?) async throws -> PageAnswer {
        let query = request.query
        var wish: [(String, String?)] = Self.filters.map { ($0, query[$0]) }
        if let stream { wish = [("stream", stream)] }
        wish = wish.filter { $0.1?.isEmpty == false }
        // From a moment on, or behind another page, or up to a position, or the newest.
        let from = [query["at"], query["from"]].compactMap { $0 }.first { !$0.isEmpty }
        let isForward =
            query["before"] == nil
            && (from != nil || query["after"] != nil || (stream != nil && query["to"] == nil))
        let found = try await page(
            "/v1/events",
            wish + [
                ("from", from.map(Self.moment)), ("to", isForward ? nil : query["to"]),
                ("after", query["after"]), ("before", query["before"]),
                ("reverse", isForward ? nil : "true"), ("limit", "\(Self.pageSize)"),
            ])
        let events = found.json["events"]?.array ?? []
        let head = found.json["position"]?.wholeNumber ?? 0
        let title = stream.map { say("Stream", "المجرى") + " " + $0 } ?? say(.events)
        let isNewest = !isForward && query["to"] == nil && query["before"] == nil
        return layout(title, section: "events", scripts: isNewest ? ["live.js"] : []) {
            if stream == nil {
                filterForm(query)
                chips(wish)
            } else {
                element("p", ["class": "note"]) {
                    say(
                        "Revisions count up by one, without gaps: the journal takes no event that would leave one.",
                        "تزيد المراجعات واحدًا واحدًا بلا فجوات: لا يقبل السجل حدثًا يترك فجوة.")
                }
            }
            if isNewest {
                // What a script adds: new events are counted, and shown when asked for.
                element(
                    "p",
                    [
                        "class": "live", "hidden": "",
                        "data-live": apiAddress("/v1/events", wish + [("from", "\(head + 1)")]),
                        "data-wait": say("Live: no new events", "مباشر: لا أحداث جديدة"),
                        "data-new": say("new events", "أحداث جديدة"),
                        "data-lost": say(
                            "Not live: the connection is lost", "غير مباشر: انقطع الاتصال"),
                    ]
                ) {
                    element("span", ["aria-live": "polite"]) { "" }
                    " "
                    link(
                        url(request.path, stream == nil ? wish : []),
                        ["hidden": "", "data-show": ""]
                    ) {
                        say(.show)
                    }
                }
            }
            eventTable(events, showsRevision: stream != nil)
            positions(
                events, wish, isForward: isForward, hasMore: found.answer.hasMore, stream: stream)
        }
    }

    /// What a date field sends is made an instant in UTC.
    private static func moment(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "-")) else { return text }
        if text.utf8.count == 10 { return text + "T00:00:00Z" }
        if text.utf8.count == 16 { return text + ":00Z" }
        return text
    }

    private func filterForm(_ query: [String: String]) -> Markup {
        element("form", ["method": "get", "action": url(["events"]), "class": "fields"]) {
            languageField
            field(say(.type), "type", query["type"], hint: "examroom.exam.*")
            field(say(.stream), "stream", query["stream"], hint: "examroom/exam/EX-1")
            field(say("Tag", "الوسم"), "tag", query["tag"], hint: "student:S-1")
            field(say(.who), "by", query["by"], hint: "admin:A-1")
            field(
                say("From an instant (UTC)", "من لحظة (UTC)"), "at", query["at"],
                type: "datetime-local")
            element("button") { say(.show) }
        }
    }

    /// The filters that are in force, each with a link that takes it away.
    private func chips(_ wish: [(String, String?)]) -> Markup? {
        guard !wish.isEmpty else { return nil }
        return element("ul", ["class": "chips", "aria-label": say("Filters", "المرشحات")]) {
            for (name, value) in wish {
                element("li") {
                    code("\(name): \(value ?? "")")
                    " "
                    link(
                        url(["events"], wish.filter { $0.0 != name }),
                        ["aria-label": say("Remove the filter", "أزل المرشح") + " \(name)"]
                    ) { "×" }
                }
            }
        }
    }

    private func positions(
        _ events: [JSON], _ wish: [(String, String?)], isForward: Bool, hasMore: Bool,
        stream: String?
    ) -> Markup? {
        let numbers = events.compactMap { $0["position"]?.wholeNumber }
        guard let low = numbers.min(), let high = numbers.max() else { return nil }
        let wish = stream == nil ? wish : []
        let query = request.query
        let isBehind = query["after"] != nil || query["before"] != nil
        let hasOlder =
            isForward
            ? low > 1 && (stream == nil || isBehind || query["from"] != nil) : hasMore
        let hasNewer = isForward ? hasMore : query["to"] != nil || isBehind
        // An instant holds from page to page; what is older than the first of them is from before it.
        let instant = [query["at"], query["from"]].compactMap { $0 }.first {
            $0.utf8.contains(UInt8(ascii: "-"))
        }
        let within = wish + [("at", instant)]
        let older = isBehind ? within : wish
        return element("nav", ["class": "pager", "aria-label": say("Pages", "الصفحات")]) {
            if hasNewer {
                link(url(request.path, within + [("after", "\(high)")]), ["rel": "prev"]) {
                    say(.newer)
                }
            }
            if hasOlder {
                link(url(request.path, older + [("before", "\(low)")]), ["rel": "next"]) {
                    say(.older)
                }
            }
        }
    }

    /// Events as rows; a click on what one has filters by it.
    func eventTable(_ events: [JSON], showsRevision: Bool = false) -> Markup {
        let columns = [
            say(showsRevision ? Phrase("Revision", "المراجعة") : .position), say(.when), say(.what),
            say(.who), say(.stream),
        ]
        return table(
            say(.events), columns, numeric: [0],
            events.map { event in
                let type = event.shown("type")
                let number = event.shown(showsRevision ? "revision" : "position")
                return [
                    link(url(["events", event.shown("position")])) { number },
                    time(event["at"]?.string),
                    sentence(of: event)
                        + element("div", ["class": "under"]) {
                            link(url(["events"], [("type", type)])) { code(type) }
                        },
                    actor(event["by"]?.string),
                    link(
                        url(
                            ["streams"]
                                + event.shown("stream").split(separator: "/").map(String.init))
                    ) {
                        code(event.shown("stream"))
                    },
                ]
            })
    }

    /// Who did it; what nobody did, a timer did.
    func actor(_ by: String?) -> Markup {
        guard let by else { return Markup(say("by itself", "تلقائيًا")) }
        return link(url(["events"], [("by", by)])) { code(by) }
    }

    /// What happened, in a sentence of the language.
    func sentence(of event: JSON) -> Markup {
        let type = event.shown("type")
        if language == .arabic, let sentence = ArabicSentences.sentence(of: type) {
            return element("span") { sentence }
        }
        let english = event["summary"]?.string ?? sentences[type] ?? type
        return element("span", ["lang": language == .arabic ? "en" : nil, "dir": "auto"]) {
            english
        }
    }
}
