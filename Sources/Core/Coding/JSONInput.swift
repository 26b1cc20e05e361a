/// Strict JSON in: a missing, unknown or mistyped field ends the reading with the reason and the path.
public struct JSONInput: Coder {
    public let names: Names
    private var members: [JSON.Member] = []
    private var met: [Bool] = []
    private let root: String
    /// The stream of the event whose payload is read, for ids that only it tells.
    public var stream = ""
    /// An event is read, not a request: its instants and dates may lie beyond those that may be given.
    public var isRecorded = false
    @usableFromInline var found: Problem?

    /// What was wrong, and the path to it: collected from the inside out, so that valid input costs nothing.
    @usableFromInline
    struct Problem {
        fileprivate var path = ""
        fileprivate let reason: String

        @usableFromInline
        func inside(_ step: String) -> Problem { Problem(path: step + path, reason: reason) }
    }

    /// - Parameter path: what stands before every problem's own.
    public init(names: Names, path: String) {
        self.names = names
        root = path
    }

    /// For what an event holds.
    @usableFromInline
    init(recorded names: Names) {
        self.init(names: names, path: "personal")
        isRecorded = true
    }

    /// Whether something was wrong.
    @inlinable public var isRefused: Bool { found != nil }

    /// The first thing that was wrong, such as `data.seconds: expected a whole number from 0`.
    public var problem: String? { found.map { "\(root)\($0.path): \($0.reason)" } }

    /// Records why the JSON is refused, below the current path; the first reason stays.
    public mutating func fail(_ reason: String) {
        if found == nil { found = Problem(reason: reason) }
    }

    /// Reads with an input of its own what stands under a member; its problem is this one's.
    public mutating func nested<R>(_ name: String, _ body: (inout JSONInput) -> R) -> R {
        var input = JSONInput(names: names, path: "")
        input.isRecorded = isRecorded
        let result = body(&input)
        if found == nil { found = input.found?.inside(".\(name)") }
        return result
    }

    /// Reads one object with `body`, after which no member may be left over.
    public mutating func record<R>(_ json: JSON, _ body: (inout JSONInput) -> R) -> R? {
        guard case .object(let members) = json else {
            fail("expected an object")
            return nil
        }
        var nested = JSONInput(names: names, path: "")
        nested.stream = stream
        nested.isRecorded = isRecorded
        nested.members = members
        nested.met = Array(repeating: false, count: members.count)
        let result = body(&nested)
        if nested.found == nil, let left = nested.met.firstIndex(of: false) {
            nested.fail("unknown field \"\(members[left].name)\"")
        }
        if found == nil { found = nested.found }
        return nested.found == nil ? result : nil
    }

    /// Reads the elements of an array, each with its index in the path.
    @inlinable
    public mutating func elements<V: FieldValue>(_ json: JSON, of type: V.Type) -> [V]? {
        guard case .array(let items) = json else {
            fail("expected an array")
            return nil
        }
        var values: [V] = []
        values.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            guard let value = V.read(item, from: &self), found == nil else {
                found = found?.inside("[\(index)]")
                return nil
            }
            values.append(value)
        }
        return values
    }

    public mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        guard let json = take(name) else {
            fail("missing field \"\(name)\"")
            return
        }
        read(json, name, into: &value)
    }

    public mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        guard let json = take(name) else { return }
        var given = V.empty
        read(json, name, into: &given)
        value = given
    }

    public mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        field(name, &value)
    }

    public mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        guard let json = take(name) else { return }
        var given: V?
        read(json, name, into: &given)
        value = .some(given)
    }

    public mutating func own<T: Thing>(_ name: String, _ value: inout Identifier<T>) {
        let id = stream.split(separator: "/").last.map { String($0) } ?? ""
        if IdentifierForm.accepts(id) { value = Identifier(names.intern(id)) }
    }

    public mutating func expect(
        _ name: String, _ expectation: @autoclosure () -> String, _ holds: @autoclosure () -> Bool
    ) {
        guard found == nil, !isRecorded, !holds() else { return }
        found = Problem(reason: "expected \(expectation())").inside(".\(name)")
    }

    private mutating func read<V: FieldValue>(
        _ json: JSON, _ name: String, into value: inout V
    ) {
        guard found == nil else { return }
        if let read = V.read(json, from: &self) { value = read }
        if found != nil { found = found?.inside(".\(name)") }
    }

    private mutating func take(_ name: String) -> JSON? {
        guard let index = members.firstIndex(where: { $0.name.isExactly(name) }) else { return nil }
        met[index] = true
        return members[index].value
    }
}
