import Core

/// What who runs the service looks at: who is behind, what was set aside, what is due, and long work.
extension Visit {
    func operationsPage() async throws -> PageAnswer {
        let status = try? await get("/v1/status")
        let subscriptions = try? await get("/v1/subscriptions")
        let timers = await modelIfSeen("timers.pending")
        let jobs = try? await get("/v1/jobs")
        // Last: a database that is away is not waited for.
        let sinks = try? await get("/v1/sinks")
        guard status != nil || subscriptions != nil || timers != nil else {
            throw PageProblem(403, say(.notYours))
        }
        let head = status?["position"]?.wholeNumber
        return layout(say(.operations), section: "operations") {
            if let status {
                facts([
                    (say(.position), Markup(status.shown("position"))),
                    (
                        say("Commands that wait", "أوامر منتظرة"),
                        Markup(status.shown("waitingCommands"))
                    ),
                    (
                        say("Questions that wait", "أسئلة منتظرة"),
                        Markup(status.shown("waitingQuestions"))
                    ),
                    (say("Live listeners", "مستمعون مباشرون"), Markup(status.shown("listeners"))),
                    (
                        say("Answers from the cache", "إجابات من الذاكرة"),
                        fraction(status["cache"]?.shown("hits") ?? "—", cacheTotal(status))
                    ),
                ])
            }
            if let subscriptions {
                subscriptionTable(subscriptions["subscriptions"]?.array ?? [], head)
            }
            if let timers {
                section(say(.timers)) {
                    element("p") {
                        say(
                            "\(timers.shown("total")) timers wait. ",
                            "\(timers.shown("total")) مؤقتًا في الانتظار. ")
                        link(url(["timers"])) { say("Soonest first", "الأقرب أولًا") }
                    }
                }
            }
            if let jobs {
                section(say(.jobs)) {
                    jobTable(jobs["jobs"]?.array ?? [])
                    jobForms()
                }
            }
            if let sinks { sinkSection(sinks["sinks"]?.array ?? []) }
            if let status { clusterSection(status["cluster"]) }
        }
    }

    private func cacheTotal(_ status: JSON) -> String {
        let cache = status["cache"]
        return "\((cache?["hits"]?.wholeNumber ?? 0) + (cache?["misses"]?.wholeNumber ?? 0))"
    }

    // MARK: Subscriptions

    private func subscriptionTable(_ all: [JSON], _ head: Int64?) -> Markup {
        table(
            say(.subscriptions),
            [
                say(.name), say("Partitions", "الأقسام"), say("Furthest behind", "الأبعد تأخرًا"),
                say("Consumers", "المستهلكون"), say("Set aside", "مُنحّاة"), "Webhook",
            ],
            numeric: [1, 2, 3, 4],
            all.map { subscription in
                let checkpoints = (subscription["checkpoints"]?.array ?? []).compactMap(
                    \.wholeNumber)
                let lag = head.flatMap { head in checkpoints.min().map { "\(head - $0)" } }
                return [
                    link(url(["subscriptions", subscription.shown("name")])) {
                        code(subscription.shown("name"))
                    },
                    Markup("\(checkpoints.count)"), Markup(lag ?? "—"),
                    Markup("\(subscription["leases"]?.array?.count ?? 0)"),
                    Markup(subscription.shown("parked")),
                    Markup(say(subscription["webhook"]?.bool == true ? .yes : .no)),
                ]
            })
    }

