import Core

/// What exam staff looks at: exams, how each went item by item, who sits, and each student.
extension Visit {
    func examRoom(_ rest: [String]) async throws -> PageAnswer {
        switch (rest.first, rest.count) {
        case (nil, _): return try await examsPage()
        case ("exams", 2): return try await examPage(rest[1])
        case ("exams", 3) where rest[2] == "sitting": return try await sittingPage(rest[1])
        case ("students", 1): return try await examStudentsPage()
        case ("results", 2): return try await resultPage(rest[1])
        default: throw noPage
        }
    }

    private func examsPage() async throws -> PageAnswer {
        let page = request.query["page"]
        let exams = try await model("examroom.exams", nil, [("page", page)]) ?? .null
        let overall = await modelIfSeen("examroom.overview")
        return layout("ExamRoom", section: "examroom") {
            element("p") {
                link(url(["examroom", "students"])) { say(.students) }
                " · "
                link(url(["what-if"], [("product", "examroom")])) { say(.whatIf) }
            }
            table(
                say("Exams", "الاختبارات"),
                [
                    say(.exam), say(.state), say("Questions", "الأسئلة"), say("Sitting", "يؤدّونه"),
                    say("Done", "أتمّوا"), say(.results),
                ], numeric: [2, 3, 4],
                (exams["exams"]?.array ?? []).map { exam in
                    let id = exam.shown("exam")
                    return [
                        link(url(["examroom", "exams", id])) { exam.shown("title") }
                            + Markup(" ") + code(id),
                        state(exam.shown("state")), Markup(exam.shown("questions")),
                        link(url(["examroom", "exams", id, "sitting"])) {
                            exam["attempts"]?.shown("open") ?? "—"
                        },
                        Markup(exam["attempts"]?.shown("completed") ?? "—"),
                        Markup(
                            exam["resultsPublished"]?.bool == true
                                ? say("published", "منشورة") : say("not published", "غير منشورة")),
                    ]
                })
            pager(exams) { url(["examroom"], [("page", $0)]) }
            if let overall {
                section(say("All exams", "كل الاختبارات")) {
                    facts([
                        (say("Attempts", "المحاولات"), Markup(overall.shown("attempts"))),
                        (say("Average percent", "متوسط النسبة"), meter(overall["averagePercent"])),
                        (say("Passed, percent", "نسبة النجاح"), meter(overall["passRate"])),
                    ])
                }
            }
        }
    }

    /// An exam: how it went, item by item, and who scored what.
    private func examPage(_ id: String) async throws -> PageAnswer {
        guard let exam = try await model("examroom.exam", id) else { throw noPage }
        let page = request.query["page"]
        let analytics = await modelIfSeen("examroom.exam-analytics", id)
        let results = await modelIfSeen("examroom.results", id, [("page", page)])
        let prompts = (exam["questions"]?.array ?? []).map {
            ($0.shown("question"), $0.shown("prompt"))
        }
        return layout(exam["details"]?.shown("title") ?? id, section: "examroom") {
            element("p") {
                code(id)
                " · "
                link(url(["examroom", "exams", id, "sitting"])) {
                    say("Who sits it, extra time and requests", "من يؤدّيه والوقت الإضافي وطلباته")
                }
                " · "
                link(url(["models", "examroom.exam", id])) { say("At any moment", "في أي لحظة") }
                " · "
                link(url(["streams", "examroom", "exam", id])) { say(.events) }
            }
            facts([
                (say(.state), state(exam.shown("state"))),
                (
                    say("Minutes", "الدقائق"),
                    Markup(exam["details"]?.shown("durationMinutes") ?? "—")
                ),
                (
                    say("Pass mark, percent", "حدّ النجاح"),
                    Markup(exam["details"]?.shown("passPercent") ?? "—")
                ),
                (say("Points", "النقاط"), Markup(exam.shown("maxScore"))),
            ])
            if let analytics {
                section(say("How it went", "كيف جرى")) {
                    facts([
                        (say("Attempts", "المحاولات"), Markup(analytics.shown("attempts"))),
                        (say("Sitting now", "يؤدّونه الآن"), Markup(analytics.shown("open"))),
                        (
                            say("Average percent", "متوسط النسبة"),
                            meter(analytics["averagePercent"])
                        ),
                        (say("Passed, percent", "نسبة النجاح"), meter(analytics["passRate"])),
                    ])
                    bars(
                        say("Attempts by percent", "المحاولات حسب النسبة"), say(.percent),
                        say(.count),
                        (analytics["distribution"]?.array ?? []).map { part in
                            Bar("\(part.shown("from"))–\(part.shown("to"))", part["count"])
                        })
                }
                section(say("Items", "الأسئلة")) {
                    items(analytics, prompts)
                }
                section(say("Day by day", "يومًا بيوم")) {
                    bars(
                        say("Average percent by day", "متوسط النسبة حسب اليوم"), say(.day),
                        say(.percent),
                        (analytics["trend"]?.array ?? []).map {
                            Bar($0.shown("date"), $0["averagePercent"])
                        }, most: 10_000)
                }
            }
            if let results {
                section(say(.results)) {
                    resultTable(results)
                    pager(results) { url(["examroom", "exams", id], [("page", $0)]) }
                }
            }
        }
    }

