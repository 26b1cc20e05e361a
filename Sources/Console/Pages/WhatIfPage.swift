import Core

extension Visit {
    /// What the read models would say, had another value of a policy been in force from the first event on.
    func whatIfPage() async throws -> PageAnswer {
        let query = request.query
        let product = query["product"] ?? "examroom"
        let policies = try await model("\(product).policy")
        let names = policies?.members?.map(\.name) ?? []
        let name = query["policy"]
        let value = query["value"] ?? ""
        var outcome: JSON?
        if let name, names.contains(name), !value.isEmpty {
            // A word that is no JSON is meant as a text.
            let json = (try? JSON(parsing: Array(value.utf8))) ?? .string(value)
            let models = query["model"].flatMap { $0.isEmpty ? nil : $0 }.map { [$0] } ?? []
            let body = JSON.object(of: [
                ("policies", .object(of: [(product, .object(of: [(name, json)]))])),
                ("models", .array(models.map { .string($0) })),
                ("count", query["count"].flatMap { $0.isEmpty ? nil : JSON.string($0) } ?? .null),
            ])
            outcome = try await ask("/v1/what-if", body)
        }
        let found = outcome
        return layout(say(.whatIf), section: "models") {
            element("p") {
                say(
                    "The journal’s events are folded anew with another value in force; nothing is recorded. Events stay what they are: what a decision made of a policy then is not decided again.",
                    "تُطوى أحداث السجل من جديد بقيمة أخرى؛ لا يُسجَّل شيء. تبقى الأحداث كما هي: ما قُرِّر حينها لا يُقرَّر ثانية."
                )
            }
            element("form", ["method": "get", "action": url(["what-if"]), "class": "fields"]) {
                languageField
                choice(
                    say(.product), "product", product,
                    ["examroom", "quranflow", "learnable", "tafawoq"].map { ($0, $0) })
                choice(say("Policy", "السياسة"), "policy", name, names.map { ($0, $0) })
                field(say("Value", "القيمة"), "value", value, hint: "80")
                field(
                    say("Read model", "نموذج القراءة"), "model", query["model"],
                    hint: "\(product).overview")
                field(
                    say("Count where", "عُدّ حيث"), "count", query["count"], hint: "$.passed == true")
                element("button") { say(.show) }
            }
            if let name, let present = policies?[name] {
                element("p") {
                    say("In force now: ", "السارية الآن: ")
                    code("\(name) = \(present["value"]?.description ?? "—")")
                }
            }
            if let found { comparison(found) }
        }
    }

    private func comparison(_ found: JSON) -> Markup {
        let models = found["models"]?.array ?? []
        let differing = models.filter {
            $0["differing"]?.wholeNumber != 0 || $0["holds"]?.isNull == false
        }
        return section(say("What would differ", "ما كان سيختلف")) {
            table(
                say("Read models", "نماذج القراءة"),
                [
                    say("Read model", "نموذج القراءة"), say("Differ", "تختلف"), say("of", "من"),
                    say("Held", "تحقق"), say("Would hold", "كان سيتحقق"), say("Such as", "مثل"),
                ], numeric: [1, 2, 3, 4],
                differing.map { model in
                    let name = model.shown("model")
                    return [
                        link(url(["models", name])) { code(name) },
                        Markup(model.shown("differing")), Markup(model.shown("documents")),
                        Markup(model["holds"]?.shown("old") ?? "—"),
                        Markup(model["holds"]?.shown("new") ?? "—"),
                        element("span") {
                            for key in (model["keys"]?.array ?? []).prefix(5) {
                                link(
                                    url(
                                        ["models", name]
                                            + key.shown.split(separator: "/").map(String.init))
                                ) {
                                    code(key.shown)
                                }
                                " "
                            }
                        },
                    ]
                })
            element("p") {
                say(
                    "\(models.count - differing.count) other read models say the same.",
                    "تقول \(models.count - differing.count) نماذج أخرى القول نفسه.")
            }
        }
    }
}
