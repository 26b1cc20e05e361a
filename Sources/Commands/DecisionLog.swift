public import Core

/// A check that a decision made on its way, and what it saw.
package struct DecisionCheck: Sendable {
    /// What was checked, such as `sender` or `found`.
    package let name: String
    /// What it saw, by name.
    package let saw: [(name: String, value: String)]
    /// What it refuses with.
    package let code: String
    package let holds: Bool
    /// The id of the command of a merge that it was made for; empty for the command itself.
    package let command: String
}

/// The checks of a decision in their order, kept for who asks why a command was decided so; a command that is
/// submitted has none.
///
/// Belongs to one thread at a time.
package final class DecisionLog {
    package private(set) var checks: [DecisionCheck] = []

    /// How many events of timers came before the command.
    package var timerEvents = 0

    package init() {}

    package func note(
        _ name: String, saw: [(name: String, value: String)], code: String, holds: Bool,
        command: String = ""
    ) {
        checks.append(
            DecisionCheck(name: name, saw: saw, code: code, holds: holds, command: command))
    }

    /// Before the next command.
    package func clear() {
        checks = []
        timerEvents = 0
    }
}

extension DecisionContext {
    /// Whether the one who acts may send what these senders may.
    public func admits(_ senders: Senders) -> Bool {
        let holds = senders.admit(actor)
        note("sender", .forbidden, holds) {
            [
                ("by", names.text(actor.symbol)),
                ("may", senders.words { _ in nil }.joined(separator: ", ")),
            ]
        }
        return holds
    }

    /// What a command names, or `not-found`.
    ///
    /// - Parameter counts: false for a row that counts as not found, such as a deleted one.
    public func found<Row, T: Thing>(
        _ row: Row?, _ id: Identifier<T>, where counts: (Row) -> Bool = { _ in true }
    ) throws(Product.Rejection) -> Row {
        let row = row.flatMap { counts($0) ? $0 : nil }
        note("found", .notFound, row != nil) { [(T.noun, names.text(id.symbol))] }
        guard let row else { throw notFound(id) }
        return row
    }

    /// `already-exists` for an id that is taken.
    public func checkIsFree<T: Thing>(
        _ id: Identifier<T>, unless isTaken: Bool
    ) throws(Product.Rejection) {
        note("free", .alreadyExists, !isTaken) { [(T.noun, names.text(id.symbol))] }
        if isTaken { throw alreadyExists(id) }
    }

    /// A rule that several commands share: noted whether or not it refuses.
    public func check(
        _ holds: Bool, else code: Product.Rejection,
        about particular: @autoclosure () -> Particular? = nil,
        saw: () -> [(name: String, value: String)] = { [] }
    ) throws(Product.Rejection) {
        note("rule", code, holds, saw: saw)
        if holds { return }
        throw particular().map { refuse(code, $0) } ?? code
    }

    /// The refusal is noted, if the check that it came from did not note it.
    package func noteRefusal(_ code: Product.Rejection) {
        guard let log else { return }
        if let last = log.checks.last, !last.holds, last.code.isExactly(code.rawValue) { return }
        note("rule", code, false) { particular(of: code).map { [("about", $0.english)] } ?? [] }
    }

    func note(
        _ name: String, _ code: Product.Rejection, _ holds: Bool,
        saw: () -> [(name: String, value: String)]
    ) {
        log?.note(name, saw: saw(), code: code.rawValue, holds: holds, command: mergedCommand)
    }
}
