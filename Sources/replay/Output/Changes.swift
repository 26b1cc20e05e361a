internal import Engine

/// What differs, laid out for a person.
enum Changes {
    /// One event in a line: where, when, what, who.
    static func heading(_ event: Event, _ palette: Palette, rules: [String] = []) -> String {
        let value = event.value
        let by = value["by"].string.map { " by \(Printable.line($0))" } ?? ""
        let command = value["command"].string.map { ", command \(Printable.line($0))" } ?? ""
        let rules = rules.isEmpty ? "" : " (\(rules.joined(separator: ", ")))"
        let timer = value["cause"].integer.map { ", due since \($0)" } ?? ""
        return palette.paint("\(event.position)", .heading) + "  \(event.at)  "
            + palette.paint(event.type, .good) + rules + by + command + timer
    }

    /// The same of an event that changed something, with the rules that it follows.
    static func heading(_ cause: Cause, _ palette: Palette) -> String {
        heading(cause.event, palette, rules: cause.rules)
    }

    /// A line for each place: where, what stood there, what stands there.
    static func lines(_ changes: [DocumentDifference.Change], _ output: Output) -> [String] {
        let most = output.isTerminal ? max(20, output.width * 2) : nil
        return changes.map { "    " + line($0, output.palette, atMost: most) }
    }

    /// One place; of each value so many columns at most.
    static func line(
        _ change: DocumentDifference.Change, _ palette: Palette, atMost most: Int? = nil
    ) -> String {
        func shown(_ value: Document.Value?, _ tone: Tone) -> String {
            guard let value else { return "nothing" }
            let text = Printable.line(String(decoding: value.canonical, as: UTF8.self))
            return palette.paint(most.map { Printable.shortened(text, to: $0) } ?? text, tone)
        }
        let (old, new) = (shown(change.old, .bad), shown(change.new, .good))
        return "\(Printable.line(change.path)): \(old) → \(new)"
    }
}
