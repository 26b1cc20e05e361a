import Core

/// What coaches and programme staff look at: a cohort week by week, what waits for a coach, a student's journey.
extension Visit {
    func quranFlow(_ rest: [String]) async throws -> PageAnswer {
        switch (rest.first, rest.count) {
        case (nil, _): return try await quranFlowPage()
        case ("semesters", 2): return try await semesterPage(rest[1])
        case ("students", 2): return try await journeyPage(rest[1])
        case ("coaches", 2): return try await coachPage(rest[1])
        default: throw noPage
        }
    }

    private func quranFlowPage() async throws -> PageAnswer {
        let semesters = try await get(
            "/v1/events",
            [("type", "quranflow.semester.scheduled"), ("reverse", "true"), ("limit", "100")])
        let coaches = try await get(
            "/v1/events",
            [("type", "quranflow.coach.registered"), ("reverse", "true"), ("limit", "100")])
        let placements = await modelIfSeen("quranflow.placement-queue")
        let unassigned = await modelIfSeen("quranflow.unassigned")
        let help = await modelIfSeen("quranflow.help-requests")
        return layout("QuranFlow", section: "quranflow") {
            element("div", ["class": "cards"]) {
                waiting(
                    say("Wait for a placement", "بانتظار تحديد المستوى"),
                    "quranflow.placement-queue", placements)
                waiting(say("Have no coach", "بلا معلّم"), "quranflow.unassigned", unassigned)
                waiting(say("Asked for help", "طلبوا المساعدة"), "quranflow.help-requests", help)
            }
            table(
                say("Semesters", "الفصول"),
                [
                    say("Semester", "الفصل"), say("Starts", "يبدأ"),
                    say("Time zone", "المنطقة الزمنية"),
                ],
                (semesters["events"]?.array ?? []).map { event in
                    let data = event["data"] ?? .null
                    let id = String(event.shown("stream").split(separator: "/").last ?? "")
                    return [
                        link(url(["quranflow", "semesters", id])) {
                            element("bdi") { data.shown("name") }
                        },
                        Markup(data.shown("startsOn")), code(data.shown("timeZone")),
                    ]
                })
            table(
                say("Coaches", "المعلّمون"), [say("Coach", "المعلّم"), say(.key)],
                (coaches["events"]?.array ?? []).map { event in
                    let id = String(event.shown("stream").split(separator: "/").last ?? "")
                    return [
                        link(url(["quranflow", "coaches", id])) {
                            element("bdi") { event["data"]?["name"]?.string ?? id }
                        }, code(id),
                    ]
                })
        }
    }

    func waiting(_ title: String, _ model: String, _ document: JSON?) -> Markup {
        element("section", ["class": "card"]) {
            element("h2") { title }
            element("p", ["class": "figure"]) { document?.shown("total") ?? "—" }
            element("p", ["class": "more"]) { link(url(["models", model])) { say(.show) } }
        }
    }