    func subscriptionPage(_ name: String) async throws -> PageAnswer {
        let path = "/v1/subscriptions/\(name.percentEncodedForURL)"
        let subscription = try await get(path)
        let head = (try? await get("/v1/status"))?["position"]?.wholeNumber
        let checkpoints = (subscription["checkpoints"]?.array ?? []).compactMap(\.wholeNumber)
        let leases = subscription["leases"]?.array ?? []
        var parked: [(partition: Int, row: JSON)] = []
        if subscription["parked"]?.wholeNumber != 0 {
            for partition in checkpoints.indices {
                let found = try await get("\(path)/partitions/\(partition)/parked")
                parked += (found["parked"]?.array ?? []).map { (partition, $0) }
            }
        }
        let setAside = parked
        return layout(say("Subscription ", "الاشتراك ") + name, section: "operations") {
            element("p") { link(url(["operations"])) { say(.operations) } }
            table(
                say("Partitions", "الأقسام"),
                [
                    say("Partition", "القسم"), say("Done up to", "أُنجز حتى"),
                    say("Behind", "متأخر بـ"), say("Held by", "عند"),
                ],
                numeric: [1, 2],
                checkpoints.enumerated().map { partition, checkpoint in
                    let holder = leases.first { lease in
                        (lease["partitions"]?.array ?? []).contains {
                            $0.wholeNumber == Int64(partition)
                        }
                    }
                    return [
                        Markup("\(partition)"),
                        checkpoint > 0
                            ? link(url(["events", "\(checkpoint)"])) { "\(checkpoint)" }
                            : Markup("0"),
                        Markup(head.map { "\($0 - checkpoint)" } ?? "—"),
                        holder.map { code($0.shown("consumer")) } ?? Markup("—"),
                    ]
                })
            section(say("Set aside", "مُنحّاة")) {
                element("p", ["class": "note"]) {
                    say(
                        "An event that is set aside keeps back all that come behind it of its stream, so that their order stays.",
                        "الحدث المُنحّى يؤخّر كل ما بعده من مجراه، حتى يبقى الترتيب.")
                }
                table(
                    say("Events that are set aside", "أحداث مُنحّاة"),
                    [
                        say(.event), say(.stream), say("Why", "السبب"), say("Times", "المرات"),
                        say(.state), say("Then", "ثم"),
                    ],
                    numeric: [3],
                    setAside.map { partition, row in
                        [
                            link(url(["events", row.shown("position")])) { row.shown("position") },
                            code(row.shown("stream")), element("bdi") { row.shown("reason") },
                            Markup(row.shown("times")), state(row.shown("status")),
                            parkedForm(name, partition, row.shown("position")),
                        ]
                    })
            }
            section(say("As it is defined", "كما عُرّف")) {
                DocumentView(visit: self, old: nil, why: { _ in nil }).markup(subscription)
            }
        }
    }

    private func parkedForm(_ name: String, _ partition: Int, _ position: String) -> Markup {
        element(
            "form", ["method": "post", "action": url(["subscriptions", name]), "class": "buttons"]
        ) {
            formToken
            element("input", ["type": "hidden", "name": "partition", "value": "\(partition)"])
            element("input", ["type": "hidden", "name": "position", "value": position])
            element(
                "button",
                [
                    "name": "then", "value": "retry",
                    "aria-label": say(
                        "Offer event \(position) again", "اعرض الحدث \(position) ثانية"),
                ]
            ) {
                say("Offer again", "اعرضه ثانية")
            }
            element(
                "button",
                [
                    "name": "then", "value": "drop", "class": "plain",
                    "aria-label": say("Pass over event \(position)", "تجاوز الحدث \(position)"),
                ]
            ) {
                say("Pass over", "تجاوزه")
            }
        }
    }

    func changeParked(_ name: String) async throws -> PageAnswer {
        let form = request.form
        guard let partition = form["partition"].flatMap({ Int($0) }),
            let position = form["position"].flatMap({ UInt64($0) })
        else { throw PageProblem(400, say("The form is not whole.", "النموذج غير كامل.")) }
        let path =
            "/v1/subscriptions/\(name.percentEncodedForURL)/partitions/\(partition)/parked/\(position)"
        switch form["then"] {
        case "retry": _ = try await send("POST", path + "/retry")
        case "drop": _ = try await send("DELETE", path)
        default: throw PageProblem(400, say("The form is not whole.", "النموذج غير كامل."))
        }
        return .redirect(to: url(["subscriptions", name]))
    }

    // MARK: Timers

    func timersPage() async throws -> PageAnswer {
        let timers =
            try await model("timers.pending", nil, [("page", request.query["page"])]) ?? .null
        return layout(say(.timers), section: "operations") {
            element("p", ["class": "note"]) {
                say(
                    "A timer fires with the first command that comes when it is due, or behind that.",
                    "يعمل المؤقت مع أول أمر يأتي حين يستحق أو بعده.")
            }
            table(
                say("Timers that wait, the soonest first", "المؤقتات المنتظرة، الأقرب أولًا"),
                [say("Timer", "المؤقت"), say(.due), say(.product), say(.stream)],
                (timers["timers"]?.array ?? []).map { timer in
                    [
                        code(timer.shown("timer")), time(timer["due"]?.string),
                        code(timer.shown("product")),
                        link(
                            url(
                                ["streams"]
                                    + timer.shown("stream").split(separator: "/").map(String.init))
                        ) {
                            code(timer.shown("stream"))
                        },
                    ]
                })
            pager(timers) { url(["timers"], [("page", $0)]) }
        }
    }

    // MARK: Jobs

