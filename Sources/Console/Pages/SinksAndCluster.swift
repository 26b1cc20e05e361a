import Core

/// On the page of who runs the service: tables that sinks keep, and the other nodes that have the journal.
extension Visit {
    // MARK: Sinks

    func sinkSection(_ sinks: [JSON]) -> Markup {
        section(say("Sinks", "المصارف")) {
            if sinks.isEmpty {
                element("p") {
                    say(
                        "The service is told of no sinks: their databases belong into its setting ",
                        "لم يُذكر للخدمة أي مصرف: عناوين قواعد بياناتها في إعدادها ")
                    code("sinks")
                    say(". Others may run all the same.", ". وقد تعمل مصارف أخرى مع ذلك.")
                }
            } else {
                table(
                    say("Tables that sinks keep", "جداول تحفظها المصارف"),
                    [
                        say("Database", "قاعدة البيانات"), say("Done up to", "أُنجز حتى"),
                        say("Behind", "متأخر بـ"), say("Models", "النماذج"),
                        say("Personal values", "القيم الشخصية"), say(.state),
                    ],
                    numeric: [1, 2, 3], sinks.map(sinkRow))
            }
        }
    }

    private func sinkRow(_ sink: JSON) -> [Markup] {
        let schema = sink["schema"]?.string.map { " #\($0)" } ?? ""
        let position = sink["position"]?.wholeNumber
        return [
            code(sink.shown("address") + schema),
            position.map { position in
                position > 0
                    ? link(url(["events", "\(position)"])) { "\(position)" } : Markup("0")
            } ?? Markup("—"),
            Markup(sink["lag"]?.wholeNumber.map { "\($0)" } ?? "—"),
            Markup((sink["models"]?.array).map { "\($0.count)" } ?? "—"),
            Markup(
                sink["personal"]?.bool.map { isClear in
                    isClear ? say("in clear", "ظاهرة") : say("null", "فارغة")
                } ?? "—"),
            sinkState(sink),
        ]
    }

    private func sinkState(_ sink: JSON) -> Markup {
        if sink["secondsAgo"]?.isNull ?? true {
            return Markup(say("It has not answered yet.", "لم تُجب بعد."))
        }
        if let trouble = sink["trouble"]?.string {
            if sink.shown("trouble") == "its tables are of another journal" {
                return Markup(say("Its tables are of another journal.", "جداولها من سجل آخر."))
            }
            return element("bdi") { trouble }
        }
        let building = (sink["building"]?.array ?? []).compactMap(\.string)
        if !building.isEmpty {
            return Markup(say("Another version is being filled: ", "يُملأ إصدار آخر: "))
                + code(building.joined(separator: ", "))
        }
        let isThere = sink["lag"]?.wholeNumber == 0
        return Markup(isThere ? say("up to date", "محدَّث") : say("behind", "متأخر"))
    }

    // MARK: Cluster

    /// - Parameter cluster: nil where the service stands alone.
    func clusterSection(_ cluster: JSON?) -> Markup {
        section(say("Cluster", "العنقود")) {
            if let cluster {
                if let trouble = cluster["trouble"]?.string {
                    element("p", ["class": "problem", "role": "alert"]) {
                        say("Trouble: ", "خلل: ")
                        element("bdi") { trouble }
                    }
                }
                clusterFacts(cluster)
                nodeTable(cluster)
            } else {
                element("p") {
                    say(
                        "This service stands alone: no other node has its journal.",
                        "هذه الخدمة وحدها: لا عقدة أخرى لها سجلها.")
                }
            }
        }
    }

    private func clusterFacts(_ cluster: JSON) -> Markup {
        facts([
            (say("This node", "هذه العقدة"), code(cluster.shown("node"))),
            (say("Its part", "دورها"), clusterRole(cluster.shown("role"))),
            (
                say("Who decides", "من يقرّر"),
                cluster["decider"]?.string.map { code($0) }
                    ?? Markup(say("nobody is known to", "لا يُعرف أحد"))
            ),
            (say("Term", "الولاية"), Markup(cluster.shown("term"))),
            (say("Frames confirmed", "الإطارات المؤكَّدة"), Markup(cluster.shown("confirmed"))),
            (say("Frames here", "الإطارات هنا"), Markup(cluster.shown("frames"))),
            (say("Behind", "متأخر بـ"), Markup(cluster.shown("lag"))),
            (say("Keys missing here", "مفاتيح ناقصة هنا"), Markup(cluster.shown("missingKeys"))),
        ])
    }

    private func clusterRole(_ role: String) -> Markup {
        switch role {
        case "decides": Markup(say("decides", "تقرّر"))
        case "follows": Markup(say("follows", "تتبع"))
        case "stopped":
            Markup(say("stopped: nothing is written", "متوقفة: لا يُكتب شيء"))
        default: code(role)
        }
    }

    private func nodeTable(_ cluster: JSON) -> Markup {
        table(
            say("Nodes, as this one has heard of them", "العُقد كما سمعت بها هذه العقدة"),
            [
                say("Node", "العقدة"), say("Address", "العنوان"), say("Its part", "دورها"),
                say("Behind", "متأخر بـ"), say("Keys missing", "مفاتيح ناقصة"),
                say("Heard of, seconds ago", "آخر خبر منها بالثواني"), say(.state),
            ],
            numeric: [3, 4, 5],
            (cluster["nodes"]?.array ?? []).map { node in
                let silent = node["silentMilliseconds"]?.wholeNumber ?? 0
                let part =
                    node["decides"]?.bool == true
                    ? say("decides", "تقرّر")
                    : node["mayDecide"]?.bool == true
                        ? say("follows", "تتبع")
                        : say("follows, never decides", "تتبع ولا تقرّر أبدًا")
                return [
                    code(node.shown("name")), code(node.shown("address")), Markup(part),
                    Markup(node.shown("behind")), Markup(node.shown("missingKeys")),
                    Markup("\(silent / 1_000)"),
                    Markup(
                        node["stopped"]?.bool == true
                            ? say("stopped: nothing is written", "متوقفة: لا يُكتب شيء")
                            : say("in order", "سليمة")),
                ]
            })
    }
}