    /// A cohort week by week.
    private func semesterPage(_ id: String) async throws -> PageAnswer {
        guard
            let cohort = try await model(
                "quranflow.cohort", id,
                [("level", request.query["level"]), ("page", request.query["page"])])
        else { throw noPage }
        let weeks = cohort["weeks"]?.array ?? []
        return layout(cohort.shown("name"), section: "quranflow") {
            element(
                "form",
                [
                    "method": "get", "action": url(["quranflow", "semesters", id]),
                    "class": "fields",
                ]
            ) {
                languageField
                choice(
                    say("Level", "المستوى"), "level", request.query["level"] ?? "",
                    [("", say("all", "الكل"))] + (1...4).map { ("\($0)", "\($0)") })
                element("button") { say(.show) }
            }
            facts([
                (say(.week), Markup(cohort.shown("week"))),
                (say(.students), Markup(cohort.shown("students"))),
                (
                    say("Feedback overdue", "ملاحظات متأخرة"),
                    Markup(cohort.shown("overdueFeedback"))
                ),
                (say("Results overdue", "نتائج متأخرة"), Markup(cohort.shown("overdueResults"))),
            ])
            bars(
                say("Week completed, percent", "إتمام الأسبوع ٪"), say(.week), say(.percent),
                weeks.map { Bar($0.shown("week"), $0["completionPercent"]) }, most: 10_000)
            table(
                say("Week by week", "أسبوعًا بأسبوع"),
                [
                    say(.week), say("Enrolled", "مسجّلون"), say("Lessons", "الدروس"),
                    say("Submitted", "سلّموا"), say("On time", "في الموعد"),
                    say("Feedback", "ملاحظات"),
                    say("Reviewed", "راجعوها"),
                ], numeric: [1, 2, 3, 4, 5, 6],
                weeks.map { week in
                    [
                        "week", "enrolled", "lessonsComplete", "submitted", "onTime",
                        "withFeedback",
                        "reviewed",
                    ].map { Markup(week.shown($0)) }
                })
            section(say("Behind", "المتأخرون")) {
                table(
                    say("Students who are behind", "الطلاب المتأخرون"),
                    [
                        say(.student), say("Weeks behind", "متأخر بأسابيع"),
                        say("Weeks completed", "أتمّ من الأسابيع"), say("Coach", "المعلّم"),
                    ],
                    numeric: [1, 2],
                    (cohort["behind"]?["students"]?.array ?? []).map { row in
                        [
                            link(url(["quranflow", "students", row.shown("student")])) {
                                element("bdi") { row["name"]?.string ?? row.shown("student") }
                            },
                            Markup(row.shown("behind")), Markup(row.shown("completed")),
                            link(url(["quranflow", "coaches", row.shown("coach")])) {
                                code(row.shown("coach"))
                            },
                        ]
                    })
                if let behind = cohort["behind"] {
                    pager(behind) {
                        url(
                            ["quranflow", "semesters", id],
                            [("page", $0), ("level", request.query["level"])])
                    }
                }
            }
            element("p") {
                link(url(["models", "quranflow.cohort", id])) { say("At any moment", "في أي لحظة") }
            }
        }
    }

    /// A student's journey: where they are, each week, what they sent in.
    private func journeyPage(_ id: String) async throws -> PageAnswer {
        guard let profile = try await model("quranflow.profile", id) else { throw noPage }
        let today = await modelIfSeen("quranflow.today", id)
        let learn = await modelIfSeen("quranflow.learn", id)
        let history = await modelIfSeen("quranflow.learning-history", id)
        let submissions = await modelIfSeen(
            "quranflow.submissions", id, [("page", request.query["page"])])
        return layout(profile["name"]?.string ?? id, section: "quranflow") {
            element("p") {
                code(id)
                " · "
                link(url(["people", "quranflow", id])) {
                    say("Everything that happened", "كل ما حدث")
                }
            }
            facts([
                (say("Level", "المستوى"), element("bdi") { profile.shown("levelAndSemester") }),
                (say(.state), element("bdi") { profile.shown("status") }),
                (say("Coach", "المعلّم"), element("bdi") { profile["coach"]?.shown("name") ?? "—" }),
                (say("Now", "الآن"), element("bdi") { today?["primary"]?.shown("title") ?? "—" }),
                (
                    say("First week that is missing", "أول أسبوع ناقص"),
                    Markup(Self.firstMissing(learn?["journey"]))
                ),
                (
                    say("Last recording", "آخر تسجيل"),
                    time(
                        request.query["page"] == nil
                            ? submissions?["items"]?.array?.first?["at"]?["at"]?.string : nil)
                ),
                (
                    say("Attendance, percent", "الحضور ٪"),
                    meter(profile["stats"]?["attendancePercent"])
                ),
            ])
            if let journey = learn?["journey"] { journeyWeeks(journey) }
            if let submissions {
                table(
                    say("Recordings", "التسجيلات"),
                    [
                        say(.week), say("Topic", "الموضوع"), say("Sent", "أُرسل"),
                        say("On time", "في الموعد"), say("Feedback", "ملاحظات"), say(.state),
                    ],
                    (submissions["items"]?.array ?? []).map { row in
                        [
                            Markup(row.shown("week")), element("bdi") { row.shown("topic") },
                            time(row["at"]?["at"]?.string),
                            Markup(row["onTime"]?.bool.map { say($0 ? .yes : .no) } ?? "—"),
                            time(row["feedbackAt"]?["at"]?.string), state(row.shown("status")),
                        ]
                    })
                pager(submissions) { url(["quranflow", "students", id], [("page", $0)]) }
            }
            table(
                say("Levels so far", "المستويات حتى الآن"),
                [
                    say("Level", "المستوى"), say("Semester", "الفصل"), say("Outcome", "النتيجة"),
                    say("Completed", "أتمّ"),
                ],
                numeric: [3],
                (history?["items"]?.array ?? []).map { row in
                    [
                        element("bdi") { "\(row.shown("level")) · \(row.shown("name"))" },
                        link(url(["quranflow", "semesters", row.shown("semester")])) {
                            element("bdi") { row.shown("semesterName") }
                        },
                        code(row.shown("outcome")), Markup(row.shown("completed")),
                    ]
                })
        }
    }

