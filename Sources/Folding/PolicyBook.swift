public import Core

/// A product's policy: named values with defaults, adopted by event (shared page, Policies).
public protocol PolicyBook: Hashable, Sendable {
    /// With every value at its default.
    init()
    /// Every value of the policy, in the order in which it is shown.
    static var entries: [PolicyEntry<Self>] { get }
}

/// The allowed values of a policy field, as a refusal states them.
public enum Allowed: Hashable, Sendable {
    /// A whole number of a range.
    case whole(ClosedRange<Int>)
    /// A whole number of a range, or null.
    case wholeOrNone(ClosedRange<Int>)
    /// A list of at most this many.
    case wholes(ClosedRange<Int>, most: Int)
    /// One of these words.
    case choice([String])
    /// A list of these words.
    case choices([String])
    /// True or false.
    case truth
    /// Of a hundred.
    case percentage
    /// What the words say.
    case words(String)

    /// Whether the numbers of a value are in their range.
    func admits(_ value: JSON) -> Bool {
        switch self {
        case .whole(let range), .wholeOrNone(let range):
            value.wholeNumber.map { range ~= Int($0) } ?? true
        case .wholes(let range, let most):
            (value.array ?? []).count <= most
                && (value.array ?? []).allSatisfy {
                    $0.wholeNumber.map { range ~= Int($0) } ?? true
                }
        case .choice, .choices, .truth, .percentage, .words: true
        }
    }

    /// As an expectation says it.
    public var english: String {
        switch self {
        case .whole(let range): range.wholeNumbers
        case .wholeOrNone(let range): "\(range.wholeNumbers), or null"
        case .wholes(let range, let most):
            "a list of at most \(most), each \(range.wholeNumbers)"
        case .choice(let words): "one of " + words.joined(separator: ", ")
        case .choices(let words): "a list, each one of " + words.joined(separator: ", ")
        case .truth: "true or false"
        case .percentage: "a percentage from 0 to 100"
        case .words(let words): words
        }
    }

    /// What the form of a value says by itself; nil where it says nothing.
    fileprivate init?(_ form: JSONForm) {
        switch form {
        case .bool: self = .truth
        case .percent: self = .percentage
        case .choice(let words): self = .choice(words)
        case .array(.choice(let words)): self = .choices(words)
        default: return nil
        }
    }
}

/// One value of a policy: its name, its form and what is allowed.
public struct PolicyEntry<Book: PolicyBook>: Sendable {
    public let name: String
    /// What may be given; nil where nothing was said.
    public let allowed: Allowed?
    let set: @Sendable (JSON, inout Book) -> Bool
    let get: @Sendable (Book) -> JSON
    /// Judged against the other values as they will stand.
    let isAllowed: @Sendable (Book) -> Bool

    private init<V: FieldValue>(
        named name: String, _ path: any WritableKeyPath<Book, V> & Sendable, _ allowed: Allowed?,
        _ isAllowed: @escaping @Sendable (Book) -> Bool
    ) {
        self.name = name
        self.allowed = allowed
        self.isAllowed = isAllowed
        set = { json, book in
            var input = JSONInput(names: Names(), path: name)
            guard let value = V.read(json, from: &input) else { return false }
            book[keyPath: path] = value
            return true
        }
        get = { book in JSONOutput.json(of: book[keyPath: path], Names()) }
    }

    /// - Parameter allowed: what may be given, in words, where the form of the value does not say it.
    public init<V: FieldValue>(
        _ name: String, _ path: any WritableKeyPath<Book, V> & Sendable,
        _ allowed: String? = nil,
        _ isAllowed: @escaping @Sendable (Book) -> Bool = { _ in true }
    ) {
        self.init(named: name, path, allowed.map { .words($0) } ?? Allowed(V.jsonForm), isAllowed)
    }

    /// A whole number of a range; another rule may join it to other values.
    public init<N: WholeNumber>(
        _ name: String, _ path: any WritableKeyPath<Book, N> & Sendable,
        _ range: ClosedRange<Int>,
        _ isAllowed: @escaping @Sendable (Book) -> Bool = { _ in true }
    ) {
        self.init(named: name, path, .whole(range)) {
            range ~= $0[keyPath: path].wholeNumber && isAllowed($0)
        }
    }

