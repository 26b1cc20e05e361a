import Core

/// What those look at who help learners: what falls due in the coming weeks, and how far each subject is.
extension Visit {
    func learnable(_ rest: [String]) async throws -> PageAnswer {
        switch (rest.first, rest.count) {
        case (nil, _): return try await learnersPage()
        case ("students", 2): return try await reviewsPage(rest[1])
        case ("students", 3) where rest[2] == "mastery": return try await masteryPage(rest[1])
        default: throw noPage
        }
    }

    private func learnersPage() async throws -> PageAnswer {
        let found = try await page(
            "/v1/events",
            [
                ("type", "learnable.student.joined"), ("reverse", "true"), ("limit", "50"),
                ("to", request.query["to"]),
            ])
        let events = found.json["events"]?.array ?? []
        return layout("Learnable", section: "learnable") {
            table(
                say("Learners, the newest first", "المتعلّمون، الأحدث أولًا"),
                [
                    say(.student), say("Joined", "انضم"), say("Time zone", "المنطقة الزمنية"),
                    say("Mastery", "الإتقان"),
                ],
                events.map { event in
                    let id = event["data"]?.shown("student") ?? "—"
                    return [
                        link(url(["learnable", "students", id])) { code(id) },
                        time(event["at"]?.string), code(event["data"]?.shown("timeZone") ?? "—"),
                        link(url(["learnable", "students", id, "mastery"])) { say(.show) },
                    ]
                })
            if found.answer.hasMore, let last = events.last?["position"]?.wholeNumber {
                element("nav", ["class": "pager", "aria-label": say("Pages", "الصفحات")]) {
                    link(url(["learnable"], [("to", "\(last - 1)")])) { say(.older) }
                }
            }
        }
    }

    /// What falls due over the coming weeks, and the pool that it comes from.
    private func reviewsPage(_ id: String) async throws -> PageAnswer {
        guard let schedule = try await model("learnable.schedule", id) else { throw noPage }
        let pool = await modelIfSeen("learnable.pool", id, [("page", request.query["page"])])
        let home = await modelIfSeen("learnable.home", id)
        let achievements = await modelIfSeen("learnable.achievements", id)
        let today = schedule.shown("today")
        return layout(say("Reviews of ", "مراجعات ") + id, section: "learnable") {
            learnerLinks(id, isMastery: false)
            facts([
                (say("Today there", "اليوم هناك"), Markup(today)),
                (say("Overdue", "متأخرة"), Markup(schedule.shown("overdue"))),
                (say("Access", "الوصول"), code(home?.shown("access") ?? "—")),
                (
                    say("Study streak, days", "أيام الدراسة المتتالية"),
                    Markup(achievements?["studyStreak"]?.shown("present") ?? "—")
                ),
            ])
            bars(
                say("Reviews due by week", "المراجعات المستحقة حسب الأسبوع"),
                say("Week from", "الأسبوع من"), say("Questions", "الأسئلة"),
                weeks(schedule, today).map { Bar($0.name, .integer(Int64($0.count))) })
            section(say("Day by day", "يومًا بيوم")) {
                table(
                    say("Due by day", "المستحق حسب اليوم"),
                    [say(.day), say("Questions", "الأسئلة")],
                    (schedule["days"]?.array ?? []).map { day in
                        [
                            Markup(day.shown("day"))
                                + (day.shown("day") < today
                                    ? Markup(" ⚠ ") + Markup(say("overdue", "متأخر")) : .none),
                            element("span") {
                                for question in day["questions"]?.array ?? [] {
                                    link(url(["models", "learnable.question", question.shown])) {
                                        code(question.shown)
                                    }
                                    " "
                                }
                            },
                        ]
                    })
            }
            if let pool {
                section(say("The pool", "المجموعة")) {
                    table(
                        say("Questions", "الأسئلة"),
                        [
                            say("Question", "السؤال"), say("Subject", "المادة"),
                            say("Level", "المستوى"), say("Asked", "طُرح"), say("Right", "صحيح"),
                            say(.due),
                        ],
                        numeric: [2, 3, 4],
                        (pool["questions"]?.array ?? []).map { row in
                            [
                                link(url(["models", "learnable.question", row.shown("question")])) {
                                    element("bdi") { String(row.shown("text").prefix(80)) }
                                },
                                code(row.shown("subject")), Markup(row.shown("level")),
                                Markup(row.shown("asked")),
                                Markup(row.shown("correct")),
                                Markup(
                                    row["mastered"]?.bool == true
                                        ? say("mastered", "متقَن") : row.shown("due")),
                            ]
                        })
                    pager(pool) { url(["learnable", "students", id], [("page", $0)]) }
                }
            }
        }
    }