    /// Of the weeks before the present one.
    private static func firstMissing(_ journey: JSON?) -> String {
        for node in journey?["nodes"]?.array ?? [] {
            if node["current"]?.bool == true { break }
            if node["status"]?.string == "incomplete" { return node.shown("week") }
        }
        return "—"
    }

    private func journeyWeeks(_ journey: JSON) -> Markup {
        section(say("The weeks", "الأسابيع")) {
            element("p") { element("bdi", ["lang": "en"]) { journey.shown("text") } }
            element("ol", ["class": "weeks"]) {
                for node in journey["nodes"]?.array ?? [] {
                    element(
                        "li",
                        [
                            "class": "week \(node.shown("status"))",
                            "aria-current": node["current"]?.bool == true ? "step" : nil,
                        ]
                    ) {
                        element("strong") { node.shown("week") }
                        " "
                        element("span", ["lang": "en"]) { node.shown("status") }
                    }
                }
            }
        }
    }

    private func coachPage(_ id: String) async throws -> PageAnswer {
        guard
            let queue = try await model(
                "quranflow.work-queue", id, [("page", request.query["page"])])
        else { throw noPage }
        return layout(say("Work of coach ", "عمل المعلّم ") + id, section: "quranflow") {
            facts([
                (say("Waiting", "في الانتظار"), Markup(queue.shown("awaiting"))),
                (say("Overdue", "متأخر"), Markup(queue.shown("overdue"))),
            ])
            table(
                say("What waits, the most urgent first", "ما ينتظر، الأكثر إلحاحًا أولًا"),
                [
                    say(.student), say("What", "ماذا"), say("Level", "المستوى"), say(.week),
                    say("Topic", "الموضوع"), say("Sent", "أُرسل"), say(.due),
                ], numeric: [2, 3],
                (queue["items"]?.array ?? []).map { row in
                    [
                        link(url(["quranflow", "students", row.shown("student")])) {
                            element("bdi") { row["studentName"]?.string ?? row.shown("student") }
                        },
                        state(row.shown("kind")), Markup(row.shown("level")),
                        Markup(row.shown("week")), element("bdi") { row.shown("topic") },
                        time(row["submittedAt"]?.string),
                        time(row["dueAt"]?.string)
                            + Markup(
                                row["overdue"]?.bool == true ? " ⚠ " + say("overdue", "متأخر") : ""),
                    ]
                })
            pager(queue) { url(["quranflow", "coaches", id], [("page", $0)]) }
        }
    }
}