    /// A whole number of a range, or null.
    public init<N: WholeNumber>(
        _ name: String, _ path: any WritableKeyPath<Book, N?> & Sendable,
        _ range: ClosedRange<Int>,
        _ isAllowed: @escaping @Sendable (Book) -> Bool = { _ in true }
    ) {
        self.init(named: name, path, .wholeOrNone(range)) { book in
            (book[keyPath: path].map { range ~= $0.wholeNumber } ?? true) && isAllowed(book)
        }
    }

    /// A list of whole numbers of a range.
    public init<N: WholeNumber>(
        _ name: String, _ path: any WritableKeyPath<Book, [N]> & Sendable,
        _ range: ClosedRange<Int>, most: Int,
        _ isAllowed: @escaping @Sendable (Book) -> Bool = { _ in true }
    ) {
        self.init(named: name, path, .wholes(range, most: most)) { book in
            book[keyPath: path].count <= most
                && book[keyPath: path].allSatisfy { range ~= $0.wholeNumber } && isAllowed(book)
        }
    }
}

/// Why changes of a policy cannot be adopted.
public enum PolicyProblem: Error {
    /// There is no value of this name.
    case unknownName(String)
    /// This value has the wrong form or is not allowed.
    case invalidValue(String, JSON, Allowed?)
}

extension PolicyBook {
    /// The book after all that was adopted.
    public init(adopted entries: [PolicyRow.Entry]) {
        self.init()
        // A number out of its range cannot have been adopted, whatever a made-up export says.
        for adopted in entries {
            guard let entry = Self.entry(adopted.name),
                entry.allowed?.admits(adopted.value) ?? true
            else { continue }
            _ = entry.set(adopted.value, &self)
        }
    }

    private static func entry(_ name: String) -> PolicyEntry<Self>? {
        entries.first { $0.name.isExactly(name) }
    }

    /// The changes with their values in canonical form, if all of them may be adopted together.
    public func adopting(_ changes: [JSON.Member]) throws(PolicyProblem) -> JSON {
        for change in changes where Self.entry(change.name) == nil {
            throw .unknownName(change.name)
        }
        var next = self
        for change in changes {
            guard Self.entry(change.name)?.set(change.value, &next) == true else {
                throw .invalidValue(change.name, change.value, Self.entry(change.name)?.allowed)
            }
        }
        // Another value may become invalid through these, such as a default outside its new limits.
        for entry in Self.entries where !entry.isAllowed(next) {
            throw .invalidValue(entry.name, entry.get(next), entry.allowed)
        }
        return .object(
            changes.map { change in
                JSON.Member(
                    name: change.name, value: Self.entry(change.name)?.get(next) ?? change.value)
            })
    }

    /// Every name with its value, its default and the position that set it (shared page, Policies).
    public static func write(_ adopted: [PolicyRow.Entry], to output: inout JSONOutput) {
        let book = Self(adopted: adopted)
        let standard = Self()
        output.object { output in
            for entry in entries {
                output.object(entry.name) { output in
                    output.member("value", entry.get(book))
                    output.member("default", entry.get(standard))
                    output.member(
                        "position", adopted.first { $0.name.isExactly(entry.name) }?.position)
                }
            }
        }
    }
}

/// The adopted values of one product.
public struct PolicyRow: Record {
    /// A value that was adopted.
    public struct Entry: Record {
        public var name = ""
        /// In canonical form.
        public var value: JSON = .null
        /// Of the event that adopted it.
        public var position = Position.zero

        public init() {}

        public mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("name", &name)
            coder.field("value", &value)
            coder.field("position", &position)
        }
    }

    public private(set) var entries: [Entry] = []
    /// Which write holds each value (ExamRoom R40).
    public private(set) var holders = Holders()

    public init() {}

    public mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("entries", &entries)
        coder.field("holders", &holders)
    }

    /// Each name is a register (ExamRoom R40).
    public mutating func adopt(_ changes: JSON, by metadata: EventMetadata, _ names: Names) {
        for change in changes.members ?? []
        where holders.take(change.name, by: metadata, first: nil, names) {
            var entry = Entry()
            entry.name = change.name
            entry.value = change.value
            entry.position = metadata.position
            if let place = entries.firstIndex(where: { $0.name.isExactly(change.name) }) {
                entries[place] = entry
            } else {
                entries.append(entry)
            }
        }
    }
}
