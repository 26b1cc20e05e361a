package import Core

/// What came of a command.
package enum Answer: Equatable, Sendable {
    /// With the events of the timers that were due before it.
    case accepted([Recorded])
    /// It was accepted before.
    case duplicate([Recorded])
    /// The code, and what was recorded all the same: by timers, and of the refusal.
    case rejected(String, [Recorded])
    case malformed(String)

    init(_ outcome: JSON) {
        let recorded = (outcome["events"]?.array ?? []).map { Recorded($0) }
        self =
            switch outcome.word("code") {
            case "malformed": .malformed(outcome.word("message") ?? "")
            case let code?: .rejected(code, recorded)
            case nil:
                outcome.word("status") == "duplicate" ? .duplicate(recorded) : .accepted(recorded)
            }
    }

    package static func rejected(_ code: String) -> Answer { .rejected(code, []) }
}

/// What came of a command in brief: of what was recorded only the types, without the product.
package enum Brief: Equatable, Sendable {
    /// With those of the timers that were due before it.
    case accepted([String])
    case duplicate
    /// The code, and what was recorded all the same: by timers, and of the refusal.
    case rejected(String, [String])
    case malformed(String)

    init(_ outcome: JSON) {
        self =
            switch outcome.word("code") {
            case "malformed": .malformed(outcome.word("message") ?? "")
            case let code?: .rejected(code, outcome.types)
            case nil: outcome.word("status") == "duplicate" ? .duplicate : .accepted(outcome.types)
            }
    }

    package static func rejected(_ code: String) -> Brief { .rejected(code, []) }

    /// Of a refusal, whatever was recorded before it.
    package var code: String? { if case .rejected(let code, _) = self { code } else { nil } }
}

/// An event as an outcome lists it: when, where, and what it says.
package struct Recorded: Equatable, Sendable {
    package let type: String
    package let stream: String
    package let at: Instant
    package let data: JSON

    package init(_ type: String, on stream: String, at: Instant, _ data: JSON) {
        self.type = type
        self.stream = stream
        self.at = at
        self.data = data
    }

    init(_ event: JSON) {
        self.init(
            event.word("type") ?? "", on: event.word("stream") ?? "",
            at: Instant(event.word("at") ?? ""), event.part("data"))
    }
}

extension JSON {
    /// The value at a path of member names and places, `questions.0.chosen`; nil if there is none.
    package func at(_ path: String) -> JSON? {
        path.split(separator: ".").reduce(self as JSON?) { value, step in
            if let place = Int(step) {
                guard let items = value?.array, items.indices.contains(place) else { return nil }
                return items[place]
            }
            return value?[String(step)]
        }
    }

    /// The same; null where there is none.
    package func part(_ path: String) -> JSON { at(path) ?? .null }
    package func word(_ path: String) -> String? { at(path)?.string }
    package func number(_ path: String) -> Int? { at(path)?.wholeNumber.map { Int($0) } }
    package func count(_ path: String) -> Int { at(path)?.array?.count ?? 0 }

    /// The canonical text at a path; "absent" where there is nothing.
    package func text(_ path: String) -> String { at(path)?.description ?? "absent" }

    /// The canonical texts of one member in each element of a list.
    package func column(_ list: String, _ member: String) -> [String] {
        (at(list)?.array ?? []).map { $0.text(member) }
    }

    /// The types of an outcome's events, without the product.
    package var types: [String] {
        (self["events"]?.array ?? []).map { Self.short($0.word("type") ?? "") }
    }

    /// The data of the outcome's first event of a type; null if there is none.
    package func fact(_ type: String) -> JSON {
        self["events"]?.array?.first { Self.short($0.word("type") ?? "") == type }?["data"] ?? .null
    }

    /// `account.erased` is no product's.
    private static func short(_ type: String) -> String {
        let product = type.prefix { $0 != "." }
        return ["examroom", "learnable", "quranflow", "tafawoq"].contains(product)
            ? String(type.dropFirst(product.count + 1)) : type
    }
}