    /// Item statistics: how many were right, and how long it took.
    private func items(_ analytics: JSON, _ prompts: [(String, String)]) -> Markup {
        table(
            say("Item statistics", "إحصاءات الأسئلة"),
            [
                say("Item", "السؤال"), say("Prompt", "النص"), say("Shown", "عُرض"),
                say("Answered", "أُجيب"), say("Right, percent", "صحيح ٪"), say("Seconds", "الثواني"),
            ], numeric: [2, 3, 5],
            (analytics["questions"]?.array ?? []).map { item in
                let id = item.shown("question")
                let prompt = prompts.first { $0.0 == id }?.1 ?? "—"
                return [
                    code(id), element("bdi") { String(prompt.prefix(80)) },
                    Markup(item.shown("shown")),
                    Markup(item.shown("answered")), meter(item["correctRate"]),
                    Markup(item.shown("averageSeconds")),
                ]
            })
    }

    private func resultTable(_ results: JSON) -> Markup {
        table(
            say(.results),
            [
                say(.student), say(.score), say(.percent), say("Passed", "ناجح"),
                say("Ended", "انتهى"),
                say("Attempt", "المحاولة"),
            ], numeric: [1],
            (results["results"]?.array ?? []).map { result in
                let student = result.shown("student")
                return [
                    link(url(["people", "examroom", student])) {
                        element("bdi") { result["name"]?.string ?? student }
                    },
                    fraction(result.shown("score"), result.shown("maxScore")),
                    meter(result["percent"]),
                    Markup(result["passed"]?.bool.map { say($0 ? .yes : .no) } ?? "—"),
                    time(result["closedAt"]?.string),
                    link(url(["examroom", "results", result.shown("attempt")])) {
                        code(result.shown("attempt"))
                    },
                ]
            })
    }