    private func jobTable(_ jobs: [JSON]) -> Markup {
        table(
            say("Jobs, the newest first", "المهام، الأحدث أولًا"),
            [
                say("Job", "المهمة"), say("Kind", "النوع"), say(.state),
                say("How far", "إلى أي حد"), say("Asked by", "طلبها"), say(.when),
            ],
            jobs.map { job in
                [
                    link(url(["jobs", job.shown("id")])) { job.shown("id") },
                    state(job.shown("kind")),
                    state(job.shown("state")), progress(job), code(job.shown("by")),
                    time(job["queued"]?.string),
                ]
            })
    }

    private func progress(_ job: JSON) -> Markup {
        guard let progress = job["progress"], let total = progress["total"]?.wholeNumber, total > 0
        else {
            return Markup("—")
        }
        let done = progress["done"]?.wholeNumber ?? 0
        return fraction("\(done)", "\(total) ") + code(progress.shown("what"))
    }

    private func jobForms() -> Markup {
        element("form", ["method": "post", "action": url(["jobs"]), "class": "fields"]) {
            formToken
            choice(
                say("New job", "مهمة جديدة"), "kind", nil,
                [
                    ("verify", say("Verify the journal", "تحقق من السجل")),
                    ("rebuild", say("Make the read models again", "أعد بناء نماذج القراءة")),
                    ("backup", say("Write a backup", "اكتب نسخة احتياطية")),
                ])
            field(say("Name of the backup", "اسم النسخة"), "name", nil, hint: "nightly")
            element("button") { say("Begin", "ابدأ") }
        }
    }

    func jobsPage() async throws -> PageAnswer {
        let jobs = try await get("/v1/jobs")
        return layout(say(.jobs), section: "operations") {
            jobTable(jobs["jobs"]?.array ?? [])
            jobForms()
        }
    }

    func jobPage(_ id: String) async throws -> PageAnswer {
        let job = try await get("/v1/jobs/\(id.percentEncodedForURL)")
        let isOver = ["done", "failed", "cancelled"].contains(job.shown("state"))
        return layout(
            say("Job ", "المهمة ") + job.shown("id"), section: "operations",
            scripts: isOver ? [] : ["job.js"]
        ) {
            element("p") { link(url(["operations"])) { say(.operations) } }
            element(
                "div",
                ["data-job": isOver ? nil : apiAddress("/v1/jobs/\(id.percentEncodedForURL)")]
            ) {
                facts([
                    (say("Kind", "النوع"), state(job.shown("kind"))),
                    (say(.state), state(job.shown("state"))),
                    (say("Asked by", "طلبها"), code(job.shown("by"))),
                    (say("Queued", "في الصف منذ"), time(job["queued"]?.string)),
                    (say("Started", "بدأت"), time(job["started"]?.string)),
                    (say("Ended", "انتهت"), time(job["ended"]?.string)),
                ])
                if !isOver { jobProgress(id, job) }
            }
            if let error = job["error"], !error.isNull {
                element("p", ["class": "problem"]) { element("bdi") { error.shown("detail") } }
            }
            if let result = job["result"], !result.isNull {
                section(say("What came of it", "ما نتج عنها")) { raw(result) }
            }
        }
    }

    private func jobProgress(_ id: String, _ job: JSON) -> Markup {
        element("div") {
            element(
                "progress",
                [
                    "max": job["progress"]?["total"]?.wholeNumber.map { "\($0)" },
                    "value": job["progress"]?["done"]?.wholeNumber.map { "\($0)" },
                    "aria-label": say("How far it is", "مدى التقدم"),
                ])
            element("p", ["class": "how-far", "aria-live": "polite"]) { progress(job) }
            element("noscript") {
                element("p") { link(url(["jobs", id])) { say("Look again", "انظر ثانية") } }
            }
            element("form", ["method": "post", "action": url(["jobs", id])]) {
                formToken
                element("button") { say("Cancel", "ألغِ") }
            }
        }
    }

    func startJob() async throws -> PageAnswer {
        let kind = request.form["kind"] ?? ""
        var body: [(String, JSON)] = [("kind", .string(kind))]
        if kind == "backup" { body.append(("name", .string(request.form["name"] ?? ""))) }
        let answer = try await send("POST", "/v1/jobs", .object(of: body))
        let id = (try? JSON(parsing: answer.body))?.shown("id") ?? ""
        return .redirect(to: url(["jobs", id]))
    }

    func cancelJob(_ id: String) async throws -> PageAnswer {
        _ = try await send("DELETE", "/v1/jobs/\(id.percentEncodedForURL)")
        return .redirect(to: url(["jobs", id]))
    }
}
