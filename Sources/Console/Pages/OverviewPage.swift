import Core

extension Visit {
    /// Where the journal stands, at a glance.
    func overviewPage() async throws -> PageAnswer {
        let status = try? await page("/v1/status")
        let newest = try await pageIfSeen("/v1/events", [("limit", "5"), ("reverse", "true")])
        let timers = await modelIfSeen("timers.pending")
        let checkpoints = try? await get("/v1/audit/checkpoints")
        let latency = await commitLatency()
        let subscriptions = try? await get("/v1/subscriptions")
        // Behind all others: it counts every event anew when one came.
        let summary = await modelAtHand("journal.summary")
        let signers = await signers(checkpoints?["checkpoints"]?.array?.last)
        let head = (newest?.json ?? status?.json)?["position"]?.wholeNumber ?? 0
        return layout(say(.overview), section: "overview", scripts: ["live.js"]) {
            element("div", ["class": "cards"]) {
                card(say("Events", "الأحداث"), "\(head)", recentGrowth())
                if let status {
                    card(
                        say("Commands that wait", "أوامر منتظرة"),
                        status.json.shown("waitingCommands"),
                        Markup(
                            say("questions that wait: ", "أسئلة منتظرة: ")
                                + status.json.shown("waitingQuestions")))
                }
                if let latency {
                    card(
                        say("Commit", "التثبيت"), latency.median,
                        Markup(
                            say("median; 99 of 100 within ", "الوسيط؛ ٩٩ من ١٠٠ خلال ")
                                + latency.slow))
                }
                if let timers { timerCard(timers) }
                if let checkpoints { checkpointCard(checkpoints, head, signers) }
                if let subscriptions { lagCard(subscriptions, head) }
            }
            if let summary { productTable(summary) }
            section(say("Newest events", "أحدث الأحداث")) {
                eventTable(newest?.json["events"]?.array ?? [])
                element("p") { link(url(["events"])) { say("All events", "كل الأحداث") } }
            }
        }
    }

    private func card(_ title: String, _ value: String, _ more: Markup?) -> Markup {
        element("section", ["class": "card"]) {
            element("h2") { title }
            element("p", ["class": "figure"]) { element("bdi") { value } }
            if let more { element("div", ["class": "more"]) { more } }
        }
    }

    /// How the journal grew in the last half hour, as far as this process saw it.
    private func recentGrowth() -> Markup? {
        let heads = request.recentHeads
        guard heads.count > 1 else { return nil }
        let growth = zip(heads.dropFirst(), heads).map { $0 >= $1 ? $0 - $1 : 0 }
        let total = growth.reduce(0, +)
        let words = say(
            "\(total) new in the last \(growth.count * 10) seconds",
            "\(total) جديدة في آخر \(growth.count * 10) ثانية")
        return sparkline(words, growth) + element("span") { words }
    }

    private func timerCard(_ timers: JSON) -> Markup {
        let first = timers["timers"]?.array?.first
        return element("section", ["class": "card"]) {
            element("h2") { say("Next timer", "المؤقت التالي") }
            element("p", ["class": "figure"]) { time(first?["due"]?.string) }
            element("div", ["class": "more"]) {
                if let first {
                    code(first.shown("timer"))
                    say("; \(timers.shown("total")) wait. ", "؛ ينتظر \(timers.shown("total")). ")
                }
                link(url(["timers"])) { say("All timers", "كل المؤقتات") }
            }
        }
    }

    private func checkpointCard(_ checkpoints: JSON, _ head: Int64, _ signers: [String]) -> Markup {
        let last = checkpoints["checkpoints"]?.array?.last
        let size = last?["size"]?.wholeNumber
        return element("section", ["class": "card"]) {
            element("h2") { say("Last checkpoint", "آخر نقطة تحقق") }
            element("p", ["class": "figure"]) { size.map { "\($0)" } ?? "—" }
            element("div", ["class": "more"]) {
                if let size {
                    say("\(head - size) events since.", "\(head - size) حدثًا بعدها.")
                    " "
                } else {
                    say("None is signed yet.", "لم تُوقَّع أي نقطة بعد.")
                }
                " "
                if !signers.isEmpty {
                    say("Signed by ", "وقّعها ")
                    code(signers.joined(separator: ", "))
                    ". "
                }
                link(url(["audit"])) { say("Checkpoints and witnesses", "نقاط التحقق والشهود") }
            }
        }
    }

    private func lagCard(_ subscriptions: JSON, _ head: Int64) -> Markup? {
        let all = subscriptions["subscriptions"]?.array ?? []
        guard !all.isEmpty else { return nil }
        let behind = all.map { subscription in
            head - ((subscription["checkpoints"]?.array ?? []).compactMap(\.wholeNumber).min() ?? 0)
        }
        return element("section", ["class": "card"]) {
            element("h2") { say(.subscriptions) }
            element("p", ["class": "figure"]) { "\(behind.max() ?? 0)" }
            element("div", ["class": "more"]) {
                say("events behind, at most", "حدثًا متأخرًا على الأكثر")
                " "
                link(url(["operations"])) { say("Who is behind", "من المتأخر") }
            }
        }
    }

    private func productTable(_ summary: JSON) -> Markup? {
        guard let products = summary["byProduct"]?.members else { return nil }
        return section(say(.products)) {
            bars(
                say("Events by product", "الأحداث حسب المنتج"), say(.product), say(.events),
                products.map { product in
                    Bar(
                        product.name, product.value,
                        address: url(["events"], [("type", "\(product.name).*")]))
                })
        }
    }

    /// How long commits took since the process started, by the buckets of its metrics; nil where the role may not see them.
    private func commitLatency() async -> (median: String, slow: String)? {
        guard let text = await text("/metrics") else { return nil }
        var buckets: [(bound: Substring, count: Int)] = []
        for line in text.split(separator: "\n")
        where line.hasPrefix("sijill_commit_duration_seconds_bucket") {
            let parts = line.split(whereSeparator: { $0 == "\"" || $0 == " " })
            guard parts.count >= 3, let count = parts.last.flatMap({ Int($0) }) else { continue }
            buckets.append((parts[1], count))
        }
        guard let total = buckets.last?.count, total > 0 else { return nil }
        func bound(_ share: Int) -> String {
            let found = buckets.first { $0.count * 100 >= total * share }
            return found.map { "≤ \($0.bound) s" } ?? "—"
        }
        return (bound(50), bound(99))
    }
}
