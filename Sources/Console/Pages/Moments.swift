import Core

/// The moments of a read model: which events touched a document, and where among them one stands.
extension Visit {
    /// What is asked of a read model besides its key.
    struct ModelMoment {
        let asOf: String?
        let arguments: [(String, String?)]
        /// What the links of the page keep.
        var all: [(String, String?)] { arguments }
        /// Nil for the present, and for an instant.
        var position: Int64? { asOf.flatMap { Int64($0) } }

        init(_ query: [String: String], arguments names: [String]) {
            asOf = query["as-of"].flatMap { $0.isEmpty ? nil : $0 }
            arguments = names.compactMap { name in
                query[name].flatMap { $0.isEmpty ? nil : (name, $0) }
            }
        }
    }

    /// An event that touched the document.
    struct Place {
        let position: Int64
        let at: String
        let type: String

        init?(_ json: JSON) {
            guard let position = json["position"]?.wholeNumber else { return nil }
            self.position = position
            at = json.shown("at")
            type = json.shown("type")
        }

        /// Whether it had happened by a moment: a position, or an instant in UTC.
        func isWithin(_ moment: String?) -> Bool {
            guard let moment else { return true }
            if let position = Int64(moment) { return self.position <= position }
            // Without the Z a whole second comes before its fractions.
            return !moment.prefix { $0 != "Z" }.utf8.lexicographicallyPrecedes(
                at.prefix { $0 != "Z" }.utf8)
        }
    }

    /// Where one stands among the places.
    struct Walk {
        let places: [Place]
        /// How many there are before the first of these, and in all; nil where every event touches the document.
        let skipped: Int64
        let count: Int64?
        /// Whether each of them changed it, or may have done so.
        let areChanges: Bool
        /// The last place that counts; nil before the first.
        let here: Int?
        let isPresent: Bool
        let position: Int64
        let head: Int64

        init(_ steps: JSON, _ asked: ModelMoment, head: UInt64?) {
            places = (steps["places"]?.array ?? []).compactMap(Place.init)
            skipped = steps["before"]?.wholeNumber ?? 0
            count = steps["count"]?.wholeNumber
            areChanges = steps["changes"]?.bool ?? false
            isPresent = asked.asOf == nil
            here = places.lastIndex { $0.isWithin(asked.asOf) }
            self.head = Int64(clamping: head ?? 0)
            position = asked.position ?? self.head
        }

        /// What the document is compared with, where nobody says.
        var before: Int64? {
            guard let here else { return nil }
            return here > 0 ? places[here - 1].position : places[here].position - 1
        }
        var previous: Int64? {
            guard count != nil else { return position > 1 ? position - 1 : nil }
            return here.flatMap { $0 > 0 ? places[$0 - 1].position : nil }
        }
        var next: Int64? {
            guard !isPresent else { return nil }
            guard count != nil else { return position < head ? position + 1 : nil }
            let index = here.map { $0 + 1 } ?? 0
            return index < places.count ? places[index].position : nil
        }
    }

    /// Steps from one event to the next that touched the document; with a script, a slider over them.
    func slider(_ page: [String], _ path: String, _ asked: ModelMoment, _ walk: Walk)
        -> Markup
    {
        func at(_ position: Int64?) -> String {
            url(page, asked.all + [("as-of", position.map { "\($0)" })])
        }
        return element("section", ["class": "slider"]) {
            element("h2") { say("Moment", "اللحظة") }
            element("div", ["class": "steps"]) {
                if let previous = walk.previous {
                    link(at(previous), ["rel": "prev"]) { say(.previous) }
                }
                element("span") { standing(walk) }
                if let next = walk.next { link(at(next), ["rel": "next"]) { say(.next) } }
                if !walk.isPresent { link(at(nil)) { say(.present) } }
            }
            if walk.places.count > 1 || walk.count == nil {
                element(
                    "input",
                    [
                        "type": "range", "hidden": "", "min": "1", "max": "\(walk.head)",
                        "step": "1",
                        "value": "\(walk.position)", "dir": "ltr",
                        "aria-label": say("Events that touched it", "الأحداث التي مسّته"),
                        "data-here":
                            "\(walk.here.map { walk.places[$0].position } ?? walk.position)",
                        "data-steps": walk.count == nil
                            ? nil
                            : apiAddress(
                                "/v1/steps" + path,
                                asked.arguments + [("as-of", asked.position.map { "\($0)" })]),
                        "data-address": at(nil),
                    ])
                element(
                    "output",
                    ["class": "slider-label", "dir": "ltr", "aria-live": "polite", "hidden": ""])
            }
            if walk.places.count > 1 { placeList(walk, at) }
        }
    }

    private func standing(_ walk: Walk) -> String {
        guard let count = walk.count else {
            return say(
                "position \(walk.position) of \(walk.head); every event may change it",
                "الموضع \(walk.position) من \(walk.head)؛ قد يغيّره أي حدث")
        }
        let number = walk.here.map { walk.skipped + Int64($0) + 1 } ?? 0
        return walk.areChanges
            ? say("change \(number) of \(count)", "التغيير \(number) من \(count)")
            : say(
                "event \(number) of the \(count) that touched it",
                "الحدث \(number) من \(count) مسّته")
    }

    /// The places around where one stands, as links.
    private func placeList(_ walk: Walk, _ at: (Int64?) -> String) -> Markup {
        let middle = walk.here ?? 0
        let range = max(0, middle - 25)..<min(walk.places.count, middle + 25)
        return element("details") {
            element("summary") { say("As a list", "كقائمة") }
            element("ol", ["class": "places"]) {
                for index in range {
                    let place = walk.places[index]
                    element("li", ["value": "\(walk.skipped + Int64(index) + 1)"]) {
                        link(
                            at(place.position), ["aria-current": index == walk.here ? "step" : nil]
                        ) { "\(place.position)" }
                        " "
                        time(place.at)
                        " "
                        code(place.type)
                    }
                }
            }
        }
    }

    /// A form for any moment, and for the model's arguments.
    func moment(_ page: [String], _ asked: ModelMoment, _ walk: Walk) -> Markup {
        element("form", ["method": "get", "action": url(page), "class": "fields"]) {
            languageField
            field(
                say("As of (position or instant)", "حتى (موضع أو لحظة)"), "as-of", asked.asOf,
                hint: "5340")
            field(
                say("Compare with (position)", "قارن مع (موضع)"), "compare",
                request.query["compare"],
                hint: walk.before.map { "\($0)" })
            for (name, value) in asked.arguments {
                element("input", ["type": "hidden", "name": name, "value": value])
            }
            element("button") { say(.show) }
        }
    }
}
