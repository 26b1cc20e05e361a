import Core

extension Visit {
    /// Checkpoints, what an auditor takes home, and the check that the browser makes by itself.
    func auditPage() async throws -> PageAnswer {
        let found = try await get("/v1/audit/checkpoints")
        let checkpoints = found["checkpoints"]?.array ?? []
        let query = request.query
        let key = found["key"]?.string
        let newest = await checkpointNote(checkpoints.last)
        let signed = query["signed"]
        return layout(say(.audit), section: "audit", scripts: checkScripts) {
            if let signed {
                element("p", ["class": "done", "role": "status"]) {
                    say(
                        "A checkpoint of \(signed) events is signed.",
                        "وُقّعت نقطة تحقق من \(signed) حدثًا.")
                }
            }
            if hasCheck { checkSection(key) }
            checkpointTable(checkpoints)
            if let newest { witnesses(newest) }
            element("form", ["method": "post", "action": url(["audit"]), "class": "fields"]) {
                formToken
                element("button") { say("Sign a checkpoint now", "وقّع نقطة تحقق الآن") }
            }
            section(say("To take home", "للأخذ معك")) {
                element(
                    "form",
                    ["method": "get", "action": apiAddress("/v1/audit/report"), "class": "fields"]
                ) {
                    field(say("From (RFC 3339)", "من (RFC 3339)"), "from", "1970-01-01T00:00:00Z")
                    field(say("To (RFC 3339)", "إلى (RFC 3339)"), "to", "9999-12-31T23:59:59Z")
                    element("button") { say("Report", "تقرير") }
                }
                element("p") {
                    link(apiAddress("/v1/audit/export"), ["download": "sealed-export.jsonl"]) {
                        say("Export without personal values", "تصدير بلا قيم شخصية")
                    }
                }
                consistencyForm(checkpoints)
            }
        }
    }

    /// Whether the browser can check: the log that is published as tiles is the default journal's.
    var hasCheck: Bool { request.journal == nil }

    /// What the check needs.
    var checkScripts: [String] { hasCheck ? ["verify.js"] : [] }

    private func checkSection(_ key: String?) -> Markup {
        section(say("Check here", "تحقق هنا")) {
            element("p") {
                say(
                    "Your browser fetches what the log has published and checks signatures and hashes by itself: that the newest checkpoint continues the one that it remembers from your last visit, and that events are what was signed.",
                    "يجلب متصفحك ما نشره السجل ويتحقق بنفسه من التواقيع والبصمات: أن أحدث نقطة تحقق تتابع ما يتذكره من زيارتك الأخيرة، وأن الأحداث كما وُقّعت."
                )
            }
            checkBox(key: key, position: nil)
            element("p", ["class": "note"]) {
                say(
                    "A page that the service sends could lie about its own check. The same check works from a file on your disk, without the service: ",
                    "قد تكذب صفحة يرسلها الخادم في فحصها نفسها. يعمل الفحص نفسه من ملف على جهازك دون الخادم: "
                )
                link(url(["check.html"]), ["download": "sijill-check.html"]) {
                    "sijill-check.html"
                }
                say(
                    "; and audit/verify.py shares no code with it.",
                    "؛ ولا يشاركه audit/verify.py أي شيفرة.")
            }
        }
    }

    private func checkpointNote(_ checkpoint: JSON?) async -> String? {
        guard let size = checkpoint?["size"]?.wholeNumber else { return nil }
        return await text("/v1/audit/checkpoints/\(size)")
    }

    /// Who signed a checkpoint: the log, then its witnesses.
    func signers(_ checkpoint: JSON?) async -> [String] {
        await checkpointNote(checkpoint).map(Self.signers) ?? []
    }

    private static func signers(_ note: String) -> [String] {
        let parts = note.split(separator: "\n\n", maxSplits: 1)
        return (parts.count == 2 ? parts[1] : "").split(separator: "\n").compactMap { line in
            line.split(separator: " ").dropFirst().first.map(String.init)
        }
    }

