import Core

extension Visit {
    /// Which read models there are.
    func modelsPage() async throws -> PageAnswer {
        let models = try await get("/v1/models")["models"]?.array ?? []
        if let model = request.query["model"], let key = request.query["key"] {
            let parts = key.split(separator: "/").map(String.init)
            return .redirect(to: url(["models", model] + parts))
        }
        let families = models.map { $0.shown("name").prefix { $0 != "." } }
        var known: [Substring] = []
        for family in families where !known.contains(family) { known.append(family) }
        return layout(say(.models), section: "models") {
            element("p") {
                say(
                    "Each of these is computed from the events alone, at any moment that you ask for.",
                    "كلٌّ من هذه يُحسب من الأحداث وحدها، في أي لحظة تسأل عنها.")
            }
            for family in known {
                section(String(family)) {
                    table(
                        String(family),
                        [say("Read model", "نموذج القراءة"), say("Question", "السؤال"), say(.key)],
                        models.filter { $0.shown("name").hasPrefix(family + ".") }.map { model in
                            let name = model.shown("name")
                            return [
                                link(url(["models", name])) { code(name) },
                                element("span", ["lang": "en", "dir": "ltr"]) {
                                    model.shown("question")
                                },
                                model["key"]?.string.map(code) ?? Markup("—"),
                            ]
                        })
                }
            }
        }
    }

    /// Asks for the key of a read model that needs one.
    private func keyPage(_ name: String, _ info: JSON) async throws -> PageAnswer {
        let keys = (try? await get("/v1/keys/\(name)", [("limit", "200")]))?["keys"]?.array ?? []
        return layout(name, section: "models") {
            element("p", ["lang": "en", "dir": "ltr"]) { info.shown("question") }
            element("form", ["method": "get", "action": url(["models"]), "class": "fields"]) {
                languageField
                element("input", ["type": "hidden", "name": "model", "value": name])
                field(say(.key) + ": " + info.shown("key"), "key", nil)
                element("button") { say(.show) }
            }
            if !keys.isEmpty {
                section(say("Keys", "المفاتيح")) {
                    element("ul", ["class": "chips"]) {
                        for key in keys {
                            element("li") {
                                link(
                                    url(
                                        ["models", name]
                                            + key.shown.split(separator: "/").map(String.init))
                                ) {
                                    code(key.shown)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// A read model's document at any moment, with what differs from the moment before.
    func modelPage(_ name: String, _ key: String?) async throws -> PageAnswer {
        let models = try await get("/v1/models")["models"]?.array ?? []
        guard let info = models.first(where: { $0["name"]?.string == name }) else { throw noPage }
        if info["key"]?.isNull == false, key == nil { return try await keyPage(name, info) }
        let asked = ModelMoment(
            request.query, arguments: info["arguments"]?.array?.compactMap(\.string) ?? [])
        let asOf = asked.asOf
        let found = try await page(
            "/v1/models/\(name)" + (key.map { "/" + $0.percentEncodedPath } ?? ""),
            asked.arguments + [("as-of", asOf)])
        let path = "/\(name)" + (key.map { "/" + $0.percentEncodedPath } ?? "")
        // The steps are for who may see the whole journal; who may not has no slider.
        let steps = try? await get(
            "/v1/steps\(path)", asked.arguments + [("as-of", asked.position.map { "\($0)" })])
        let walk = Walk(steps ?? .null, asked, head: found.answer.position)
        let from =
            request.query["compare"].flatMap { $0.isEmpty ? nil : $0 }
            ?? walk.before.map { "\($0)" }
        let old =
            from == nil
            ? nil
            : try? await page("/v1/models\(path)", asked.arguments + [("as-of", from)]).json
        let why = request.query["why"]
        let causes =
            why == nil
            ? nil
            : try await get(
                "/v1/why\(path)",
                asked.arguments + [("path", why), ("as-of", asOf), ("limit", "20")])
        let title = name + (key.map { " " + $0 } ?? "")
        let page = ["models", name] + (key?.split(separator: "/").map(String.init) ?? [])
        return layout(title, section: "models", scripts: ["slider.js"]) {
            element("p", ["class": "lead", "lang": "en", "dir": "ltr"]) { info.shown("question") }
            if steps != nil { slider(page, path, asked, walk) }
            moment(page, asked, walk)
            if let causes, let why { causesList(page, asked, why, causes) }
            section(say("The document", "الوثيقة")) {
                if old != nil {
                    element("p", ["class": "note"]) {
                        say(
                            "Marked is what differs from position ", "المعلَّم هو ما يختلف عن الموضع "
                        )
                        code(from ?? "")
                    }
                }
                DocumentView(visit: self, old: old) { path in
                    steps == nil
                        ? nil : query(asked.all + [("as-of", asOf), ("why", path)]) + "#why"
                }.markup(found.json)
                raw(found.json)
            }
            if let pages = pager(
                found.json,
                { number in
                    url(
                        page,
                        asked.all.filter { $0.0 != "page" } + [("as-of", asOf), ("page", number)])
                })
            {
                pages
            }
            if name.hasSuffix(".policy") {
                element("p") {
                    link(url(["what-if"], [("product", String(name.prefix { $0 != "." }))])) {
                        say("What if another value were in force?", "ماذا لو كانت قيمة أخرى سارية؟")
                    }
                }
            }
        }
    }

    private func causesList(
        _ page: [String], _ asked: ModelMoment, _ path: String, _ found: JSON
    ) -> Markup {
        let causes = found["causes"]?.array ?? []
        return element("section", ["id": "why", "class": "why-list"]) {
            element("h2") {
                say("Why ", "لماذا ")
                code(path)
            }
            if causes.isEmpty { element("p") { say("No event changed it.", "لم يغيّره أي حدث.") } }
            element("ol") {
                for cause in causes {
                    element("li") {
                        time(cause["at"]?.string)
                        " "
                        sentence(of: cause)
                        " "
                        link(url(["events", cause.shown("position")])) { cause.shown("position") }
                        " "
                        actor(cause["by"]?.string)
                        if let rules = cause["rules"]?.array, !rules.isEmpty {
                            " · "
                            code(rules.map(\.shown).joined(separator: ", "))
                        }
                        element("ul", ["class": "changes", "dir": "ltr"]) {
                            for change in (cause["changes"]?.array ?? []).prefix(8) {
                                element("li") {
                                    element("code") { change.shown("path") }
                                    ": "
                                    element("del") { "− " + change.shown("old").prefix(160) }
                                    " "
                                    element("ins") { "+ " + change.shown("new").prefix(160) }
                                }
                            }
                        }
                        link(url(page, asked.all + [("as-of", cause.shown("position"))])) {
                            say("The document then", "الوثيقة حينها")
                        }
                    }
                }
            }
            if found["isExact"]?.bool == false {
                element("p", ["class": "note"]) {
                    say(
                        "It rests on nearly every event: a change that was undone at once may be missing.",
                        "يستند إلى كل الأحداث تقريبًا: قد يغيب تغيير أُلغي فورًا.")
                }
            }
            element("p") {
                link(url(page, asked.all + [("as-of", asked.asOf)])) { say("Close", "إغلاق") }
            }
        }
    }
}