    /// Who sits an exam now, who has extra time, who asked for it, and what was noticed.
    private func sittingPage(_ id: String) async throws -> PageAnswer {
        guard let exam = try await model("examroom.exam", id) else { throw noPage }
        let results = await modelIfSeen("examroom.results", id, [("page", request.query["page"])])
        let extensions = await modelIfSeen("examroom.extensions", nil, [("exam", id)])
        let requests = await modelIfSeen("examroom.accommodations", nil, [("exam", id)])
        let names = await namesOfAccounts(
            (extensions?["extensions"]?.array ?? []).map { $0.shown("student") }
                + (requests?["requests"]?.array ?? []).flatMap {
                    [$0.shown("student"), $0["decidedBy"]?.string].compactMap(\.self)
                })
        let violations = try? await get(
            "/v1/events",
            [
                ("tag", "exam:\(id)"), ("type", "examroom.violation.recorded"), ("reverse", "true"),
                ("limit", "50"),
            ])
        return layout(
            say("Who sits ", "من يؤدّي ") + (exam["details"]?.shown("title") ?? id),
            section: "examroom"
        ) {
            element("p") {
                link(url(["examroom", "exams", id])) {
                    say("The exam and its results", "الاختبار ونتائجه")
                }
            }
            if let results {
                table(
                    say("Seats", "المقاعد"),
                    [
                        say(.student), say(.name), say("Attempt", "المحاولة"), say(.state),
                        say("Started", "بدأ"), say("Ended", "انتهى"),
                        say("Extra time", "وقت إضافي"),
                    ],
                    (results["results"]?.array ?? []).map { row in
                        [
                            link(url(["people", "examroom", row.shown("student")])) {
                                code(row.shown("student"))
                            },
                            element("bdi") { row.shown("name") },
                            link(url(["models", "examroom.attempt", row.shown("attempt")])) {
                                code(row.shown("attempt"))
                            },
                            state(row.shown("state")), time(row["startedAt"]?.string),
                            time(row["closedAt"]?.string),
                            Markup(say(row["extended"]?.bool == true ? .yes : .no)),
                        ]
                    })
                pager(results) { url(["examroom", "exams", id, "sitting"], [("page", $0)]) }
            }
            table(
                say("Extra time", "وقت إضافي"),
                [
                    say(.student), say("Kind", "النوع"), say("Value", "القيمة"),
                    say("Granted", "مُنح"),
                ], numeric: [2],
                (extensions?["extensions"]?.array ?? []).map { row in
                    [
                        account(row.shown("student"), names),
                        state(row.shown("kind")), Markup(row.shown("value")),
                        time(row["grantedAt"]?.string),
                    ]
                })
            table(
                say("Requests for it", "طلباته"),
                [
                    say(.student), say(.state), say("Why", "السبب"), say("Asked", "طُلب"),
                    say("Decided", "قُرّر"), say("Decided by", "قرّرها"),
                    say("Said to it", "قيل فيها"),
                ],
                (requests?["requests"]?.array ?? []).map { row in
                    [
                        account(row.shown("student"), names),
                        state(row.shown("state")), element("bdi") { row.shown("justification") },
                        time(row["requestedAt"]?.string), time(row["decidedAt"]?.string),
                        row["decidedBy"]?.string.map { account($0, names) } ?? Markup("—"),
                        element("bdi") { row["reason"]?.string ?? "—" },
                    ]
                })
            section(say("What was noticed", "ما لوحظ")) {
                eventTable(violations?["events"]?.array ?? [])
            }
        }
    }

    /// Accounts' names, as far as whoever looks may read them: of the first fifty.
    private func namesOfAccounts(_ ids: [String]) async -> [String: String] {
        var names: [String: String] = [:]
        var known: Set<String> = []
        for id in ids where known.count < 50 && known.insert(id).inserted {
            names[id] = await modelIfSeen("examroom.account", id)?["name"]?.string
        }
        return names
    }

    private func account(_ id: String, _ names: [String: String]) -> Markup {
        link(url(["people", "examroom", id])) {
            element("bdi") { names[id] ?? id }
        }
    }

    private func examStudentsPage() async throws -> PageAnswer {
        let students =
            try await model("examroom.students", nil, [("page", request.query["page"])]) ?? .null
        return layout(say(.students) + " · ExamRoom", section: "examroom") {
            table(
                say(.students),
                [
                    say(.student), say(.key), say("Attempts", "المحاولات"),
                    say("Average percent", "متوسط النسبة"),
                ],
                numeric: [2],
                (students["students"]?.array ?? []).map { row in
                    let id = row.shown("student")
                    return [
                        link(url(["people", "examroom", id])) {
                            element("bdi") { row["name"]?.string ?? id }
                        },
                        code(id), Markup(row.shown("attempts")), meter(row["averagePercent"]),
                    ]
                })
            pager(students) { url(["examroom", "students"], [("page", $0)]) }
        }
    }
}
