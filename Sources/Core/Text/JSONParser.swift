extension JSON {
    /// Reads one document: strict RFC 8259, and stricter where it leaves a choice. No byte order
    /// mark, no invalid UTF-8, no lone surrogate, no key twice in an object, no nesting deeper than
    /// 64, no number that `JSONNumber` cannot hold exactly. Linear in the number of bytes, but for
    /// objects whose keys do not come sorted.
    public init(parsing bytes: Span<UInt8>) throws(JSONError) {
        var parser = JSONParser()
        self = try parser.document(in: bytes)
    }

    /// Reads one document; offsets of errors count from the start of the slice.
    public init(parsing bytes: ArraySlice<UInt8>) throws(JSONError) {
        try self.init(parsing: bytes.span)
    }

    /// Reads one document.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        try self.init(parsing: bytes.span)
    }

    /// Reads one document.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: text.utf8.span)
    }
}

/// Walks over the bytes of one document. Recursive, but never deeper than `deepest`, so no input
/// can exhaust the stack.
struct JSONParser {
    private var index = 0
    private var depth = 0

    /// Arrays and objects inside one another.
    private static let deepest = 64

    mutating func document(in bytes: Span<UInt8>) throws(JSONError) -> JSON {
        let value = try value(in: bytes)
        skipSpace(in: bytes)
        guard index == bytes.count else { throw error("something follows the document") }
        return value
    }

    private func error(_ reason: String) -> JSONError {
        JSONError(offset: index, reason: reason)
    }

    /// What is wrong when another byte was wanted here.
    private func unexpected(in bytes: Span<UInt8>, instead wanted: String) -> JSONError {
        error(index < bytes.count ? "\(wanted) expected" : "the document ends too early")
    }

    @inline(__always)
    private mutating func skipSpace(in bytes: Span<UInt8>) {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index &+= 1
            default: return
            }
        }
    }

    /// Skips white space, then `byte` if it is next.
    @inline(__always)
    private mutating func take(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
        skipSpace(in: bytes)
        guard index < bytes.count, bytes[index] == byte else { return false }
        index &+= 1
        return true
    }

    private mutating func value(in bytes: Span<UInt8>) throws(JSONError) -> JSON {
        skipSpace(in: bytes)
        guard index < bytes.count else { throw error("the document ends too early") }
        switch bytes[index] {
        case UInt8(ascii: "\""): return .string(try string(in: bytes))
        case UInt8(ascii: "{"): return try object(in: bytes)
        case UInt8(ascii: "["): return try array(in: bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try JSONNumberScanner.number(in: bytes, at: &index))
        case UInt8(ascii: "t"): return try literal("true", .bool(true), in: bytes)
        case UInt8(ascii: "f"): return try literal("false", .bool(false), in: bytes)
        case UInt8(ascii: "n"): return try literal("null", .null, in: bytes)
        default: throw error("a value expected")
        }
    }

    private mutating func literal(
        _ name: String, _ value: JSON, in bytes: Span<UInt8>
    ) throws(JSONError) -> JSON {
        for byte in name.utf8 {
            guard index < bytes.count, bytes[index] == byte else {
                throw unexpected(in: bytes, instead: name)
            }
            index += 1
        }
        return value
    }

    private mutating func descend() throws(JSONError) {
        guard depth < Self.deepest else { throw error("nested deeper than 64") }
        depth += 1
        index += 1
    }

    private mutating func array(in bytes: Span<UInt8>) throws(JSONError) -> JSON {
        try descend()
        var elements: [JSON] = []
        if !take(UInt8(ascii: "]"), in: bytes) {
            while true {
                elements.append(try value(in: bytes))
                if take(UInt8(ascii: ","), in: bytes) { continue }
                guard take(UInt8(ascii: "]"), in: bytes) else {
                    throw unexpected(in: bytes, instead: "',' or ']'")
                }
                break
            }
        }
        depth -= 1
        return .array(elements)
    }

    private mutating func object(in bytes: Span<UInt8>) throws(JSONError) -> JSON {
        let start = index
        try descend()
        var members: [JSON.Member] = []
        var isSorted = true
        if !take(UInt8(ascii: "}"), in: bytes) {
            while true {
                skipSpace(in: bytes)
                guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                    throw unexpected(in: bytes, instead: "a key")
                }
                let name = try string(in: bytes)
                guard take(UInt8(ascii: ":"), in: bytes) else {
                    throw unexpected(in: bytes, instead: "':'")
                }
                let value = try value(in: bytes)
                if isSorted, let last = members.last, !last.name.precedes(name) {
                    isSorted = false
                }
                members.append(JSON.Member(name: name, value: value))
                if take(UInt8(ascii: ","), in: bytes) { continue }
                guard take(UInt8(ascii: "}"), in: bytes) else {
                    throw unexpected(in: bytes, instead: "',' or '}'")
                }
                break
            }
        }
        depth -= 1
        if !isSorted { try sort(&members, ofObjectAt: start) }
        return .object(members)
    }

    /// Sorts members by code point and finds the key that occurs twice.
    private func sort(
        _ members: inout [JSON.Member], ofObjectAt start: Int
    ) throws(JSONError) {
        members.sort { $0.name.precedes($1.name) }
        for (left, right) in zip(members, members.dropFirst())
        where left.name.isExactly(right.name) {
            let name = String(decoding: JSON.string(left.name).canonical, as: UTF8.self)
            throw JSONError(offset: start, reason: "duplicate key \(name)")
        }
    }

    /// Reads a string from its opening quote on.
    private mutating func string(in bytes: Span<UInt8>) throws(JSONError) -> String {
        let start = index + 1
        index = JSONEscapes.prefixWithoutEscapes(of: bytes, from: start)
        guard index < bytes.count else { throw error("the document ends too early") }
        guard bytes[index] == UInt8(ascii: "\"") else {
            return try JSONStringScanner.string(in: bytes, from: start, cleanUpTo: &index)
        }
        let text = try JSONStringScanner.text(in: bytes, start..<index)
        index += 1
        return text
    }
}