    private func learnerLinks(_ id: String, isMastery: Bool) -> Markup {
        element("p") {
            if isMastery {
                link(url(["learnable", "students", id])) {
                    say("Reviews due", "المراجعات المستحقة")
                }
            } else {
                link(url(["learnable", "students", id, "mastery"])) { say("Mastery", "الإتقان") }
            }
            " · "
            link(url(["people", "learnable", id])) { say("Everything that happened", "كل ما حدث") }
            " · "
            link(url(["models", "learnable.schedule", id])) {
                say("The schedule at any moment", "الجدول في أي لحظة")
            }
        }
    }

    /// How many fall due in each of the coming eight weeks from today; what is overdue counts to the first.
    private func weeks(_ schedule: JSON, _ today: String) -> [(name: String, count: Int)] {
        guard let start = LocalDate(text: today) else { return [] }
        var weeks = (0..<8).map { (name: start.adding(days: $0 * 7).description, count: 0) }
        for day in schedule["days"]?.array ?? [] {
            guard let date = day["day"]?.string.flatMap({ LocalDate(text: $0) }) else { continue }
            let week = max(0, date.days(since: start)) / 7
            if week < weeks.count { weeks[week].count += day["questions"]?.array?.count ?? 0 }
        }
        return weeks
    }

    private func masteryPage(_ id: String) async throws -> PageAnswer {
        guard
            let mastery = try await model(
                "learnable.mastery", id, [("subject", request.query["subject"])])
        else { throw noPage }
        let calendar = await modelIfSeen(
            "learnable.calendar", id, [("month", request.query["month"])])
        let bars = mastery["bars"]?.array ?? []
        return layout(say("Mastery of ", "إتقان ") + id, section: "learnable") {
            learnerLinks(id, isMastery: true)
            table(
                say("How far, how well", "إلى أي حد، وبأي جودة"),
                [
                    say("Subject or topic", "المادة أو الموضوع"),
                    say("Completed, percent", "الإتمام ٪"), say("Mastered, percent", "الإتقان ٪"),
                ],
                bars.map { bar in
                    [
                        link(
                            url(
                                ["learnable", "students", id, "mastery"],
                                [("subject", bar.shown("subject"))])
                        ) {
                            element("bdi") { bar.shown("title") }
                        },
                        meter(bar["completion"]), meter(bar["mastery"]),
                    ]
                })
            if let calendar { month(calendar, id) }
        }
    }

    private func month(_ calendar: JSON, _ id: String) -> Markup {
        let days = calendar["days"]?.array ?? []
        let done = days.count { $0["done"]?.bool == true }
        return section(say("Days of study in ", "أيام الدراسة في ") + calendar.shown("month")) {
            element("p") { say("\(done) of \(days.count) days", "\(done) من \(days.count) يومًا") }
            element("ol", ["class": "days"]) {
                for day in days {
                    let isDone = day["done"]?.bool == true
                    element("li", ["class": isDone ? "done" : nil]) {
                        String(day.shown("day").suffix(2))
                        element("span", ["class": "unseen"]) { isDone ? say(" done", " تمّ") : "" }
                    }
                }
            }
        }
    }
}
