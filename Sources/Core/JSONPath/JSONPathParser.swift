/// Reads JSONPath as RFC 9535 writes it, and says where a text is none.
struct JSONPathParser {
    let text: [Unicode.Scalar]
    var index = 0
    /// Deeper nesting of filters is refused, not run out of stack for.
    var depth = 0

    private static let deepest = 64
    /// Whole numbers of I-JSON (RFC 7493).
    private static let widest = 9_007_199_254_740_991

    init(_ text: String) {
        self.text = Array(text.unicodeScalars)
    }

    // MARK: What stands where

    var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

    func error(_ reason: String) -> JSONError {
        let offset = text[..<index].reduce(0) { $0 + String($1).utf8.count }
        return JSONError(offset: offset, reason: reason)
    }

    func begins(with word: String) -> Bool {
        text[index...].starts(with: word.unicodeScalars)
    }

    mutating func take(_ word: String) -> Bool {
        guard begins(with: word) else { return false }
        index += word.unicodeScalars.count
        return true
    }

    mutating func expect(_ word: String) throws(JSONError) {
        guard take(word) else { throw error("\(word) expected") }
    }

    mutating func skipSpace() {
        while let scalar = next, " \t\n\r".unicodeScalars.contains(scalar) { index += 1 }
    }

    mutating func end() throws(JSONError) {
        guard index == text.count else { throw error("the path ends here, more follows") }
    }

    // MARK: Paths

    /// Segments, as many as there are. White space before one belongs to it.
    mutating func segments() throws(JSONError) -> [JSONPath.Segment] {
        var segments: [JSONPath.Segment] = []
        while true {
            let start = index
            skipSpace()
            if take("..") {
                segments.append(try descendants())
            } else if take(".") {
                segments.append(JSONPath.Segment(selectors: [try shorthand()]))
            } else if take("[") {
                segments.append(JSONPath.Segment(selectors: try bracketed()))
            } else {
                index = start
                return segments
            }
        }
    }

    mutating func descendants() throws(JSONError) -> JSONPath.Segment {
        let selectors = take("[") ? try bracketed() : [try shorthand()]
        return JSONPath.Segment(isDescendant: true, selectors: selectors)
    }

    mutating func shorthand() throws(JSONError) -> JSONPath.Selector {
        if take("*") { return .wildcard }
        guard let name = takeName() else { throw error("a name or * expected") }
        return .name(name)
    }

    mutating func takeName() -> String? {
        let start = index
        while let scalar = next, Self.isNamePart(scalar, isFirst: index == start) { index += 1 }
        return start == index ? nil : String(String.UnicodeScalarView(text[start..<index]))
    }

    static func isShorthand(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        guard let first = scalars.first, isNamePart(first, isFirst: true) else { return false }
        return scalars.dropFirst().allSatisfy { isNamePart($0, isFirst: false) }
    }

    private static func isNamePart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        case "0"..."9": !isFirst
        default: scalar.value >= 0x80
        }
    }

    mutating func bracketed() throws(JSONError) -> [JSONPath.Selector] {
        var selectors: [JSONPath.Selector] = []
        repeat {
            skipSpace()
            selectors.append(try selector())
            skipSpace()
        } while take(",")
        try expect("]")
        return selectors
    }

    mutating func selector() throws(JSONError) -> JSONPath.Selector {
        switch next {
        case "*":
            index += 1
            return .wildcard
        case "'", "\"": return .name(try quotedText())
        case "?":
            index += 1
            skipSpace()
            return .filter(try nested { parser throws(JSONError) in try parser.condition() })
        default: return try indexOrSlice()
        }
    }

    mutating func nested<Value>(
        _ body: (inout JSONPathParser) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw error("nested too deeply") }
        return try body(&self)
    }

    mutating func indexOrSlice() throws(JSONError) -> JSONPath.Selector {
        let start = try takeInteger()
        let mark = index
        skipSpace()
        guard take(":") else {
            index = mark
            guard let start else { throw error("a selector expected") }
            return .index(start)
        }
        skipSpace()
        let end = try takeInteger()
        var step: Int?
        let beforeStep = index
        skipSpace()
        if take(":") {
            skipSpace()
            step = try takeInteger()
        } else {
            index = beforeStep
        }
        return .slice(start: start, end: end, step: step ?? 1)
    }

    mutating func takeInteger() throws(JSONError) -> Int? {
        let start = index
        let isNegative = take("-")
        let digits = index
        while let scalar = next, "0"..."9" ~= scalar { index += 1 }
        guard index > digits else {
            index = start
            return nil
        }
        let written = String(String.UnicodeScalarView(text[digits..<index]))
        let isCanonical = written == "0" ? !isNegative : !written.hasPrefix("0")
        guard isCanonical, let value = Int(written), value <= Self.widest else {
            index = start
            throw error("not a whole number of JSONPath")
        }
        return isNegative ? -value : value
    }

    // MARK: Texts

    mutating func quotedText() throws(JSONError) -> String {
        guard let quote = next else { throw error("a text expected") }
        index += 1
        var result = String.UnicodeScalarView()
        while let scalar = next {
            if scalar == quote {
                index += 1
                return String(result)
            }
            guard scalar.value >= 0x20 else { throw error("a control character in a text") }
            if scalar == "\\" {
                result.append(try escaped(in: quote))
            } else {
                result.append(scalar)
                index += 1
            }
        }
        throw error("the text does not end")
    }

    mutating func escaped(in quote: Unicode.Scalar) throws(JSONError) -> Unicode.Scalar {
        index += 1
        guard let sign = next else { throw error("the text does not end") }
        index += 1
        switch sign {
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "/", "\\", quote: return sign
        case "u":
            let unit = try codeUnit()
            guard 0xD800..<0xDC00 ~= unit else { return try scalar(unit) }
            guard take("\\u") else { throw error("half of a surrogate pair") }
            let low = try codeUnit()
            guard 0xDC00..<0xE000 ~= low else { throw error("half of a surrogate pair") }
            return try scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        default:
            index -= 1
            throw error("no such escape")
        }
    }

    func scalar(_ value: UInt32) throws(JSONError) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(value) else { throw error("half of a surrogate pair") }
        return scalar
    }

    mutating func codeUnit() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character($0).hexDigitValue }), next?.isASCII == true
            else {
                throw error("four hexadecimal digits expected")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}

extension JSONPath {
    /// Reads a path that begins with `$`.
    public init(_ text: String) throws(JSONError) {
        var parser = JSONPathParser(text)
        guard text.unicodeScalars.first == "$" else { throw parser.error("a path begins with $") }
        _ = parser.takeRoot()
        self.init(segments: try parser.segments())
        try parser.end()
    }
}

extension JSONCondition {
    /// Reads a condition; white space around it counts for nothing.
    public init(_ text: String) throws(JSONError) {
        var parser = JSONPathParser(text)
        self = try parser.whole()
    }
}

extension JSONPathParser {
    mutating func takeRoot() -> Bool { take("$") }

    mutating func whole() throws(JSONError) -> JSONCondition {
        skipSpace()
        let condition = try condition()
        skipSpace()
        try end()
        return condition
    }
}
