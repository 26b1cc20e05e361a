import Engine

/// The commands that an engine did not accept, counted by command and code.
struct Refusals {
    private var counts: [String: Int] = [:]

    mutating func note(_ outcomes: [Outcome], of lines: [[UInt8]]) {
        for (outcome, line) in zip(outcomes, lines) where outcome.status != .accepted {
            let text = String(decoding: line, as: UTF8.self)
            let name = text.split(separator: "\"").dropFirst(7).first.map(String.init) ?? text
            let code = outcome.document.text.split(separator: "\"code\":\"").last?
                .prefix { $0 != "\"" }
            counts["\(name) \(code ?? "")", default: 0] += 1
        }
    }

    /// The most frequent first.
    var text: String {
        let names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) \($0.value)" }
        return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}