    private func checkpointTable(_ checkpoints: [JSON]) -> Markup {
        table(
            say(.checkpoints),
            [say(.events), say("Root", "الجذر"), say("Origin", "المصدر"), say("File", "الملف")],
            numeric: [0],
            checkpoints.suffix(50).reversed().map { checkpoint in
                let size = checkpoint.shown("size")
                return [
                    link(url(["events", size])) { size }, code(checkpoint.shown("root")),
                    code(checkpoint.shown("origin")),
                    link(
                        apiAddress("/v1/audit/checkpoints/\(size)"),
                        ["download": "\(size).checkpoint"]
                    ) {
                        "\(size).checkpoint"
                    },
                ]
            })
    }

    /// Who signed the newest one, and which read models it attests.
    private func witnesses(_ note: String) -> Markup {
        let parts = note.split(separator: "\n\n", maxSplits: 1)
        let signers = Self.signers(note)
        let attested = (parts.first ?? "").split(separator: "\n").dropFirst(3)
        return element("details") {
            element("summary") {
                say("Under the newest: ", "تحت الأحدث: ")
                code(signers.joined(separator: ", "))
            }
            if !attested.isEmpty {
                element("p") {
                    say(
                        "It attests what \(attested.count) read models said:",
                        "تشهد بما قالته \(attested.count) من نماذج القراءة:")
                }
            }
            element("pre", ["dir": "ltr", "tabindex": "0"]) { note }
        }
    }

    private func consistencyForm(_ checkpoints: [JSON]) -> Markup? {
        let sizes = checkpoints.map { $0.shown("size") }
        guard sizes.count > 1 else { return nil }
        return element(
            "form",
            [
                "method": "get", "action": apiAddress("/v1/audit/proofs/consistency"),
                "class": "fields",
            ]
        ) {
            choice(say("Earlier", "الأسبق"), "from", sizes.first, sizes.map { ($0, $0) })
            choice(say("Later", "الألحق"), "to", sizes.last, sizes.reversed().map { ($0, $0) })
            element("button") {
                say("Proof that the later continues it", "برهان أن اللاحقة تتابعها")
            }
        }
    }

    func signCheckpoint() async throws -> PageAnswer {
        let answer = try await send("POST", "/v1/audit/checkpoints")
        let note = String(decoding: answer.body, as: UTF8.self)
        let size = note.split(separator: "\n").dropFirst().first.map(String.init)
        return .redirect(to: url(["audit"], [("signed", size)]))
    }

    // MARK: The check

    /// What `verify.js` works in; without scripts, a word of what to use instead.
    ///
    /// - Parameter position: of the event that is checked; the whole log if nil.
    func checkBox(key: String?, position: Int64?) -> Markup {
        element(
            "section",
            [
                "class": "check", "aria-label": say("Check", "فحص"),
                "data-words": words.description,
                "data-position": position.map { "\($0)" },
            ]
        ) {
            element("noscript") {
                element("p") {
                    say(
                        "The check needs scripts. Without them: download the proof and give it to audit/verify.py.",
                        "يحتاج الفحص إلى البرمجة. من دونها: نزّل البرهان وأعطه إلى audit/verify.py.")
                }
            }
            element("div", ["class": "controls", "hidden": ""]) {
                element("div", ["class": "fields"]) {
                    element("label") {
                        element("span") {
                            say(
                                "The log’s verifier key, best from your own records",
                                "مفتاح التحقق للسجل، ويفضّل من سجلاتك")
                        }
                        element(
                            "input",
                            [
                                "name": "key", "value": key ?? "", "dir": "ltr",
                                "autocomplete": "off", "spellcheck": "false",
                            ])
                    }
                }
                element("div", ["class": "buttons"]) {
                    element("button", ["type": "button"]) { say("Check here", "تحقق هنا") }
                    if position == nil {
                        element("button", ["type": "button", "data-full": ""]) {
                            say("Check every event", "تحقق من كل حدث")
                        }
                    }
                }
            }
            element(
                "progress",
                [
                    "hidden": "", "value": "0",
                    "aria-label": say("Checked so far", "ما فُحص حتى الآن"),
                ])
            element("ul")
            element("p", ["role": "status"])
        }
    }

