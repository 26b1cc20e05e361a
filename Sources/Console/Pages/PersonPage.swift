import Core

extension Visit {
    private static let personProducts = ["examroom", "quranflow", "learnable", "tafawoq"]

    /// Where one looks for somebody.
    func peoplePage() async throws -> PageAnswer {
        if let id = request.query["id"], !id.isEmpty, let product = request.query["product"] {
            return .redirect(to: url(["people", product, id]))
        }
        return layout(say(.people), section: "people") {
            element("form", ["method": "get", "action": url(["people"]), "class": "fields"]) {
                languageField
                choice(
                    say(.product), "product", request.query["product"],
                    Self.personProducts.map { ($0, $0) })
                field(
                    say("Account or student", "الحساب أو الطالب"), "id", request.query["id"],
                    hint: "S-1")
                element("button") { say(.show) }
            }
            element("p") {
                say(
                    "Or find somebody in a product’s own list: ", "أو ابحث في قائمة المنتج: ")
                link(url(["examroom", "students"])) { "ExamRoom" }
                ", "
                link(url(["quranflow"])) { "QuranFlow" }
                ", "
                link(url(["learnable"])) { "Learnable" }
                ", "
                link(url(["tafawoq"])) { say("Tafawoq", "تفوّق") }
            }
        }
    }

    /// A person's life in sentences, the newest first.
    func personPage(_ product: String, _ id: String) async throws -> PageAnswer {
        let page = request.query["page"]
        let key = "\(product)/\(id)"
        let timeline = try await model("person.timeline", key, [("page", page)])
        let entries = timeline?["entries"]?.array ?? []
        let erased = try? await get(
            "/v1/events",
            [("tag", "account:\(id)"), ("type", "\(product).account.erased"), ("limit", "1")])
        let erasure = erased?["events"]?.array?.first
        let history =
            product == "examroom" ? await modelIfSeen("examroom.history", id) : nil
        let name = await nameOf(id, in: product)
        return layout("\(name ?? id) · \(product)", section: "people") {
            if name != nil { element("p") { code(id) } }
            if let erasure {
                element("p", ["class": "problem"]) {
                    say("Personal data was erased ", "مُحيت البيانات الشخصية ")
                    time(erasure["at"]?.string)
                    say(
                        ": its key is gone, and what was sealed with it cannot be read by anybody.",
                        ": زال مفتاحها، ولا يستطيع أحد قراءة ما خُتم به.")
                }
            } else {
                element("p", ["class": "note"]) {
                    say(
                        "Names and addresses are sealed in the journal under this person’s own key.",
                        "الأسماء والعناوين مختومة في السجل بمفتاح هذا الشخص وحده.")
                }
            }
            ownPages(product, id)
            if let history, history["total"]?.wholeNumber != 0 { attemptsTaken(history) }
            if let total = timeline?["total"]?.wholeNumber {
                element("p") { say("\(total) things happened.", "حدث \(total.arabicDigits) شيئًا.") }
            } else {
                element("p") {
                    say("The journal knows nobody by this name.", "لا يعرف السجل أحدًا بهذا الاسم.")
                }
            }
            for day in days(of: entries) {
                section(day.date, ["class": "day"]) {
                    element("ol", ["class": "timeline", "reversed": ""]) {
                        for entry in day.entries { timelineItem(entry) }
                    }
                }
            }
            if let timeline {
                pager(timeline) { url(["people", product, id], [("page", $0)]) }
            }
        }
    }

    /// What people call somebody; nil where the product knows no name, or whoever looks must not read it.
    private func nameOf(_ id: String, in product: String) async -> String? {
        switch product {
        case "examroom", "learnable": await modelIfSeen("\(product).account", id)?["name"]?.string
        case "quranflow": await modelIfSeen("quranflow.profile", id)?["name"]?.string
        default: nil
        }
    }

    private func days(of entries: [JSON]) -> [(date: String, entries: [JSON])] {
        var days: [(date: String, entries: [JSON])] = []
        for entry in entries {
            let date = String(entry.shown("at").prefix(10))
            if days.last?.date == date {
                days[days.count - 1].entries.append(entry)
            } else {
                days.append((date, [entry]))
            }
        }
        return days
    }

    private func timelineItem(_ entry: JSON) -> Markup {
        let at = entry.shown("at")
        return element("li") {
            element("time", ["datetime": at, "dir": "ltr"]) { String(at.dropFirst(11).prefix(5)) }
            " "
            sentence(of: entry)
            " "
            element("span", ["class": "under"]) {
                actor(entry["by"]?.string)
                " · "
                link(url(["events", entry.shown("position")])) {
                    say("event", "الحدث") + " " + entry.shown("position")
                }
            }
        }
    }

    /// The pages and the read models that are about this person.
    private func ownPages(_ product: String, _ id: String) -> Markup {
        let models: [String] =
            switch product {
            case "examroom":
                [
                    "account", "available", "history", "student-analytics", "achievements",
                    "settings",
                ]
            case "quranflow":
                [
                    "profile", "today", "learning-history", "submissions", "appointments",
                    "notifications",
                ]
            case "learnable": ["account", "home", "library", "pool", "achievements", "access"]
            case "tafawoq":
                ["profile", "dashboard", "trends", "exam-history", "milestones", "subscription"]
            default: []
            }
        return element(
            "nav", ["class": "chips", "aria-label": say("About this person", "عن هذا الشخص")]
        ) {
            if ["quranflow", "learnable", "tafawoq"].contains(product) {
                link(url([product, "students", id]), ["class": "button"]) {
                    say("Page of the student", "صفحة الطالب")
                }
                " "
            }
            for model in models {
                link(url(["models", "\(product).\(model)", id])) { code("\(product).\(model)") }
                " "
            }
            link(url(["models", "audit.subject", product, id])) { code("audit.subject") }
        }
    }
}

extension Int64 {
    /// As Arabic sentences write it.
    var arabicDigits: String {
        String(
            String.UnicodeScalarView(
                "\(self)".unicodeScalars.map { scalar in
                    (48...57).contains(scalar.value)
                        ? Unicode.Scalar(scalar.value - 48 + 0x660) ?? scalar : scalar
                }))
    }
}
