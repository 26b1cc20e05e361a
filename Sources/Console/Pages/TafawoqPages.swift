import Core

/// What support and operations look at: a student's scores by category, and how the service to students goes.
extension Visit {
    func tafawoq(_ rest: [String]) async throws -> PageAnswer {
        switch (rest.first, rest.count) {
        case (nil, _): return try await tafawoqPage()
        case ("students", 2): return try await scoresPage(rest[1])
        default: throw noPage
        }
    }

    /// The operations view.
    private func tafawoqPage() async throws -> PageAnswer {
        if let id = request.query["student"], !id.isEmpty {
            return .redirect(to: url(["tafawoq", "students", id]))
        }
        let generation = await modelIfSeen("tafawoq.generation-health")
        let payment = await modelIfSeen("tafawoq.payment-health")
        let satisfaction = await modelIfSeen("tafawoq.satisfaction")
        let flags = await modelIfSeen("tafawoq.flags")
        let cases = await modelIfSeen("tafawoq.payment-cases")
        let alerts = await modelIfSeen("tafawoq.alerts")
        let journey = await modelIfSeen("tafawoq.journey")
        let log = await modelIfSeen("tafawoq.log", nil, [("page", request.query["page"])])
        return layout(say("Tafawoq", "تفوّق"), section: "tafawoq") {
            element("form", ["method": "get", "action": url(["tafawoq"]), "class": "fields"]) {
                languageField
                field(say(.student), "student", nil, hint: "S-1")
                element("button") { say(.show) }
            }
            element("div", ["class": "cards"]) {
                waiting(say("Alerts", "تنبيهات"), "tafawoq.alerts", alerts)
                waiting(say("Suspicious exams", "اختبارات مشتبهة"), "tafawoq.flags", flags)
                waiting(say("Failed renewals", "تجديدات فاشلة"), "tafawoq.payment-cases", cases)
            }
            section(say("Health", "السلامة")) {
                facts([
                    (
                        say("Exams asked for, last hour", "اختبارات مطلوبة، آخر ساعة"),
                        Markup(generation?.shown("requested") ?? "—")
                    ),
                    (say("Failed, percent", "فشلت ٪"), meter(generation?["failurePercent"])),
                    (say("Waiting", "في الانتظار"), Markup(generation?.shown("pending") ?? "—")),
                    (
                        say("Payments failed", "مدفوعات فاشلة"),
                        Markup(payment?.shown("failed") ?? "—")
                    ),
                    (say("In grace", "في المهلة"), Markup(payment?.shown("inGrace") ?? "—")),
                    (
                        say("Satisfaction, of 5", "الرضا، من ٥"),
                        meter(satisfaction?["mean"], most: 500)
                    ),
                ])
            }
            if let journey { funnel(journey) }
            if let log {
                section(say("What happened", "ما حدث")) {
                    table(
                        say("The operator’s log", "سجل المشغّل"),
                        [
                            say(.position), say(.when), say("Family", "العائلة"),
                            say("Level", "المستوى"), say(.type),
                        ],
                        numeric: [0],
                        (log["entries"]?.array ?? []).map { row in
                            [
                                link(url(["events", row.shown("position")])) {
                                    row.shown("position")
                                },
                                time(row["at"]?.string), code(row.shown("family")),
                                code(row.shown("level")),
                                code(row.shown("type")),
                            ]
                        })
                    pager(log) { url(["tafawoq"], [("page", $0)]) }
                }
            }
        }
    }

    private func funnel(_ journey: JSON) -> Markup {
        let stages: [(String, String)] = [
            ("registered", say("Registered", "سجّلوا")), ("verified", say("Verified", "تحقّقوا")),
            ("profileCompleted", say("Profile", "أكملوا الملف")),
            ("examStarted", say("First exam", "بدؤوا اختبارًا")),
            ("examCompleted", say("Finished it", "أتمّوه")),
            ("withFiveExams", say("Five exams", "خمسة اختبارات")),
        ]
        return section(say("How far students come", "إلى أين يصل الطلاب")) {
            bars(
                say("Students by stage", "الطلاب حسب المرحلة"), say("Stage", "المرحلة"),
                say(.students),
                stages.map { Bar($0.1, journey[$0.0]) })
        }
    }

