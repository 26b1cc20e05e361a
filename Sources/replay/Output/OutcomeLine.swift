internal import Engine

/// The short form of an outcome, for a person.
struct OutcomeLine {
    private let status: Outcome.Status
    private let value: Document.Value

    init(_ value: Document.Value, _ status: Outcome.Status) {
        self.value = value
        self.status = status
    }

    func text(_ palette: Palette) -> String {
        let tone: Tone =
            switch status {
            case .accepted: .good
            case .rejected: .bad
            case .duplicate: .notice
            }
        let id = Printable.line(value["id"].short)
        let space = String(repeating: " ", count: max(0, 12 - Printable.columns(of: id)))
        let mark = palette.paint(
            status.rawValue + String(repeating: " ", count: 9 - status.rawValue.count), tone)
        return "\(mark)  \(id)\(space)  \(Printable.line(tail))"
    }

    /// What was recorded, or why nothing was.
    private var tail: String {
        if status == .rejected {
            return "\(value["code"].short): \(value["message"].short)"
        }
        guard case .array(let events) = value["events"], let last = events.last else {
            return "no events"
        }
        let others = events.count - 1
        let more = others > 0 ? "  and \(Figures.counted(others, "event")) before it" : ""
        return "\(last["position"].short)  \(last["type"].short)  \(last["stream"].short)\(more)"
    }
}
