import Core

extension Visit {
    /// One event, whole: what it is, what came of it, and its place in the tree that checkpoints sign.
    func eventPage(_ position: String) async throws -> PageAnswer {
        let event = try await get(
            "/v1/events/\(position.percentEncodedForURL)",
            [("proof", request.query["proof"] == nil ? nil : "true")])
        let place = event["position"]?.wholeNumber ?? 0
        let stream = event.shown("stream")
        let cause = event["cause"]?.wholeNumber
        let command = event["command"]?.string
        let ofCommand = try await ofSameCommand(event, place)
        // For who may not see it, the field is empty.
        let key = (try? await get("/v1/audit/checkpoints"))?["key"]?.string
        let consequences = try await consequences(of: event, place)
        return layout(say(.event) + " \(place)", section: "events", scripts: checkScripts) {
            element("p", ["class": "lead"]) { sentence(of: event) }
            neighbours(event, place)
            facts([
                (
                    say(.type),
                    link(url(["events"], [("type", event.shown("type"))])) {
                        code(event.shown("type"))
                    }
                        + Markup(" " + say("version", "الإصدار") + " " + event.shown("version"))
                ),
                (
                    say(.stream),
                    streamLink(stream)
                        + Markup(" " + say("revision", "المراجعة") + " " + event.shown("revision"))
                ),
                (say("Happened", "حدث في"), time(event["at"]?.string)),
                (say(.recorded), time(event["recordedAt"]?.string)),
                (say(.who), actor(event["by"]?.string)),
                (say(.device), code(event.shown("device"))),
                (say(.command), code(command ?? "—")),
                (say(.tags), tagLinks(event)),
            ])
            section(say("Causes and consequences", "الأسباب والنتائج")) {
                element("h3") { say("Caused by", "السبب") }
                element("p") {
                    if let cause {
                        link(url(["events", "\(cause)"])) { say(.event) + " \(cause)" }
                        say(" (a timer that it set)", " (مؤقت وضعه)")
                    } else if let command {
                        say("the command ", "الأمر ")
                        code(command)
                    } else {
                        say("a timer", "مؤقت")
                    }
                }
                if ofCommand.count > 1 {
                    element("h3") { say("Recorded by the same command", "سُجّل بالأمر نفسه") }
                    eventTable(ofCommand)
                }
                if !consequences.isEmpty {
                    element("h3") { say("What it caused later", "ما سبّبه لاحقًا") }
                    eventTable(consequences)
                }
            }
            section(say("What it says", "ما يقوله")) {
                DocumentView(visit: self, old: nil, why: { _ in nil }).markup(
                    event["data"] ?? .null)
                raw(event)
            }
            proof(event, place, key)
        }
    }

    private func streamLink(_ stream: String) -> Markup {
        link(url(["streams"] + stream.split(separator: "/").map(String.init))) { code(stream) }
    }

    private func tagLinks(_ event: JSON) -> Markup {
        element("span") {
            for tag in event["tags"]?.array ?? [] {
                link(url(["events"], [("tag", tag.shown)])) { code(tag.shown) }
                " "
            }
        }
    }

    private func neighbours(_ event: JSON, _ place: Int64) -> Markup {
        element("nav", ["class": "pager", "aria-label": say("Neighbours", "الجوار")]) {
            if place > 1 {
                link(url(["events", "\(place - 1)"]), ["rel": "prev"]) { say(.previous) }
            }
            link(url(["events"], [("to", "\(place + 25)")])) { say("Around it", "ما حوله") }
            link(url(["events", "\(place + 1)"]), ["rel": "next"]) { say(.next) }
        }
    }

    /// Events of a command have positions in a row.
    private func ofSameCommand(_ event: JSON, _ place: Int64) async throws -> [JSON] {
        guard let command = event["command"]?.string else { return [] }
        let around = try await get(
            "/v1/events",
            [("from", "\(max(1, place - 50))"), ("to", "\(place + 50)"), ("limit", "101")])
        return (around["events"]?.array ?? []).filter { $0["command"]?.string == command }
    }

    /// Events that name it as their cause, of any stream: a timer that it set leaves an event with some of its tags, or of its
    /// stream. They are looked for among the next of each.
    private func consequences(of event: JSON, _ place: Int64) async throws -> [JSON] {
        let tags = (event["tags"]?.array ?? []).prefix(4).map { ("tag", $0.shown) }
        var found: [Int64: JSON] = [:]
        for wish in [("stream", event.shown("stream"))] + tags {
            let later = try await get(
                "/v1/events",
                [
                    (wish.0, wish.1), ("from", "\(place + 1)"),
                    ("limit", wish.0 == "stream" ? "200" : "50"),
                ])
            for one in later["events"]?.array ?? [] where one["cause"]?.wholeNumber == place {
                if let position = one["position"]?.wholeNumber { found[position] = one }
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The document as the API gives it.
    func raw(_ json: JSON) -> Markup {
        element("details") {
            element("summary") { say("As JSON", "بصيغة JSON") }
            element("pre", ["dir": "ltr", "tabindex": "0"]) { json.indented() }
        }
    }

    /// The check by the browser; the hashes where they are asked for, since the tree is walked for them.
    private func proof(_ event: JSON, _ place: Int64, _ key: String?) -> Markup {
        section(say("Proof", "البرهان")) {
            if hasCheck { checkBox(key: key, position: place) }
            element("p") {
                link(apiAddress("/v1/audit/proofs/inclusion/\(place)")) {
                    say("Proof file", "ملف البرهان")
                }
                " · "
                link(url(["events", "\(place)"], [("proof", "true")])) { say("Hashes", "البصمات") }
            }
            if let proof = event["proof"], !proof.isNull {
                element("p") {
                    say(
                        "By these hashes the event is leaf \(place - 1) of the tree over \(proof.shown("treeSize")) events, whose root is ",
                        "بهذه البصمات يكون الحدث الورقة \(place - 1) من الشجرة فوق \(proof.shown("treeSize")) حدثًا، وجذرها "
                    )
                    code(proof.shown("rootHash"))
                }
                element("ol", ["dir": "ltr"]) {
                    for hash in proof["hashes"]?.array ?? [] {
                        element("li") { element("code") { hash.shown } }
                    }
                }
            }
        }
    }
}

extension JSON {
    /// With its members one under the other.
    func indented(_ depth: Int = 0) -> String {
        let inner = String(repeating: "  ", count: depth + 1)
        let outer = String(repeating: "  ", count: depth)
        switch self {
        case .object(let members) where !members.isEmpty:
            let lines = members.map {
                "\(inner)\(JSON.string($0.name)): \($0.value.indented(depth + 1))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        case .array(let items) where !items.isEmpty:
            let lines = items.map { inner + $0.indented(depth + 1) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        default: return description
        }
    }
}
