/// A JSON document as a value (RFC 8259), with exact numbers and one order of members.
///
/// Texts are equal byte for byte; Swift's `==` would also equate normal forms. Numbers are equal
/// by value (`1.5`, `1.50`, `15e-1`), but one written without fraction and exponent never equals
/// one written with (`5`, `5.0`): the contract tells them apart.
///
/// Not `indirect`: arrays and objects keep their contents elsewhere anyway.
public enum JSON: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, kept exactly.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// An array, in its order.
    case array([JSON])
    /// Sorted by code point of the name, each name once: what the parser gives and `object(of:)`
    /// makes. `subscript(_:)` and `==` rely on it.
    case object([Member])

    /// A name and its value inside an object.
    public struct Member: Sendable {
        public var name: String
        /// The value of the member.
        public var value: JSON

        @inlinable
        public init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }
}

extension JSON {
    /// An object from members in any order; of two with one name the later counts.
    public static func object(of members: some Sequence<(String, JSON)>) -> JSON {
        let sorted = members.enumerated().sorted { left, right in
            left.element.0.precedes(right.element.0)
                || left.element.0.isExactly(right.element.0) && left.offset < right.offset
        }
        var unique: [Member] = []
        unique.reserveCapacity(sorted.count)
        for (_, (name, value)) in sorted {
            if let last = unique.last, last.name.isExactly(name) { unique.removeLast() }
            unique.append(Member(name: name, value: value))
        }
        return .object(unique)
    }

    /// A whole number.
    public static func integer(_ value: Int64) -> JSON { .number(JSONNumber(value)) }

    /// A number given in hundredths: 6667 is 66.67.
    public static func hundredths(_ value: Int64) -> JSON {
        .number(JSONNumber(hundredths: value))
    }

    /// The member's value; nil if this is no object or has no such member. A `null` that is there
    /// is `.null`. Logarithmic in the number of members.
    public subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.value(of: name)
    }

    /// Whether it is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The truth value; nil for anything else.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The whole number that is written here without fraction or exponent.
    public var wholeNumber: Int64? { number?.wholeNumber }

    /// The text; nil for anything else.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements; nil for anything else.
    public var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, sorted by code point of their names.
    public var members: [Member]? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension [JSON.Member] {
    /// The value of the member with exactly this name, in members sorted by code point.
    public func value(of name: String) -> JSON? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].name.precedes(name) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < count, self[low].name.isExactly(name) else { return nil }
        return self[low].value
    }
}

extension JSON: Hashable {
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.isExactly(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        // Strings hash by normal form: the same bytes give the same hash, which is all that is
        // asked of one.
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension JSON.Member: Hashable {
    public static func == (left: JSON.Member, right: JSON.Member) -> Bool {
        left.name.isExactly(right.name) && left.value == right.value
    }
}

extension JSON: CustomStringConvertible {
    /// Keys sorted, no white space, numbers with at most two decimals: the form that is compared.
    public var canonical: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The canonical form as a text.
    public var description: String { String(decoding: canonical, as: UTF8.self) }
}
