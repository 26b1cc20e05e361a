public import Core
public import Folding

/// A view that is computed from events alone: same events, same bytes (contract, Words).
///
/// `State` is the fold it reads. `view` asks nothing but the state, the request and the history;
/// what depends on the present is computed from `request.now`.
public struct ReadModel<State: FoldedState>: Sendable {
    public let name: String
    /// The question it answers, for `replay models`.
    public let question: String
    /// What the key names, such as `exam`; nil for a model without keys.
    public let key: String?
    /// The arguments it understands.
    public let arguments: [String]
    /// Every key that has a document; empty for a model without keys. In no particular order, but for models
    /// that look at the past: those in its order, so that one fold goes along with them.
    public let keys: @Sendable (State) -> [String]
    /// The arguments under which whoever goes through all documents of a key asks for them: one document
    /// without any, unless the model cannot do without some.
    public let samples: @Sendable (State, String) -> [[String: String]]
    /// Whether a digest covers lists whole, or their first page: where each key's list is most of the journal.
    public let digestsWholeLists: Bool
    /// Which events its documents rest on; nil where nothing less than all of them will do.
    public let basis: Basis?
    /// Writes the document; false when the events know nothing of the key.
    public let view: @Sendable (State, ViewRequest, inout JSONOutput) throws(WrongArgument) -> Bool

    public init(
        _ name: String, _ question: String, key: String? = nil, arguments: [String] = [],
        keys: @escaping @Sendable (State) -> [String] = { _ in [] },
        samples: @escaping @Sendable (State, String) -> [[String: String]] = { _, _ in [[:]] },
        digestsWholeLists: Bool = true, basis: Basis? = nil,
        view:
            @escaping @Sendable (State, ViewRequest, inout JSONOutput)
            throws(WrongArgument) -> Bool
    ) {
        self.name = name
        self.question = question
        self.key = key
        self.arguments = arguments
        self.keys = keys
        self.samples = samples
        self.digestsWholeLists = digestsWholeLists
        self.basis = basis
        guard arguments.contains("page") else {
            self.view = view
            return
        }
        // Wrong use, whether or not there is such a key.
        self.view = { (state, request, output) throws(WrongArgument) -> Bool in
            _ = try Page(request)
            return try view(state, request, &output)
        }
    }
}

extension ReadModel where State: HoldsPolicy {
    /// Which numbers and switches are in force, and since when? (shared page, Policies)
    public static func policy(_ question: String, basis: Basis) -> ReadModel {
        ReadModel("\(State.product).policy", question, basis: basis) { state, _, output in
            State.Policy.write(state.policies.entries, to: &output)
            return true
        }
    }
}

/// What a view is asked.
public struct ViewRequest {
    /// Whose document it is; empty for a model without keys.
    public let key: String
    /// The arguments by name, as they were given.
    public let arguments: [String: String]
    private let present: Instant
    private let journal: any History
    private let pastState: (Position) -> PastState?
    /// Is told what the view looks at; nil where nobody wants to know.
    private let looks: Looks?
    /// Looks up the last position that counts: with an instant that may take reading, and few ask.
    private let lastPosition: () -> Position

    package init(
        key: String, arguments: [String: String], now: Instant,
        through: @escaping @autoclosure () -> Position,
        history: any History, past: @escaping (Position) -> PastState? = { _ in nil },
        looks: Looks? = nil
    ) {
        self.key = key
        self.arguments = arguments
        present = now
        lastPosition = through
        journal = history
        pastState = past
        self.looks = looks
    }

    /// The present that the view is asked at.
    public var now: Instant {
        looks?.atPresent = true
        return present
    }

    /// The last position that counts.
    public var through: Position {
        looks?.atJournal = true
        return lastPosition()
    }

    /// The events that count.
    public var history: any History {
        looks?.atJournal = true
        return journal
    }

    /// The state and the events as they stood at an earlier position, whole; nil where the journal
    /// cannot be read. Folds: for what quotes the past, such as an export. Good until it is asked again.
    package func past(_ position: Position) -> PastState? {
        looks?.atJournal = true
        return pastState(position)
    }
}

/// What a view looked at besides the state: its document hangs on that too.
package final class Looks {
    package var atPresent = false
    package var atJournal = false

    package init() {}
}

/// One product's state with exactly the events up to a position, and those events.
package struct PastState {
    package let state: any FoldedState
    package let history: any History

    package init(state: any FoldedState, history: any History) {
        self.state = state
        self.history = history
    }
}

/// An argument that a model does not have, or a value that it cannot take: wrong use, not a document.
public struct WrongArgument: Error, Hashable, CustomStringConvertible {
    public let name: String
    /// What it may be, as a phrase: "expected a date, YYYY-MM-DD".
    public let expectation: String

    public init(_ name: String, _ expectation: String) {
        self.name = name
        self.expectation = expectation
    }

    public var description: String { "argument \(name): \(expectation)" }
}

extension ViewRequest {
    /// The argument as a value of a choice; nil when it is not given.
    public func choice<C: Choice>(_ name: String, _ type: C.Type) throws(WrongArgument) -> C? {
        guard let text = arguments[name] else { return nil }
        guard let choice = C(rawValue: text) else {
            throw WrongArgument(
                name, "expected one of \(C.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    /// The argument as an id; nil when it is not given.
    public func idText(_ name: String) throws(WrongArgument) -> String? {
        guard let text = arguments[name] else { return nil }
        guard IdentifierForm.accepts(text) else {
            throw WrongArgument(name, IdentifierForm.expectation)
        }
        return text
    }

    /// The argument as a date; nil when it is not given.
    public func date(_ name: String) throws(WrongArgument) -> LocalDate? {
        guard let text = arguments[name] else { return nil }
        guard let date = LocalDate(text: text) else {
            throw WrongArgument(name, "expected a date, YYYY-MM-DD")
        }
        return date
    }

    /// The argument as an instant; nil when it is not given.
    public func instant(_ name: String) throws(WrongArgument) -> Instant? {
        guard let text = arguments[name] else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw WrongArgument(name, "expected an RFC 3339 instant with an offset")
        }
        return instant
    }
}

/// Lists are 50 a page (contract, ExamRoom Policy); the page `all` is the whole list as one.
public struct Page: Sendable {
    /// Elements a page.
    public static let size = 50
    /// The argument that asks for everything at once.
    public static let all = "all"

    private static let numbers = 1...1_000_000_000

    /// Nil for the whole list.
    private let number: Int?

    public init(_ request: ViewRequest) throws(WrongArgument) {
        let text = request.arguments["page"] ?? "1"
        if text == Self.all {
            number = nil
            return
        }
        guard let number = Int(text), Self.numbers.contains(number) else {
            throw WrongArgument(
                "page",
                "expected a whole number from 1 to \(Self.numbers.upperBound), or \(Self.all)")
        }
        self.number = number
    }

    /// How many elements from the first on reach to the end of this page.
    public var reach: Int { number.map { $0.multipliedClamping(Self.size) } ?? .max }

    /// Which of `total` elements, counted from 0, stand on this page.
    public func range(of total: Int) -> Range<Int> {
        guard let number else { return 0..<total }
        let start = min((number - 1) * Self.size, total)
        return start..<min(start + Self.size, total)
    }

    /// Writes `page`, `pages` (at least 1) and `total` into the open object.
    public func write(total: Int, to output: inout JSONOutput) {
        output.member("page", number ?? 1)
        output.member("pages", number == nil ? 1 : max(1, (total + Self.size - 1) / Self.size))
        output.member("total", total)
    }
}