    private var words: JSON {
        let words: [(String, String)] = [
            (
                "signed",
                say(
                    "The newest checkpoint, of {size} events, is signed by the key.",
                    "أحدث نقطة تحقق، من {size} حدثًا، موقّعة بالمفتاح.")
            ),
            (
                "continues",
                say(
                    "It continues the checkpoint of {size} events that this browser remembers from {when} UTC.",
                    "تتابع نقطة التحقق من {size} حدثًا التي يتذكرها هذا المتصفح من {when} UTC.")
            ),
            (
                "first",
                say(
                    "This browser remembers no earlier checkpoint: there is nothing to hold it against yet.",
                    "لا يتذكر هذا المتصفح نقطة أسبق: لا شيء تُقارن به بعد.")
            ),
            (
                "tiles",
                say(
                    "{tiles} of {of} tiles are what the checkpoint’s root says.",
                    "{tiles} من {of} بلاطة كما يقول جذر نقطة التحقق.")
            ),
            (
                "leaves",
                say(
                    "The events below {count} of {of} tiles are what the tiles say.",
                    "الأحداث تحت {count} من {of} بلاطة كما تقول البلاطات.")
            ),
            (
                "included",
                say(
                    "Event {position} is in the journal of {size} events as it was signed, by {count} hashes.",
                    "الحدث {position} في سجل من {size} حدثًا كما وُقّع، بـ{count} بصمة.")
            ),
            (
                "agrees",
                say(
                    "What this page shows of it is what the leaf says.",
                    "ما تعرضه هذه الصفحة منه هو ما تقوله الورقة.")
            ),
            ("holds", say("It holds.", "صحيح.")), ("broken", say("It does NOT hold.", "غير صحيح.")),
            ("running", say("Checking …", "جارٍ الفحص …")),
            (
                "cannot",
                say(
                    "This browser cannot check here: it has no Ed25519, or the page does not come over https. Nothing was checked.",
                    "لا يستطيع هذا المتصفح الفحص هنا: ليس فيه Ed25519، أو لم تأت الصفحة عبر https. لم يُفحص شيء."
                )
            ),
            ("key", say("This is no verifier key: {detail}", "ليس هذا مفتاح تحقق: {detail}")),
            ("signature", say("The signature is wrong: {detail}", "التوقيع خاطئ: {detail}")),
            (
                "unsigned",
                say(
                    "The key did not sign the checkpoint: {detail}",
                    "لم يوقّع المفتاح نقطة التحقق: {detail}")
            ),
            (
                "origin",
                say("The checkpoint is of another log: {detail}", "نقطة التحقق لسجل آخر: {detail}")
            ),
            (
                "shrunk",
                say(
                    "The log has fewer events than this browser remembers: {detail}",
                    "في السجل أحداث أقل مما يتذكره هذا المتصفح: {detail}")
            ),
            (
                "consistency",
                say(
                    "The checkpoint does not continue the remembered one: {detail}",
                    "لا تتابع نقطة التحقق ما يُتذكَّر: {detail}")
            ),
            (
                "root",
                say(
                    "The tiles lead to another root than the signed one, of {detail} events.",
                    "تؤدي البلاطات إلى جذر غير الموقّع، من {detail} حدثًا.")
            ),
            (
                "tile",
                say(
                    "The tile {detail} is not what the checkpoint’s root says.",
                    "البلاطة {detail} ليست كما يقول الجذر.")
            ),
            ("entries", say("The entries {detail} are not whole.", "المدخلات {detail} غير كاملة.")),
            (
                "leaf",
                say(
                    "Event {detail} is not what its tile says.",
                    "الحدث {detail} ليس كما تقول بلاطته.")
            ),
            (
                "inclusion",
                say(
                    "The hashes of leaf {detail} do not lead to the signed root.",
                    "بصمات الورقة {detail} لا تؤدي إلى الجذر الموقّع.")
            ),
            (
                "differs",
                say(
                    "What this page shows of event {detail} is not what its leaf says.",
                    "ما تعرضه هذه الصفحة من الحدث {detail} ليس ما تقوله ورقته.")
            ),
            (
                "notYet",
                say(
                    "No checkpoint covers it yet: the newest has {detail} events.",
                    "لا تغطيه نقطة تحقق بعد: في الأحدث {detail} حدثًا.")
            ),
            (
                "answer",
                say(
                    "The service did not give what is to be checked: {detail}",
                    "لم يعطِ الخادم ما يُفحص: {detail}")
            ),
            ("form", say("It cannot be read: {detail}", "لا يمكن قراءته: {detail}")),
            (
                "failed",
                say("The check did not come to an end: {detail}", "لم ينته الفحص: {detail}")
            ),
        ]
        return .object(of: words.map { ($0.0, .string($0.1)) })
    }
}