    /// A student's scores: from exam to exam, and by category.
    private func scoresPage(_ id: String) async throws -> PageAnswer {
        guard let dashboard = try await model("tafawoq.dashboard", id) else { throw noPage }
        let trends = await modelIfSeen("tafawoq.trends", id, [("page", request.query["page"])])
        let subscription = await modelIfSeen("tafawoq.subscription", id)
        let exams = trends?["exams"]?.array ?? []
        let byCategory = try await categories(of: exams.suffix(6))
        return layout(say("Scores of ", "درجات ") + id, section: "tafawoq") {
            element("p") {
                link(url(["people", "tafawoq", id])) {
                    say("Everything that happened", "كل ما حدث")
                }
                " · "
                link(url(["models", "tafawoq.dashboard", id])) {
                    say("At any moment", "في أي لحظة")
                }
            }
            facts([
                (
                    say("Plan", "الخطة"),
                    Markup(
                        language == .arabic ? dashboard.shown("badgeAr") : dashboard.shown("badge"))
                ),
                (say(.state), code(subscription?.shown("status") ?? "—")),
                (say("Track", "المسار"), code(dashboard.shown("track"))),
                (say("Exams", "الاختبارات"), Markup(dashboard.shown("examsCompleted"))),
                (
                    say("Strongest", "الأقوى"),
                    code(dashboard["strongest"]?.shown("category") ?? "—")
                ),
                (say("Weakest", "الأضعف"), code(dashboard["weakest"]?.shown("category") ?? "—")),
            ])
            if !exams.isEmpty {
                lines(
                    say("From exam to exam", "من اختبار إلى اختبار"), say(.exam),
                    exams.map { String($0.shown("completedAt").prefix(10)) }, most: 10_000,
                    [
                        (say("Overall", "الإجمالي"), exams.map { $0["overall"] ?? .null }),
                        (say("Quantitative", "الكمي"), exams.map { $0["quantitative"] ?? .null }),
                        (say("Verbal", "اللفظي"), exams.map { $0["verbal"] ?? .null }),
                    ])
                if let trends {
                    pager(trends) { url(["tafawoq", "students", id], [("page", $0)]) }
                }
            }
            section(say("By category", "حسب الفئة")) {
                table(
                    say(
                        "Average by category, and exam by exam",
                        "المتوسط حسب الفئة، واختبارًا باختبار"),
                    [
                        say("Category", "الفئة"), say("Section", "القسم"), say(.average),
                        say("Direction", "الاتجاه"), say("Trend", "المنحى"),
                    ] + byCategory.map(\.exam), numeric: Set(5..<(5 + byCategory.count)),
                    (dashboard["categories"]?.array ?? []).map { row in
                        let name = row.shown("category")
                        let scores = byCategory.map { $0.scores[name] ?? .null }
                        return [
                            code(name), code(row.shown("section")), meter(row["average"]),
                            direction(row["direction"]?.string),
                            trend(name, scores.filter { !$0.isNull }),
                        ] + scores.map { Markup($0.shown) }
                    })
            }
        }
    }

    /// The scores of the last exams by category.
    private func categories(of exams: some Sequence<JSON>) async throws -> [(
        exam: String, scores: [String: JSON]
    )] {
        var found: [(exam: String, scores: [String: JSON])] = []
        for exam in exams {
            guard let result = await modelIfSeen("tafawoq.exam-result", exam.shown("exam")) else {
                continue
            }
            var scores: [String: JSON] = [:]
            for row in result["categories"]?.array ?? [] {
                scores[row.shown("category")] = row["score"]
            }
            found.append((String(exam.shown("completedAt").prefix(10)), scores))
        }
        return found
    }

    private func trend(_ name: String, _ scores: [JSON]) -> Markup {
        guard scores.count > 1 else { return Markup("—") }
        let words = name + ": " + scores.map(\.shown).joined(separator: ", ")
        return sparkline(words, scores.map { UInt64(max(0, $0.hundredths)) }, most: 10_000)
    }

    /// By a word and a sign, not by colour alone.
    private func direction(_ direction: String?) -> Markup {
        switch direction {
        case "improving": Markup("↑ " + say("improving", "يتحسن"))
        case "declining": Markup("↓ " + say("declining", "يتراجع"))
        case "steady": Markup("→ " + say("steady", "ثابت"))
        default: Markup(direction ?? "—")
        }
    }
}
